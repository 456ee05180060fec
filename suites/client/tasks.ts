import { type ClientSession, pathOf } from '../../harness/features/sessions/index.ts';
import {
  answerOf,
  asksForResponse,
  asksForStream,
  asksToGenerate,
  decoded,
  type Exchange,
  json,
} from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';

/** True for a request that generates, or opens a WebSocket. */
export const generates = ({ about, socket }: Exchange): boolean =>
  socket !== null || asksToGenerate(about);

export const isUnknown = ({ about }: Exchange): boolean => about.operation === 'unknown';

export const counts = ({ about }: Exchange): boolean =>
  /\.(count|input)-tokens$/.test(about.operation);

/** Request that does a task, in words and as a condition. */
interface TaskRequest {
  readonly expected: string;
  readonly is: (exchange: Exchange, session: ClientSession) => boolean;
}

function generation(
  what: string,
  has: (body: unknown, session: ClientSession) => boolean,
): TaskRequest {
  return {
    expected: `a generation with ${what}`,
    is: (exchange, session) => generates(exchange) && has(requestBody(exchange), session),
  };
}

function call(method: string, operation: RegExp, path = ''): TaskRequest {
  return {
    expected: `\`${method} /v1/responses/<RESPONSE_ID>${path}\` for the response that it was told`,
    is(exchange, { about: id = '' }) {
      const [plain] = /^[\w-]*/.exec(id) ?? [];
      const isMeant =
        operation.test(exchange.about.operation) ||
        // The encoding of an odd id is judged by another row.
        (plain !== id && isUnknown(exchange) && exchange.request.method === method);
      return isMeant && decoded(pathOf(exchange)).includes(`/${plain}`);
    },
  };
}

/** The request that does each task. One is enough, and others may go beside it. */
export const sendings = {
  // The interface does not say what holds where `store` is left out.
  store: generation('`store: true`', (body) => json.at(body, 'store') !== false),
  stream: {
    expected: 'a generation that is streamed',
    is: (exchange) =>
      exchange.socket !== null ||
      asksForStream(exchange) ||
      // Its path is judged by another row.
      (isUnknown(exchange) && exchange.request.body !== null),
  },
  continue: generation(
    'the id of the response as `previous_response_id`',
    (body, { about = '' }) => {
      const named = json.text(body, 'previous_response_id') ?? '';
      // Another row judges how an odd id is written.
      return [named, decoded(named)].includes(about);
    },
  ),
  background: generation('`background: true`', (body) => json.at(body, 'background') === true),
  recover: {
    expected: 'a recovery or a lookup of the response whose stream broke',
    is: ({ about }) => /^responses\.(recover|lookup)$/.test(about.operation),
  },
  lookup: call('GET', /^responses\.(lookup|recover)$/),
  'input-items': call('GET', /^responses\.input-items$/, '/input_items'),
  cancel: call('POST', /^responses\.cancel$/, '/cancel'),
  delete: call('DELETE', /^responses\.delete$/),
  count: {
    expected: 'a count of tokens',
    // A wrong path is judged by another row.
    is: (exchange) => counts(exchange) || (isUnknown(exchange) && exchange.request.body !== null),
  },
  list: {
    expected: 'a GET of the models',
    is: ({ about }) => about.operation.startsWith('models.'),
  },
} as const satisfies Readonly<Record<string, TaskRequest>>;

/** True for a request that asks the model for an answer. */
export const asksModel = (exchange: Exchange): boolean =>
  generates(exchange) && (exchange.socket === null || asksForResponse(exchange));

/** States that a client has to tell of a response, by its native status. */
const states = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  incomplete: 'incomplete',
  queued: 'running',
  in_progress: 'running',
} as const;

type Told = (typeof states)[keyof typeof states];

interface ShownState {
  readonly id: string;
  readonly state: Told;
}

export function statesIn(exchange: Exchange): readonly ShownState[] {
  const events = answerOf(exchange).events.map(({ json: event }) => json.at(event, 'response'));
  return [...events, answerOf(exchange).value].filter(json.isObject).flatMap((response) => {
    const id = json.text(response, 'id');
    const known = Object.entries(states).find(([status]) => status === response.status);
    return id === null || known === undefined ? [] : [{ id, state: known[1] }];
  });
}
