import type { Call, KeyRole } from '../../reference/index.ts';
import { aboutOf, type Chronicle, type Deed } from './chronicle.ts';
import type { Fits } from './wrongs.ts';

/** Circumstances in which a faulty gateway decides wrongly. */
export interface Situation {
  readonly id: string;
  /** Start of a sentence in lower case: `after two deletions of it`. */
  readonly what: string;
  /** Creates the predicate for each gateway, so that it may count. */
  readonly when: (seen: Chronicle) => Fits;
  /** Milliseconds that each request takes: only slow requests are concurrent. */
  readonly handlingMs?: number;
}

export type Asked =
  | 'lookup'
  | 'input-items'
  | 'recover'
  | 'cancel'
  | 'delete'
  | 'compact'
  | 'create';

interface Counted {
  readonly by?: KeyRole;
  readonly served?: boolean;
  readonly region?: string;
}

type Request = Pick<Deed, 'operation' | 'by' | 'region' | 'served'>;

function counts(request: Request, asked: Asked, { by, served, region }: Counted = {}): boolean {
  return (
    request.operation === `responses.${asked}` &&
    (by === undefined || request.by === by) &&
    (served === undefined || request.served === served) &&
    (region === undefined || request.region === region)
  );
}

function requestInWords(asked: Asked, { by, served, region }: Counted): string {
  const outcome = served === undefined ? [] : [served ? 'served' : 'refused'];
  return [...outcome, asked, ...(by === undefined ? [] : [`by-${by}`]), ...(region ?? [])].join(
    '-',
  );
}

/** Fits after `k` such requests about the response. */
export function after(k: number, asked: Asked, counted: Counted = {}): Situation {
  const name = requestInWords(asked, counted);
  return {
    id: `${k}-${name}`,
    what: `after ${k} requests for it (${name})`,
    when:
      (seen) =>
      ({ id }) =>
        seen.on(id).filter((deed) => counts(deed, asked, counted)).length >= k,
  };
}

/** Fits if these were the last requests about the response, in this order. */
export function inRow(...row: readonly Asked[]): Situation {
  return {
    id: row.join('-then-'),
    what: `directly after ${row.join(', ')} of it`,
    when:
      (seen) =>
      ({ id }) => {
        const last = seen.on(id).slice(-row.length);
        return last.length === row.length && row.every((asked, index) => isAt(last, index, asked));
      },
  };
}

function isAt(deeds: readonly Deed[], index: number, asked: Asked): boolean {
  const deed = deeds[index];
  return deed !== undefined && counts(deed, asked);
}

/** Fits if the response is at the end of a chain of so many continuations. */
export function deep(k: number): Situation {
  return {
    id: `${k}-turns`,
    what: `where ${k} ${k === 1 ? 'turn' : 'turns'} came before`,
    when:
      (seen) =>
      ({ id }) => {
        let depth = 0;
        for (let at = seen.made.get(id)?.previous; at; at = seen.made.get(at)?.previous) depth++;
        return depth >= k;
      },
  };
}

function childrenOf(id: string, { made }: Chronicle): readonly string[] {
  return [...made.values()].flatMap((one) => (one.previous === id ? one.id : []));
}

/** Fits if this was done to a continuation of the response. */
export function child(asked: Asked): Situation {
  return {
    id: `child-${asked}`,
    what: `after the ${asked} of one that goes on from it`,
    when:
      (seen) =>
      ({ id }) =>
        childrenOf(id, seen).some((one) => happened(one, asked, seen)),
  };
}

/** Fits if this was done to the response that it continues. */
export function parent(asked: Asked): Situation {
  return {
    id: `parent-${asked}`,
    what: `after the ${asked} of the one that it goes on from`,
    when:
      (seen) =>
      ({ id }) => {
        const previous = seen.made.get(id)?.previous;
        return typeof previous === 'string' && happened(previous, asked, seen);
      },
  };
}

function happened(id: string, asked: Asked, seen: Chronicle): boolean {
  return seen.on(id).some((deed) => counts(deed, asked, { served: true }));
}

/** Fits while another request about the response is being handled. */
export function beside(asked: Asked, counted: Counted = {}): Situation {
  const name = requestInWords(asked, counted);
  return {
    id: name,
    what: `beside another request for it (${name})`,
    when: (seen) => (record, call) =>
      seen
        .beside(call)
        .some((other) => aboutOf(other) === record.id && counts(requestOf(other), asked, counted)),
    handlingMs,
  };
}

function requestOf({ operation, key, gateway: { region } }: Call): Request {
  return { operation, by: key?.role ?? null, region, served: true };
}

/** Long enough for requests on a new and an old connection to be concurrent. */
const handlingMs = 15;

export function both(one: Situation, other: Situation): Situation {
  const ms = Math.max(one.handlingMs ?? 0, other.handlingMs ?? 0);
  return {
    id: `${one.id}.${other.id}`,
    what: `${one.what} and ${other.what}`,
    when: (seen) => {
      const [first, second] = [one.when(seen), other.when(seen)];
      return (record, call) => first(record, call) && second(record, call);
    },
    ...(ms === 0 ? {} : { handlingMs: ms }),
  };
}

const anywhere: Situation = { id: 'any', what: 'anywhere', when: () => () => true };

/** Fits every n-th time that it would matter. */
export function oneIn(n: number, situation: Situation = anywhere): Situation {
  return {
    id: `${n}.${situation.id}`,
    what: `one time in ${n} ${situation.what}`,
    when: (seen) => {
      const does = situation.when(seen);
      let count = 0;
      return (record, call) => does(record, call) && ++count % n === 0;
    },
  };
}

/** Fits if another node created the response. */
export const otherNode: Situation = {
  id: 'not-its-own',
  what: 'at the node that did not make it',
  when: (seen) => (record) => {
    const made = seen.made.get(record.id);
    return made !== undefined && made.node !== seen.node;
  },
};

/** Fits from `ms` milliseconds after the creation of the response. */
export function later(ms: number): Situation {
  return {
    id: `${ms}-ms`,
    what: `${ms} ms after it was made`,
    when:
      (seen) =>
      ({ id }) =>
        performance.now() - (seen.made.get(id)?.at ?? Number.POSITIVE_INFINITY) >= ms,
  };
}

/** Fits while so many other responses of the same user, or of another one, are being created. */
export function load(m: number, by: 'same' | 'another' = 'same'): Situation {
  return {
    id: by === 'same' ? `${m}-running` : `${m}-running-of-another`,
    what: `while ${m} others of ${by === 'same' ? 'the' : 'another'} user are being made`,
    when: (seen) => (record, call) => {
      let running = 0;
      for (const id of seen.made.keys()) {
        const other = call.gateway.store.peek(id);
        if (other === undefined || id === record.id) continue;
        if ((other.owner === record.owner) !== (by === 'same')) continue;
        if (other.turn?.finished === false && ++running >= m) return true;
      }
      return false;
    },
  };
}
