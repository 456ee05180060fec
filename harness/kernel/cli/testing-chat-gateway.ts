import { decide } from '../../proof/decisions.ts';
import { memberAt, set } from '../../proof/editing.ts';
import { eachData, type Override, seam, together } from '../../proof/planting.ts';
import { Refusal, type Route, startReference } from '../../reference/index.ts';

/** The key of the only user of the gateway. */
export const chatKey = 'canary-key-of-the-chat-gateway';

/** A typical small gateway: Chat Completions for one key, which is checked on every path first. */
export interface ChatGateway {
  readonly url: string;
  /** `POST /v1/chat/completions 200`, for each request that was answered. */
  readonly answered: readonly string[];
  close(): Promise<void>;
}

export interface ChatGatewayOptions {
  /** Unless true, `stop` is ignored, and `usage.prompt_tokens` of a stream is 0. */
  readonly fixed?: boolean;
  /** True if it answers only in one body, and refuses to stream. */
  readonly refusesStreams?: boolean;
}

const chatModels = ['pico-1', 'pico-2'];

/** Asks for the key before it says that there is nothing at a path. */
const nowhere = (['GET', 'POST', 'DELETE'] as const).map(
  (method): Route => ({
    method,
    path: /^/,
    operation: () => 'none',
    body: 'ignored',
    handle: ({ path }) => {
      throw new Refusal('unknown-path', `There is no ${method} ${path}.`);
    },
  }),
);

const chatAlone: Override = together(
  seam('endpoints', 'routes', (native) => (dialect) => {
    if (dialect.name === 'chat-completions') return native(dialect);
    if (dialect.name !== 'models') return [];
    return [...native(dialect).filter(({ path }) => path.test('/v1/models')), ...nowhere];
  }),
  decide('findModel', (native) => (id, call) => {
    return chatModels.includes(id) ? native(id, call) : undefined;
  }),
  decide(
    'listedModels',
    (native) => (key, call) => native(key, call).filter(({ id }) => chatModels.includes(id)),
  ),
  decide(
    'supports',
    (native) => (model, capability, call) =>
      /^(stream|stop)/.test(capability) && native(model, capability, call),
  ),
);

const withoutStreams: Override = decide(
  'supports',
  (native) => (model, capability, call) =>
    !capability.startsWith('stream') && native(model, capability, call),
);

const defects: Override = together(
  decide('honours', (native) => (asked, call) => asked !== 'stop' && native(asked, call)),
  eachData('chat-completions', (data) =>
    memberAt(data, 'usage.prompt_tokens') === undefined
      ? data
      : set(
          set(data, 'usage.prompt_tokens', 0),
          'usage.total_tokens',
          memberAt(data, 'usage.completion_tokens') ?? 0,
        ),
  ),
);

/** Starts the gateway on a free port: the reference, with all else taken away. */
export async function startChatGateway({
  fixed = false,
  refusesStreams = false,
}: ChatGatewayOptions = {}): Promise<ChatGateway> {
  const overrides = [
    chatAlone,
    ...(fixed ? [] : [defects]),
    ...(refusesStreams ? [withoutStreams] : []),
  ];
  const answered: string[] = [];
  const gateway = await startReference({
    regions: ['eu'],
    tokenMs: 1,
    keys: { owner: chatKey },
    models: chatModels,
    withoutProbes: true,
    journal: {
      ended: ({ method, path, status }) => void answered.push(`${method} ${path} ${status}`),
    },
    defect: { id: 'chat-alone', what: 'It serves little.', override: together(...overrides) },
  });
  const url = gateway.regions[0]?.baseUrl ?? '';
  return { url, answered, close: () => gateway.close() };
}
