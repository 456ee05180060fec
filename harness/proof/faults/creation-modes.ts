import type { Call } from '../../reference/call.ts';
import type { Defect } from '../../reference/seams.ts';
import type { StoredResponse } from '../../reference/store.ts';
import { relax, remembering } from '../decisions.ts';
import type { Fault } from './fault.ts';

// Checks that were forgotten on one of the ways on which a response comes to be.

const ways: Readonly<Record<string, (created: Call) => boolean>> = {
  stream: ({ body }) => body.stream === true && body.background !== true,
  background: ({ body }) => body.background === true && body.stream !== true,
  websocket: ({ operation }) => operation === 'responses.websocket',
  continuation: ({ body, operation }) =>
    typeof body.previous_response_id === 'string' && operation === 'responses.create',
};

/** An override that asks which responses one kind of call has created. */
export function madeBy(
  fits: (created: Call) => boolean,
  override: (isOne: (record: StoredResponse) => boolean) => Defect['override'],
): Defect['override'] {
  return remembering(fits, (made) => override(({ id }) => made.has(id)));
}

const conditions = [
  ['owners', 'isSameUser', 'any-user', 'by every user'],
  ['regions', 'isOriginalRegion', 'anywhere', 'in every region'],
] as const;

/** What can be done with such a response where it should not be found, by the ids of the faults. */
const reached = [
  ['lookup', '', 'looked up'],
  ['continue', 'continues-', 'continued'],
] as const;

export const creationModeFaults: readonly Fault[] = Object.entries(ways).flatMap(([way, fits]) =>
  conditions.flatMap(([area, condition, short, where]) =>
    reached.map(
      ([operation, named, done]): Fault => ({
        id: `${area}.${short}-${named}made-by-${way}`,
        what: `A response that was made by ${way} can be ${done} ${where}.`,
        breaks: [`access/${area}.denied-by-creation-mode:${way}`],
        override: madeBy(fits, (isOne) =>
          relax(condition, (access) => access.operation === operation && isOne(access.record)),
        ),
      }),
    ),
  ),
);
