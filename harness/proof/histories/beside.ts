import { type HistoryFault, planted } from './history-fault.ts';
import { beside } from './situations.ts';
import {
  anotherInput,
  anotherResponse,
  deletionUndone,
  elsewhereServed,
  lost,
  strangerServed,
  unpermittedServed,
} from './wrongs.ts';

// What goes wrong only while something else is being handled.

export const besideFaults: readonly HistoryFault[] = [
  planted(beside('lookup'), deletionUndone, 'create; delete | lookup; lookup'),
  planted(beside('create'), deletionUndone, 'create; delete | continue; lookup#0'),
  planted(beside('delete'), deletionUndone, 'create; delete | delete; lookup'),
  planted(
    beside('lookup', { by: 'owner' }),
    strangerServed('lookup'),
    'create; lookup | lookup@otherUser',
  ),
  planted(
    beside('lookup', { by: 'owner' }),
    unpermittedServed('lookup'),
    'create; lookup | lookup@restricted',
  ),
  planted(
    beside('lookup', { region: 'eu' }),
    elsewhereServed('lookup'),
    'create; lookup | lookup@owner/1',
  ),
  planted(beside('create'), anotherInput, 'create; create; continue#0 | input-items#0'),
  planted(beside('input-items'), anotherResponse, 'create; create; lookup#0 | input-items#0'),
  planted(beside('recover'), lost('lookup'), 'create; lookup | recover'),
];
