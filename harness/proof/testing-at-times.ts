import { EventEmitter, once } from 'node:events';
import type { Call } from '../reference/call.ts';
import type { Prompt } from '../reference/engine.ts';
import type { LedgerRecord } from '../reference/ledger.ts';
import { decide, relax } from './decisions.ts';
import type { Fault } from './faults/fault.ts';
import { handlingAll, type Override, together } from './planting.ts';

// Faults that no single run of a few checks shows: intermittent ones, counted in the order of the requests, and
// ones that occur only during the generations of another user. They prove `run --repeat` and `run --under-load`.
// The proof of the checks does not use them, because it judges each gateway once.

/** Creates an override that is wrong whenever `fits` returns true. */
type Wrong = (fits: (call: Call) => boolean, beside: Beside) => Override;

/** Generations of the second user that are being handled. */
interface Beside {
  /** Returns one of several generations, other than this call; undefined if there are fewer. */
  other(call: Call): Call | undefined;
  /** Returns the prompt of a call. */
  promptOf(call: Call): Prompt | undefined;
}

/** Maximum time in milliseconds to wait for requests of others before the answer. */
const longestMs = 300;

/** Returns an override that knows the second user's current generations. */
function besideOthers(override: (beside: Beside) => Override): Override {
  return (seams) => {
    const underWay = new Map<Call['headers'], Call>();
    const arrivals = new EventEmitter();
    arrivals.setMaxListeners(0);
    const prompts = new WeakMap<Call['headers'], Prompt>();
    const watching = together(
      handlingAll((handle) => async (call, key) => {
        const isOther = key.role === 'otherUser' && call.method === 'POST';
        if (!isOther) return handle(call, key);
        underWay.set(call.headers, call);
        arrivals.emit('next');
        try {
          const answer = await handle(call, key);
          // The run continues until two more have arrived, so that any load includes at least two.
          const signal = AbortSignal.timeout(longestMs);
          const next = () => once(arrivals, 'next', { signal });
          await next()
            .then(next)
            .catch(() => undefined);
          return answer;
        } finally {
          underWay.delete(call.headers);
        }
      }),
      decide('generate', (native) => (prompt, call) => {
        if (!prompts.has(call.headers)) prompts.set(call.headers, prompt);
        return native(prompt, call);
      }),
    );
    const beside: Beside = {
      other: ({ headers }) => {
        const others = [...underWay.values()].filter(
          (other) => other.headers !== headers && prompts.has(other.headers),
        );
        return others.length > 1 ? others[0] : undefined;
      },
      promptOf: ({ headers }) => prompts.get(headers),
    };
    return together(watching, override(beside))(seams);
  };
}

/** Returns true every n-th time. */
function oneIn(n: number): () => boolean {
  let count = 0;
  return () => ++count % n === 0;
}

const strangerReads: Wrong = (fits) =>
  relax('isSameUser', ({ operation, call }) => operation === 'lookup' && fits(call));

/** Answers a concurrent prompt of another user, or else the previous prompt. */
const answersAnother: Wrong = (fits, beside) => {
  let before: Prompt | undefined;
  return decide('generate', (native) => (prompt, call) => {
    const other = beside.other(call);
    const instead = other === undefined ? before : beside.promptOf(other);
    before = prompt;
    return native(fits(call) ? { ...prompt, turns: (instead ?? prompt).turns } : prompt, call);
  });
};

const chargesTwice: Wrong = (fits) => {
  const twice = new Set<string | null>();
  const again = (record: LedgerRecord): LedgerRecord => ({ ...record, id: `${record.id}-again` });
  return together(
    decide('read', (native) => (tokens, call) => {
      if (fits(call)) twice.add(call.clientRequestId);
      return native(tokens, call);
    }),
    decide('financialRecords', (native) => (record, gateway) => {
      const all = native(record, gateway);
      return twice.has(record.clientRequestId) ? [...all, ...all.map(again)] : all;
    }),
  );
};

const wrongs = [
  {
    id: 'stranger-reads',
    what: 'another user is served the lookup of a response',
    breaks: ['access/owners.other-user-denied:lookup'],
    wrong: strangerReads,
  },
  {
    id: 'answers-another',
    what: 'an answer is to what somebody else has asked',
    breaks: ['everywhere/content.own-words-only:chat-completions'],
    wrong: answersAnother,
  },
  {
    id: 'charges-twice',
    what: 'a generation is charged twice',
    breaks: ['metering/ledger.charged-once:chat-completions'],
    wrong: chargesTwice,
  },
] as const;

/** More requests than the run of one check decides, and not a multiple of that number. */
const times = 5;

/** Faults that show once in `times` times. */
export const rareFaults: readonly Fault[] = wrongs.map(({ id, what, breaks, wrong }) => ({
  id: `at-times.${id}-once-in-${times}`,
  what: `Once in ${times} times, ${what}.`,
  breaks,
  override: (seams) => {
    const isTime = oneIn(times);
    return besideOthers((beside) => wrong(isTime, { ...beside, other: () => undefined }))(seams);
  },
}));

/** Faults that show only while the second user has several concurrent generations, which no run causes by itself. */
export const loadFaults: readonly Fault[] = wrongs.map(({ id, what, breaks, wrong }) => ({
  id: `at-times.${id}-beside-another`,
  what: `While another user generates twice at once, ${what}.`,
  breaks,
  override: besideOthers((beside) => wrong((call) => beside.other(call) !== undefined, beside)),
}));
