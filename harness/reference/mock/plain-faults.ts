import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Defect } from '../seams.ts';
import { affected } from './effect.ts';
import { failing, hasEvents } from './late-error.ts';
import type { Effect } from './note.ts';

interface PlainFault {
  /** Syntax of the name: `cut:<n>`. */
  readonly form: string;
  readonly what: string;
  readonly pattern: RegExp;
  override(given: readonly string[]): Defect['override'];
}

/** Faults that occur at every gateway from time to time, for any request. */
const plainFaults: readonly PlainFault[] = [
  {
    form: 'status:<n>[:<s>]',
    what: 'Refuses with this status, 400 to 599, in the words of the protocol; 429 and 503 with `Retry-After`, of one second or as many as are given.',
    pattern: /^status:([45]\d\d)(?::(\d{1,5}))?$/,
    override: ([status = '', seconds]) => refusing(Number(status), seconds),
  },
  {
    form: 'error:<n>[:<status>]',
    what: 'After so many events of a stream, an error of this status (500) comes in the place of the rest, in the words of the protocol; a body is refused with it.',
    pattern: /^error:(\d{1,6})(?::([45]\d\d))?$/,
    override: ([after = '', status = '500']) => failingLate(Number(after), Number(status)),
  },
  {
    form: 'cut:<n>',
    what: 'Closes the connection after so many events of a stream, or half of a body.',
    pattern: /^cut:(\d{1,6})$/,
    override: ([events = '']) => withEffect({ end: 'cut', after: { events: Number(events) } }),
  },
  {
    form: 'cut:<n>b',
    what: 'Closes the connection after so many bytes of a body or a stream.',
    pattern: /^cut:(\d{1,9})b$/,
    override: ([bytes = '']) => withEffect({ end: 'cut', after: { bytes: Number(bytes) } }),
  },
  {
    form: 'stall:<n>',
    what: 'Sends nothing more after so many events of a stream, or half of a body, and keeps the connection open.',
    pattern: /^stall:(\d{1,6})$/,
    override: ([events = '']) => withEffect({ end: 'stall', after: { events: Number(events) } }),
  },
  {
    form: 'reset',
    what: 'Resets the connection in the place of an answer.',
    pattern: /^reset$/,
    override: () => withEffect({ end: 'reset' }),
  },
  {
    form: 'slow:<ms>',
    what: 'Waits so many milliseconds before a body, and before each event of a stream.',
    pattern: /^slow:(\d{1,6})$/,
    override: ([ms = '']) => withEffect({ slowMs: Number(ms) }),
  },
];

/** Form and description of each plain fault. */
export const plainForms: readonly Pick<PlainFault, 'form' | 'what'>[] = plainFaults;

/** Returns the fault of this name; undefined if none matches. */
export function plainFault(id: string): Defect | undefined {
  for (const { pattern, what, override } of plainFaults) {
    const given = pattern.exec(id);
    if (given !== null) return { id, what, override: override(given.slice(1)) };
  }
  return undefined;
}

/** Returns a refusal that is independent of the request. */
export function refusalWith(
  status: number,
  told: { readonly message?: string; readonly type?: string; readonly code?: string } = {},
  retryAfter?: string,
): Refusal {
  const { message = `The mock was asked for status ${status}.`, ...named } = told;
  const usual = status === 429 || status === 503 ? '1' : undefined;
  const seconds = retryAfter ?? usual;
  const headers = seconds === undefined ? {} : { 'retry-after': seconds };
  return new Refusal('on-purpose', message, null, headers, { status, ...named });
}

function refusing(status: number, seconds: string | undefined): Defect['override'] {
  return refusingWhere(
    () => true,
    () => refusalWith(status, {}, seconds),
  );
}

function failingLate(after: number, status: number): Defect['override'] {
  const refusal = (): Refusal => refusalWith(status);
  const bodies = refusingWhere((call) => !hasEvents(call), refusal);
  return (seams) => ({
    ...bodies(seams),
    frames: failing(seams.frames, () => ({ after, refusal: refusal() })),
  });
}

function refusingWhere(
  isRefused: (call: Call) => boolean,
  refusal: () => Refusal,
): Defect['override'] {
  return ({ endpoints, policy }) => ({
    endpoints: {
      routes: (dialect) =>
        endpoints.routes(dialect).map((route) => ({
          ...route,
          handle(call, key) {
            if (isRefused(call)) throw refusal();
            return route.handle(call, key);
          },
        })),
    },
    // The turns of a WebSocket have no route.
    policy: {
      generate(prompt, call) {
        if (call.operation === 'responses.websocket') throw refusal();
        return policy.generate(prompt, call);
      },
    },
  });
}

function withEffect(effect: Effect): Defect['override'] {
  return ({ transport }) => ({ transport: affected(transport, () => effect) });
}
