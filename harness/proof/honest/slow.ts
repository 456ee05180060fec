import type { Front, Passing } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';

interface Slow {
  /** Name of the slow operation, for messages. */
  readonly what: string;
  readonly method: string;
  readonly path: RegExp;
  /** Ids of rows and areas that send it, and depend on the time of an end. */
  readonly rows: readonly string[];
  /** Rows about runs that have ended by themselves before so slow a request reaches the gateway. */
  readonly open?: readonly string[];
}

const stored = '/v1/responses/(?!compact|input_tokens)[^/?]+';

/** Operations, of which each gateway slows down one. */
const operations: Readonly<Record<string, Slow>> = {
  generation: {
    what: 'A response in one body, and the start of a stream',
    method: 'POST',
    path: /^\/v1\/responses$/,
    rows: ['background', 'interruption', 'storage/deletion.cancels-running'],
  },
  lookup: {
    what: 'A lookup',
    method: 'GET',
    path: new RegExp(`^${stored}$`),
    rows: ['background', 'storage/deletion'],
  },
  recovery: {
    what: 'The recovery of events',
    method: 'GET',
    path: new RegExp(`^${stored}\\?.*stream=true`),
    rows: ['interruption', 'storage/deletion.removes-events'],
  },
  'input-items': {
    what: 'A list of input items',
    method: 'GET',
    path: new RegExp(`^${stored}/input_items`),
    rows: ['storage/deletion.denies-afterwards'],
  },
  cancel: {
    what: 'A cancel',
    method: 'POST',
    path: new RegExp(`^${stored}/cancel$`),
    rows: ['background', 'metering'],
    open: ['background/cancel'],
  },
  delete: {
    what: 'A deletion',
    method: 'DELETE',
    path: new RegExp(`^${stored}$`),
    rows: ['storage/deletion', 'background', 'metering'],
    open: ['storage/deletion.cancels-running'],
  },
  compact: {
    what: 'A compaction',
    method: 'POST',
    path: /^\/v1\/responses\/compact$/,
    rows: ['metering', 'storage/deletion.indirect-access-denied'],
  },
  count: {
    what: 'A count of tokens',
    method: 'POST',
    path: /(count_tokens|input_tokens|:countTokens)$/,
    rows: ['counting'],
  },
  list: {
    what: 'A list of models',
    method: 'GET',
    path: /^\/v1(beta)?\/models/,
    rows: ['models'],
  },
  upgrade: {
    what: 'The upgrade to a WebSocket',
    method: 'GET',
    path: /^\/v1\/responses$/,
    rows: ['websocket'],
  },
};

const delays = [500, 2_000, 6_000, 15_000];

function slowAt({ method, path }: Slow, ms: number): () => Front {
  const isSlow = (request: Passing): boolean =>
    request.method === method && path.test(request.path);
  return () => ({ holds: (request) => (isSlow(request) ? ms : 0) });
}

/** One gateway per operation and delay on the way to the gateway. */
export const slowOperations: readonly HonestGateway[] = Object.entries(operations).flatMap(
  ([name, slow]) =>
    delays.map((ms) => ({
      id: `slow.${name}-${ms}`,
      what: `${slow.what} takes ${ms / 1_000} s to come to the gateway.`,
      front: slowAt(slow, ms),
      rows: slow.rows,
      ...(slow.open === undefined ? {} : { open: slow.open }),
      waits: true,
    })),
);
