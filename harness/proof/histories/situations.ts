import type { Operation } from '../../reference/dialect.ts';
import type { KeyRole } from '../../reference/keys.ts';
import { aboutOf, type Chronicle, type Deed } from './chronicle.ts';
import type { Fits } from './wrongs.ts';

/** When a faulty gateway decides wrongly. */
export interface Situation {
  readonly group: Group;
  readonly id: string;
  /** Begins the sentence: `After two deletions of it`. */
  readonly what: string;
  /** Made anew for each gateway, so that it may count. */
  readonly when: (seen: Chronicle) => Fits;
  /** Milliseconds that each request takes: only beside others there is something beside. */
  readonly handlingMs?: number;
}

/** The kinds of situation. */
export const groups = ['after', 'beside', 'one-in', 'node', 'load', 'restart'] as const;
export type Group = (typeof groups)[number];

type Asked = 'lookup' | 'input-items' | 'recover' | 'cancel' | 'delete' | 'compact' | 'create';

const operationOf = (asked: Asked): Operation => `responses.${asked}`;

/** Which requests count. */
interface Counted {
  readonly by?: KeyRole;
  readonly notBy?: KeyRole;
  readonly served?: boolean;
  readonly region?: string;
}

function counts(deed: Deed, asked: Asked, { by, notBy, served, region }: Counted): boolean {
  return (
    deed.operation === operationOf(asked) &&
    (by === undefined || deed.by === by) &&
    (notBy === undefined || deed.by !== notBy) &&
    (served === undefined || deed.served === served) &&
    (region === undefined || deed.region === region)
  );
}

/** Requests about this response came before, so many of the kind. */
export function after(k: number, asked: Asked, counted: Counted = {}): Situation {
  const by = counted.by === undefined ? '' : `-by-${counted.by}`;
  const denied = counted.served === false ? '-denied' : '';
  return {
    group: 'after',
    id: `${k}-${asked}${denied}${by}`,
    what: `After ${k} ${counted.served === false ? 'refused ' : ''}${asked} requests about it`,
    when:
      (seen) =>
      ({ id }) =>
        seen.on(id).filter((deed) => counts(deed, asked, counted)).length >= k,
  };
}

/** It goes on from others, so many one after another. */
export function deep(k: number, further: Partial<Situation> = {}): Situation {
  return {
    group: 'after',
    id: `${k}-turns`,
    what: `Where ${k} turns came before`,
    when:
      (seen) =>
      ({ id }) =>
        depthOf(id, seen) >= k,
    ...further,
  };
}

/** Turns before a response. */
export function depthOf(id: string, { made }: Chronicle): number {
  let depth = 0;
  for (let at = made.get(id)?.previous; at; at = made.get(at)?.previous) depth++;
  return depth;
}

/** Another request about this response is being handled. */
export function beside(asked: Asked, counted: Counted = {}): Situation {
  const by = counted.by === undefined ? '' : `-by-${counted.by}`;
  return {
    group: 'beside',
    id: `${asked}${by}`,
    what: `Beside a ${asked} request about it`,
    when: (seen) => (record, call) =>
      seen.beside(call).some(
        (other) =>
          aboutOf(other) === record.id &&
          counts(
            {
              operation: other.operation,
              by: other.key?.role ?? null,
              region: other.gateway.region,
              node: 0,
              served: counted.served ?? true,
              at: 0,
            },
            asked,
            counted,
          ),
      ),
    handlingMs,
  };
}

/** Long enough for a request on a new connection to come beside one on an old one. */
const handlingMs = 15;

/** The n-th time that it would matter, and every n-th time from then on. */
export function oneIn(n: number, matters: (seen: Chronicle) => Fits, named: string): Situation {
  return {
    group: 'one-in',
    id: `${n}-${named.replaceAll(' ', '-')}`,
    what: `One time in ${n}, ${named}`,
    when: (seen) => {
      const does = matters(seen);
      let count = 0;
      return (record, call) => does(record, call) && ++count % n === 0;
    },
  };
}
