import type { Call, Defect, StoredResponse } from '../../reference/index.ts';
import { bodies, streams, together } from '../planting.ts';
import type { Front } from './front.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** The header in which the balancer says which node it has chosen. */
const nodeHeader = 'x-balancer-node';

/** Sends requests and upgrades to two nodes by turns. A connection stays with its node. */
function balancer(): Front {
  let count = 0;
  return { adds: () => ({ [nodeHeader]: String(count++ % 2) }) };
}

function nodeOf({ headers }: Call): unknown {
  return headers[nodeHeader];
}

/** When something happened at which node. */
interface Event {
  readonly node: unknown;
  readonly at: number;
}

/**
 * Two nodes, and so many milliseconds until one knows what the other did: that a response is there, that it
 * has ended, that it is deleted; of the last it may know later.
 */
export function twoNodes(ms: number, deletedMs = ms): Defect['override'] {
  return lateReads(ms, deletedMs, (call, { node }) => node === nodeOf(call));
}

/**
 * A gateway whose reads lag by `ms`: lookup, recovery, continuation and every other operation on a response
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
            // A second deletion does not begin the wait anew.
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
