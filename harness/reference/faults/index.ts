import { authFaults } from './auth.ts';
import { badBodyFaults } from './bad-bodies.ts';
import { chatCompletionsFaults } from './chat-completions.ts';
import { credentialFaults } from './credentials.ts';
import { errorFaults } from './errors.ts';
import type { Fault } from './fault.ts';
import { generativeFaults } from './generative.ts';
import { generativeStreamFaults } from './generative-stream.ts';
import { hardInputFaults } from './hard-input.ts';
import { messagesFaults } from './messages.ts';
import { messagesStreamFaults } from './messages-stream.ts';
import { modelsFaults } from './models.ts';
import { nativeFaults } from './native.ts';
import { permissionFaults, protocolFaults } from './protocols.ts';
import { regionsOwnersFaults } from './regions-owners.ts';
import { storageFaults } from './storage.ts';
import { systemoneFaults } from './systemone.ts';
import { toolsFaults } from './tools.ts';

export type { Fault } from './fault.ts';

/** Every planted fault, in the order in which the catalogue has what they break. */
export const faults: readonly Fault[] = [
  ...authFaults,
  ...credentialFaults,
  ...regionsOwnersFaults,
  ...chatCompletionsFaults,
  ...messagesFaults,
  ...messagesStreamFaults,
  ...storageFaults,
  ...generativeFaults,
  ...generativeStreamFaults,
  ...systemoneFaults,
  ...modelsFaults,
  ...toolsFaults,
  ...nativeFaults,
  ...errorFaults,
  ...protocolFaults,
  ...permissionFaults,
  ...badBodyFaults,
  ...hardInputFaults,
];
