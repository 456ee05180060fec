import type { Call, Defect, StoredResponse } from '../../reference/index.ts';
import { bodies, streams, together } from '../planting.ts';
import type { Front } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Header in which the balancer names the chosen node. */
const nodeHeader = 'x-balancer-node';

/** Returns a balancer that alternates requests and upgrades between two nodes. A connection stays with its node. */
function balancer(): Front {
  let count = 0;
  return { adds: () => ({ [nodeHeader]: String(count++ % 2) }) };
}

function nodeOf({ headers }: Call): unknown {
  return headers[nodeHeader];
}

interface Event {
  readonly node: unknown;
  readonly at: number;
}

/**
 * Returns two nodes with a lag in milliseconds until one knows of the other's creations, ends and deletions;
 * deletions may have a longer lag.
 */
export function twoNodes(ms: number, deletedMs = ms): Defect['override'] {
  return lateReads(ms, deletedMs, (call, { node }) => node === nodeOf(call));
}

/**
 * Returns a gateway whose reads lag by `ms`: lookup, recovery, continuation and every other operation on a response
 * see its creation, its end and its deletion (after `deletedMs`) that much later. `seesAtOnce` exempts a call.
 */
export function lateReads(
  ms: number,
  deletedMs = ms,
  seesAtOnce: (call: Call, event: Event) => boolean = () => false,
): Defect['override'] {
  return (seams) => {
    const made = new Map<string, Event>();
    const ended = new Map<string, Event>();
    const deleted = new Map<string, Event>();
    const here = (call: Call): Event => ({ node: nodeOf(call), at: performance.now() });
    const knows = (call: Call, event: Event | undefined, after = ms): boolean =>
      event === undefined || seesAtOnce(call, event) || performance.now() - event.at >= after;
    const watch = (record: StoredResponse | null): void => {
      const turn = record?.turn;
      if (!turn || ended.has(record.id)) return;
      const end = (): void => {
        ended.set(record.id, { node: made.get(record.id)?.node, at: performance.now() });
      };
      if (turn.finished) end();
      else void turn.run.settled.then(end);
    };
    return together(
      ({ policy, encode }) => ({
        encode: {
          id: (prefix, call) => {
            const id = encode.id(prefix, call);
            made.set(id, here(call));
            return id;
          },
        },
        policy: {
          isStored: (access) =>
            policy.isStored(access) && knows(access.call, made.get(access.record.id)),
          deleteDenies: (record, call) => {
            // A second deletion does not restart the lag.
            if (!deleted.has(record.id)) deleted.set(record.id, here(call));
            return policy.deleteDenies(record, call);
          },
          deleteRemovesContent: () => false,
          isNotDeleted: (access) =>
            policy.isNotDeleted(access) ||
            !knows(access.call, deleted.get(access.record.id), deletedMs),
        },
      }),
      bodies('responses.response', (body, { call, record }) => {
        watch(record);
        const isStale =
          call.operation === 'responses.lookup' &&
          record?.turn?.finished === true &&
          !knows(call, ended.get(record.id));
        if (!isStale) return body;
        const nothing = { completed_at: null, error: null, incomplete_details: null, usage: null };
        return { ...body, ...nothing, status: 'in_progress', output: [] };
      }),
      streams('responses', (events, { record }) => {
        watch(record);
        return events;
      }),
    )(seams);
  };
}

export const balanced: readonly HonestGateway[] = [
  {
    id: 'balancer.two-nodes',
    what: 'A balancer sends requests to two nodes by turns; one knows 300 ms later what the other did.',
    front: balancer,
    override: twoNodes(300),
  },
];
