import { operationRows } from '../../kernel/core/index.ts';
import { type Call, type Defect, Refusal, type RefusalReason } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { handlingAll, seam, statusOf, together } from '../planting.ts';
import type { Fault } from './fault.ts';
import { isTurn, operations } from './operations.ts';
import { each } from './planted.ts';

// A gateway that serves everything but one operation, whoever asks for it. A check whose first step is that
// operation may call this a missing precondition, and a time-out may be one of a busy moment: for each
// operation, in each way in which a gateway can break, there has to be a check that fails.

/** Behaviour of a broken gateway in place of an answer. */
interface Way {
  /** In words, before the name of the operation. */
  readonly does: string;
  readonly reason: 'invalid-value' | 'internal-error';
  /** Over HTTP and over a WebSocket: nothing is written, and this is done with the connection. */
  readonly silent?: (connection: Connection) => void;
  readonly limits?: Fault['limits'];
  /** The whole gateway ends. */
  readonly ends?: true;
}

interface Connection {
  /** Ends it, without a word. */
  end(): void;
}

/** Long for a gateway in this process, and short for who waits for it again and again. */
const shortTimeOut = { timeoutMs: 3_000 };

/** The ways in which an operation can be broken. */
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
  /** Upgrades are refused where only their answer is known. */
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
    // A turn on a WebSocket has no route of its own.
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
        // Once it is upgraded, only this ends it when the client leaves.
        socket.on('end', () => socket.destroy()).resume();
      },
      frame: async (socket, text, context) => {
        if (!isBroken(context)) return transport.frame(socket, text, context);
        silent({ end: () => socket.terminate() });
      },
    },
  }));
}

/** Requests that have to be refused, by the reason for it, and the row that asks for it. */
const badRequests = [
  ['malformed-json', 'input/requests.malformed-json'],
  ['no-key', 'access/credentials.key-required'],
] as const satisfies readonly (readonly [RefusalReason, string])[];

type BadRequest = (typeof badRequests)[number][0];

/** One endpoint shows it, and nobody waits for the others. */
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
    Object.entries<Way>(waysOfBreaking).map(([name, way]) => ({ operation, row, name, ...way })),
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

export const brokenOperationFaults: readonly Fault[] = [...operationFaults, ...badRequestFaults];
