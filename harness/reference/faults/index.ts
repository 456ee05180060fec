import { authFaults } from './auth.ts';
import { credentialFaults } from './credentials.ts';
import type { Fault } from './fault.ts';
import { regionsOwnersFaults } from './regions-owners.ts';

export type { Fault } from './fault.ts';

/** Every planted fault, in the order in which the catalogue has what they break. */
export const faults: readonly Fault[] = [
  ...authFaults,
  ...credentialFaults,
  ...regionsOwnersFaults,
];
