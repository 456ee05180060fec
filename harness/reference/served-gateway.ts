import type { Gateway } from './call.ts';
import type { Choosing } from './mock/choosing.ts';
import type { RequestJournal } from './mock/requests.ts';
import type { ScriptDoor } from './mock/script-door.ts';

/** A gateway with the control of a mock, which no answer depends on. */
export interface ServedGateway extends Gateway {
  /** Faults and variants for single requests; null if not available. */
  readonly choosing: Choosing | null;
  /** Accepts scripts at run time; null if not available. */
  readonly scriptDoor: ScriptDoor | null;
  /** Journal of the requests so far; null if none is kept. */
  readonly journal: RequestJournal | null;
}
