import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../reference/call.ts';
import type { Operation } from '../../reference/dialect.ts';
import type { KeyRole } from '../../reference/keys.ts';
import type { Defect } from '../../reference/seams.ts';
import { handlingAll, together } from '../planting.ts';

/** A request about a response, which has been answered. */
export interface Deed {
  /** The id of the response. */
  readonly about: string | null;
  readonly operation: Operation;
  readonly by: KeyRole | null;
  readonly region: string;
  readonly node: number;
  readonly served: boolean;
  /** The how many-th request to the gateway it was. */
  readonly at: number;
}

/** How a response came to be. */
export interface Made {
  readonly id: string;
  readonly call: Call;
  readonly previous: string | null;
  readonly node: number;
  readonly at: number;
}

/** What a faulty gateway has been through so far. What it decides wrongly depends on that. */
export interface Chronicle {
  /** The requests about a response that have been answered, oldest first. */
  on(id: string): readonly Deed[];
  /** All that have been answered, oldest first. */
  readonly deeds: readonly Deed[];
  /** The other requests that have been handled while this one was. */
  beside(call: Call): readonly Call[];
  /** All responses, oldest first. */
  readonly made: ReadonlyMap<string, Made>;
  /** Which of two nodes handles a request: a balancer sends them there by turns. */
  nodeOf(call: Call): number;
  /** The how many-th request to the gateway it is. */
  requestOf(call: Call): number;
}

/** The response that a request is about; null: it is about none. */
export function aboutOf({ params, body }: Call): string | null {
  const { previous_response_id: previous } = body;
  return params.id ?? (typeof previous === 'string' ? previous : null);
}

/**
 * An override that depends on what came before, and on what goes on beside.
 *
 * @param handlingMs how long each request takes at least: nothing goes on beside what takes no time
 */
export function chronicled(
  override: (seen: Chronicle) => Defect['override'],
  handlingMs = 0,
): Defect['override'] {
  return (seams) => {
    const deeds: Deed[] = [];
    const byId = new Map<string, Deed[]>();
    const made = new Map<string, Made>();
    const handled = new Set<Call>();
    // By the object that stays the same while a request is read.
    const overlaps = new WeakMap<object, Set<Call>>();
    const numbers = new WeakMap<object, number>();
    let requests = 0;
    const requestOf = ({ headers }: Call): number => {
      const known = numbers.get(headers);
      if (known !== undefined) return known;
      numbers.set(headers, ++requests);
      return requests;
    };
    const nodeOf = (call: Call): number => requestOf(call) % 2;
    const note = (call: Call, served: boolean): void => {
      const { operation, key, gateway } = call;
      const id = aboutOf(call);
      const deed: Deed = {
        ...{ about: id, operation, by: key?.role ?? null, region: gateway.region },
        ...{ node: nodeOf(call), served, at: requestOf(call) },
      };
      deeds.push(deed);
      if (id !== null) byId.set(id, [...(byId.get(id) ?? []), deed]);
    };
    const watching = together(
      handlingAll((handle) => async (call, key) => {
        if (call.dialect.name !== 'responses') return handle(call, key);
        requestOf(call);
        overlaps.set(call.headers, new Set(handled));
        for (const { headers } of handled) overlaps.get(headers)?.add(call);
        handled.add(call);
        try {
          if (handlingMs > 0) await sleep(handlingMs);
          const answer = await handle(call, key);
          // Until it is written it did not come before.
          setImmediate(note, call, true);
          return answer;
        } catch (error) {
          setImmediate(note, call, false);
          throw error;
        } finally {
          handled.delete(call);
        }
      }),
      ({ encode }) => ({
        encode: {
          id: (prefix, call) => {
            const id = encode.id(prefix, call);
            if (prefix === 'resp_' && call.operation !== 'responses.compact') {
              const previous = aboutOf(call);
              made.set(id, { id, call, previous, node: nodeOf(call), at: requestOf(call) });
            }
            return id;
          },
        },
      }),
    );
    const seen: Chronicle = {
      on: (id) => byId.get(id) ?? [],
      deeds,
      beside: ({ headers }) => [...(overlaps.get(headers) ?? [])],
      made,
      nodeOf,
      requestOf,
    };
    return together(watching, override(seen))(seams);
  };
}
