import { alteredKeyFaults } from './altered-keys.ts';
import { alternatePathFaults } from './alternate-path.ts';
import { authFaults } from './auth.ts';
import { backgroundFaults } from './background.ts';
import { badBodyFaults } from './bad-bodies.ts';
import { branchFaults } from './branches.ts';
import { keptAnswerFaults } from './cached-answers.ts';
import { cancelDeleteFaults } from './cancel-delete.ts';
import { cancelsAllFaults } from './cancels-all.ts';
import { capabilityFaults } from './capabilities.ts';
import { catalogPageFaults } from './catalog-pages.ts';
import { chatCompletionsFaults } from './chat-completions.ts';
import { continuationFaults } from './continuation.ts';
import { continuationModeFaults } from './continuation-modes.ts';
import { countingFaults } from './counting.ts';
import { creationModeFaults } from './creation-modes.ts';
import { credentialFaults } from './credentials.ts';
import { deletedModeFaults } from './deleted-modes.ts';
import { deniedButDoneFaults } from './denied-but-executed.ts';
import { errorFaults } from './errors.ts';
import type { Fault } from './fault.ts';
import { formFaults } from './forms.ts';
import { generationModeFaults } from './generation-modes.ts';
import { generativeFaults } from './generative.ts';
import { generativeStreamFaults } from './generative-stream.ts';
import { hardInputFaults } from './hard-input.ts';
import { inputItemsFaults } from './input-items.ts';
import { interruptionFaults } from './interruption.ts';
import { keptInputFaults } from './kept-input.ts';
import { laterTurnFaults } from './later-turns.ts';
import { messagesFaults } from './messages.ts';
import { messagesStreamFaults } from './messages-stream.ts';
import { meteringFaults } from './metering.ts';
import { modelsFaults } from './models.ts';
import { nativeFaults } from './native.ts';
import { otherFormFaults } from './other-forms.ts';
import { permissionFaults, protocolFaults } from './protocols.ts';
import { quotingDenialFaults } from './quoting-denials.ts';
import { recordedFaults } from './recorded.ts';
import { recoverFaults } from './recover.ts';
import { regionsOwnersFaults } from './regions-owners.ts';
import { responsesBodyFaults } from './responses-body.ts';
import { responsesStreamFaults } from './responses-stream.ts';
import { responsesStreamOrderFaults } from './responses-stream-order.ts';
import { retentionFaults } from './retention.ts';
import { sameResourceFaults } from './same-resource.ts';
import { secondRegionFaults } from './second-region.ts';
import { storageFaults } from './storage.ts';
import { storeFaults } from './store.ts';
import { systemoneFaults } from './systemone.ts';
import { toolsFaults } from './tools.ts';
import { toolsStreamFaults } from './tools-stream.ts';
import { unclosedFaults } from './unclosed.ts';
import { unknownIdFaults } from './unknown-ids.ts';
import { unreadInputFaults } from './unread-input.ts';
import { websocketFaults } from './websocket.ts';
import { whileRunningFaults } from './while-running.ts';

export type { Fault } from './fault.ts';

/** Every planted fault, in the order in which the catalogue has what they break. */
export const faults: readonly Fault[] = [
  ...authFaults,
  ...credentialFaults,
  ...formFaults,
  ...alteredKeyFaults,
  ...creationModeFaults,
  ...generationModeFaults,
  ...regionsOwnersFaults,
  ...secondRegionFaults,
  ...responsesBodyFaults,
  ...responsesStreamFaults,
  ...responsesStreamOrderFaults,
  ...storeFaults,
  ...retentionFaults,
  ...sameResourceFaults,
  ...inputItemsFaults,
  ...keptInputFaults,
  ...unknownIdFaults,
  ...continuationFaults,
  ...branchFaults,
  ...cancelDeleteFaults,
  ...cancelsAllFaults,
  ...backgroundFaults,
  ...recoverFaults,
  ...interruptionFaults,
  ...countingFaults,
  ...websocketFaults,
  ...capabilityFaults,
  ...meteringFaults,
  ...recordedFaults,
  ...chatCompletionsFaults,
  ...messagesFaults,
  ...messagesStreamFaults,
  ...storageFaults,
  ...generativeFaults,
  ...alternatePathFaults,
  ...generativeStreamFaults,
  ...systemoneFaults,
  ...modelsFaults,
  ...catalogPageFaults,
  ...toolsFaults,
  ...toolsStreamFaults,
  ...nativeFaults,
  ...unclosedFaults,
  ...errorFaults,
  ...protocolFaults,
  ...permissionFaults,
  ...quotingDenialFaults,
  ...deniedButDoneFaults,
  ...whileRunningFaults,
  ...continuationModeFaults,
  ...deletedModeFaults,
  ...laterTurnFaults,
  ...badBodyFaults,
  ...hardInputFaults,
  ...unreadInputFaults,
  ...otherFormFaults,
  ...keptAnswerFaults,
];
