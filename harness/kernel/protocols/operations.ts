import { type Exchange, isObject, parsed } from '../core/index.ts';

/** Content of a request over any transport: the body of a request, or a frame. */
interface Asked {
  /** `responses.create`, as in `About`. */
  readonly operation: string;
  /** Empty if the body is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly url: URL;
}

const isStored = ({ body }: Asked): boolean => body.store === true;
const continues = ({ body }: Asked): boolean => body.previous_response_id !== undefined;
const inBackground = ({ body }: Asked): boolean => body.background === true;
const isAlternate = ({ url }: Asked): boolean => url.pathname.includes('/v1/models/');
const creates = ({ operation, body }: Asked): boolean =>
  operation === 'responses.create' && body.background !== true;
const streams = ({ operation }: Asked): boolean => operation === 'responses.stream';
const isTurn = ({ operation, body }: Asked): boolean =>
  operation === 'responses.connect' && body.type === 'response.create';

function hasTurns(member: string, role: string): (asked: Asked) => boolean {
  return ({ body }) => {
    const list = body[member];
    const turns: readonly unknown[] = Array.isArray(list) ? list : [];
    return turns.some((turn) => isObject(turn) && turn.role === role) && !hasCall(list);
  };
}

/** True for a conversation with a function call, which includes one that returns its result. */
function hasCall(list: unknown): boolean {
  return /"(function_call|tool_calls|tool_use|functionCall)"/.test(JSON.stringify(list ?? null));
}

function generative(action: string, alternate: boolean): (asked: Asked) => boolean {
  return (asked) => asked.operation === `generative.${action}` && isAlternate(asked) === alternate;
}

function named(operation: string): (asked: Asked) => boolean {
  return (asked) => asked.operation === operation;
}

function both(...conditions: ((asked: Asked) => boolean)[]): (asked: Asked) => boolean {
  return (asked) => conditions.every((holds) => holds(asked));
}

/**
 * Operations of a gateway, each with the condition that its requests meet. `fixtures/requirements/operations.yaml`
 * tells what is broken if an operation never succeeds.
 */
const operations = {
  responses: (asked) => creates(asked) && !continues(asked),
  'responses-stream': (asked) => streams(asked) && !inBackground(asked) && !continues(asked),
  'chat-completions': named('chat-completions.create'),
  'chat-completions-stream': named('chat-completions.stream'),
  'chat-completions-stream-usage': both(
    named('chat-completions.stream'),
    ({ body }) => body.stream_options !== undefined,
  ),
  messages: named('messages.create'),
  'messages-stream': named('messages.stream'),
  'generate-content': generative('generate', false),
  'stream-generate-content': generative('stream', false),
  'alternate-generate-content': generative('generate', true),
  'alternate-stream-generate-content': generative('stream', true),
  systemone: named('systemone.create'),
  'item-input': ({ operation, body: { input } }) =>
    operation === 'responses.create' && Array.isArray(input) && !hasCall(input),
  'chat-completions-conversation': both(
    named('chat-completions.create'),
    hasTurns('messages', 'assistant'),
  ),
  'messages-conversation': both(named('messages.create'), hasTurns('messages', 'assistant')),
  'generative-conversation': both(named('generative.generate'), hasTurns('contents', 'model')),
  'count-tokens': generative('count-tokens', false),
  'alternate-count-tokens': generative('count-tokens', true),
  'messages-count-tokens': named('messages.count-tokens'),
  'input-tokens': named('responses.input-tokens'),
  compact: named('responses.compact'),
  models: named('models.list'),
  catalog: named('models.catalog'),
  'catalog-page': both(named('models.catalog'), ({ url }) => url.searchParams.has('pageToken')),
  stored: both(creates, isStored, (asked) => !continues(asked)),
  unstored: both(creates, (asked) => !isStored(asked) && !continues(asked)),
  lookup: named('responses.lookup'),
  'input-items': named('responses.input-items'),
  'input-items-page': both(named('responses.input-items'), ({ url }) =>
    url.searchParams.has('after'),
  ),
  continuation: (asked) => creates(asked) && continues(asked),
  'continuation-stream': (asked) => streams(asked) && continues(asked),
  recover: named('responses.recover'),
  'recover-from-start': both(
    named('responses.recover'),
    ({ url }) => !url.searchParams.has('starting_after'),
  ),
  delete: named('responses.delete'),
  background: (asked) => inBackground(asked) && !streams(asked),
  'background-stream': (asked) => inBackground(asked) && streams(asked),
  cancel: named('responses.cancel'),
  websocket: named('responses.connect'),
  'websocket-turn': isTurn,
  'websocket-continuation': both(isTurn, continues),
  'stored-turn': both(isTurn, isStored),
  'unstored-turn': both(isTurn, ({ body }) => body.store === false),
} as const satisfies Record<string, (asked: Asked) => boolean>;

export type OperationName = keyof typeof operations;

/** Operation names in the order of the specification. */
export const operationNames = Object.keys(operations) as readonly OperationName[];

/** Operations without a generation: counts, lists, and reading, cancelling or deleting a response. */
const free =
  /^(count-tokens|.*-count-tokens|input-tokens|models|catalog.*|lookup|input-items.*|recover.*|delete|cancel)$/;

export function generates(operation: OperationName): boolean {
  return !free.test(operation);
}

/** The operations that a request belongs to. A WebSocket is classified by the first frame sent over it. */
export function operationsOf({ about, request, socket }: Exchange): readonly OperationName[] {
  const frame = socket?.frames.find(({ from }) => from === 'us')?.data ?? null;
  const sent = socket === null ? request.body : frame;
  const json = sent === null ? null : parsed(new TextDecoder().decode(sent));
  const body = isObject(json) ? json : {};
  // A stream that is abandoned early or must be refused is not always labelled as a stream.
  const operation =
    body.stream === true ? about.operation.replace(/\.create$/, '.stream') : about.operation;
  const asked: Asked = { operation, body, url: new URL(request.url) };
  return operationNames.filter((name) => operations[name](asked));
}
