import type { JsonObject } from '../../reference/json.ts';
import type { ResponseTurn } from '../../reference/responses/turn.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide, tighten } from '../decisions.ts';
import { set } from '../editing.ts';
import type { Fault } from './fault.ts';
import { created, responseAt } from './response-bodies.ts';

// Continuing a stored response over HTTP.

/** What goes into the context of a continuation over HTTP. */
function remembering(history: (turn: ResponseTurn) => readonly JsonObject[]): Defect['override'] {
  return decide(
    'history',
    (native) => (previous, call) =>
      call.operation === 'responses.create' && previous.turn !== null
        ? history(previous.turn)
        : native(previous, call),
  );
}

export const continuationFaults: readonly Fault[] = [
  {
    id: 'continue.once-only',
    what: 'A response that continues another cannot be continued.',
    breaks: ['storage/continuation.served'],
    override: tighten(
      'isStored',
      ({ operation, record: { turn } }) =>
        operation === 'continue' && turn?.parts.request.previousResponseId != null,
    ),
  },
  {
    id: 'continue.forgets-everything',
    what: 'A continuation does not read the turns before it.',
    breaks: ['storage/continuation.carries-context'],
    override: remembering(() => []),
  },
  {
    id: 'continue.last-turn-only',
    what: 'A continuation reads the one turn before it, and none before that.',
    breaks: ['storage/continuation.carries-context'],
    override: remembering((turn) => [...turn.parts.request.input, ...turn.output()]),
  },
  {
    id: 'continue.previous-not-named',
    what: 'A continuation does not say which response it continues.',
    breaks: ['storage/continuation.echoes-previous'],
    override: responseAt(created, 'one-body', (body) => set(body, 'previous_response_id', null)),
  },
  {
    id: 'continue.names-itself',
    what: 'A continuation names itself as the response that it continues.',
    breaks: ['storage/continuation.echoes-previous'],
    override: responseAt(created, 'one-body', (body) =>
      body.previous_response_id === null ? body : set(body, 'previous_response_id', `${body.id}`),
    ),
  },
];
