import { operationRows } from '../../kernel/core/index.ts';
import { type Call, type Defect, Refusal, type RefusalReason } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { handling, handlingAll, seam, statusOf, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { isTurn, operations } from './operations.ts';
import { each, planted } from './planted.ts';

// Gateways on which one operation fails for every client. A check that starts with that operation may report a
// missing precondition, and a timeout may be due to a busy machine. For each operation and each kind of failure, at
// least one check has to fail.

interface Way {
  /** Description that precedes the name of the operation. */
  readonly does: string;
  readonly reason: 'invalid-value' | 'internal-error';
  /** Over HTTP and WebSocket: nothing is written, and the connection is handled like this. */
  readonly silent?: (connection: Connection) => void;
  readonly limits?: Fault['limits'];
  /** True if the whole gateway exits. */
  readonly ends?: true;
}

interface Connection {
  /** Ends the connection without an answer. */
  end(): void;
}

/** Long for a gateway in this process, but short for repeated waits. */
const shortTimeOut = { timeoutMs: 3_000 };

export const waysOfBreaking = {
  refused: { does: 'refuses', reason: 'invalid-value' },
  broken: { does: 'answers 500 to', reason: 'internal-error' },
  hangs: {
    does: 'never answers',
    reason: 'internal-error',
    silent: () => {},
    limits: shortTimeOut,
  },
  closes: {
    does: 'closes the connection of',
    reason: 'internal-error',
    silent: (connection) => connection.end(),
  },
  ends: {
    does: 'ends at',
    reason: 'internal-error',
    silent: (connection) => connection.end(),
    ends: true,
  },
} as const satisfies Record<string, Way>;

function breaking(
  fits: (call: Call) => boolean,
  { reason, silent, ends }: Way,
): Defect['override'] {
  /** Ids of the requests to leave unanswered. `refuseUpgrade` knows only the answer, whose headers contain the id. */
  const unanswered = new Set<string>();
  const broken = new WeakSet<Refusal>();
  const stop = (call: Call): void => {
    if (!fits(call)) return;
    const refusal = new Refusal(reason, 'This cannot be done.');
    broken.add(refusal);
    unanswered.add(call.requestId);
    if (ends === true) call.gateway.end();
    throw refusal;
  };
  const planted = together(
    // A turn on a WebSocket has no separate route.
    decide('findModel', (native) => (id, call) => {
      if (isTurn(call)) stop(call);
      return native(id, call);
    }),
    decide('keyFor', (native) => (secret, call) => {
      const key = native(secret, call);
      if (key !== undefined && isTurn(call)) stop(call);
      return key;
    }),
    handlingAll((handle) => (call, key) => {
      stop(call);
      return handle(call, key);
    }),
  );
  if (silent === undefined) return planted;
  const isBroken = ({ refusal }: { readonly refusal: Refusal | null }): boolean =>
    refusal !== null && broken.has(refusal);
  return together(planted, ({ transport }) => ({
    transport: {
      send: async (out, head, body, context) => {
        if (!isBroken(context)) return transport.send(out, head, body, context);
        silent({ end: () => out.destroy() });
      },
      refuseUpgrade: (socket, head, body) => {
        const isOne = Object.values(head.headers).some((value) => unanswered.has(value));
        if (!isOne) return transport.refuseUpgrade(socket, head, body);
        silent({ end: () => socket.destroy() });
        // After the upgrade, only this ends the connection when the client disconnects.
        socket.on('end', () => socket.destroy()).resume();
      },
      frame: async (socket, text, context) => {
        if (!isBroken(context)) return transport.frame(socket, text, context);
        silent({ end: () => socket.terminate() });
      },
    },
  }));
}

/** Requests that have to be refused, by reason, and the row that requires it. */
const badRequests = [
  ['malformed-json', 'input/requests.malformed-json'],
  ['no-key', 'access/credentials.key-required'],
] as const satisfies readonly (readonly [RefusalReason, string])[];

type BadRequest = (typeof badRequests)[number][0];

/** True for the single operation that shows the fault, so that other operations cause no waits. */
function isStruck({ operation }: Call): boolean {
  return operation === 'messages.create';
}

/** Behaviours in place of a refusal over HTTP. */
const insteadOfRefusing: Readonly<
  Record<string, { readonly does: string; override(reason: BadRequest): Defect['override'] }>
> = {
  hangs: { does: 'never answers', override: (reason) => unrefused(reason, () => {}) },
  ends: {
    does: 'ends at',
    override: (reason) =>
      unrefused(reason, ({ gateway }, out) => {
        gateway.end();
        out.destroy();
      }),
  },
  'bad-gateway': {
    does: 'answers 502 to',
    override: (asked) => statusOf(502, ({ reason }, call) => reason === asked && isStruck(call)),
  },
};

function unrefused(
  reason: BadRequest,
  instead: (call: Call, out: { destroy(): void }) => void,
): Defect['override'] {
  return seam('transport', 'send', (native) => async (out, head, body, context) => {
    const isOne = context.refusal?.reason === reason && isStruck(context.call);
    if (!isOne) return native(out, head, body, context);
    instead(context.call, out);
  });
}

const badRequestFaults: readonly Fault[] = each(
  badRequests.flatMap(([reason, row]) =>
    Object.entries(insteadOfRefusing).map(([name, way]) => ({ reason, row, name, ...way })),
  ),
  ({ reason, override }) => ({
    'outright.{reason}-{name}': { limits: shortTimeOut, override: override(reason) },
  }),
);

const operationFaults: readonly Fault[] = each(
  [...operationRows].flatMap(([operation, row]) =>
    Object.entries<Way>(waysOfBreaking).map(([name, way]) => {
      // Most requests of a run are unstored, so the one that is sent alone in the end may belong to any row.
      const isAny = operation === 'unstored' && name === 'ends';
      return { operation, row: isAny ? 'everywhere/answers.service-goes-on' : row, name, ...way };
    }),
  ),
  ({ operation, limits, ...way }) => {
    const fits = operations[operation];
    if (fits === undefined) {
      throw new Error(`operations.yaml: no operation ${operation} is known`);
    }
    const override = breaking(fits, way);
    return {
      'outright.{operation}-{name}': { ...(limits === undefined ? {} : { limits }), override },
    };
  },
);

/** Leaves an act on a running response without an answer. */
function hangsWhileRunning(
  operation: Parameters<typeof handling>[0],
): Pick<Fault, 'limits' | 'override'> {
  return {
    // The run goes on, and its stream has to end in time.
    limits: { timeoutMs: 12_000 },
    override: handling(operation, (handle) => async (call, key) => {
      const { turn } = call.gateway.store.peek(call.params.id ?? '') ?? {};
      return turn?.finished === false ? new Promise<never>(() => {}) : handle(call, key);
    }),
  };
}

const otherFaults: readonly Fault[] = planted({
  'ended-by.half-request': {
    override: decide('recordsHalfRequest', () => ({ gateway }) => {
      gateway.end();
      return false;
    }),
  },
  'ended-by.bad-frame': {
    override: seam('transport', 'frame', (native) => async (socket, text, context) => {
      const { call, refusal } = context;
      if (refusal?.reason !== 'malformed-json') return native(socket, text, context);
      call.gateway.end();
      socket.terminate();
    }),
  },
  'running.deletion-hangs': hangsWhileRunning('responses.delete'),
  'running.lookup-hangs': hangsWhileRunning('responses.lookup'),
  'running.recovery-hangs': hangsWhileRunning('responses.recover'),
});

export const brokenOperationFaults: readonly Fault[] = [
  ...operationFaults,
  ...badRequestFaults,
  ...otherFaults,
];
