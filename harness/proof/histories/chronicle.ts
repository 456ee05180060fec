import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Defect, KeyRole, Operation } from '../../reference/index.ts';
import { handlingAll, seam, together } from '../planting.ts';

export interface Deed {
  /** Id of the response that it concerned. */
  readonly about: string | null;
  readonly operation: Operation;
  readonly by: KeyRole | null;
  readonly region: string;
  readonly served: boolean;
}

export interface Made {
  readonly id: string;
  readonly call: Call;
  readonly previous: string | null;
  readonly node: number;
  /** Time of the creation, on the clock of the process. */
  readonly at: number;
}

/** History of a server, on which its wrong decisions depend. */
export interface Chronicle {
  /** Returns the answered requests about a response, oldest first. */
  on(id: string): readonly Deed[];
  /** All answered requests, oldest first. */
  readonly deeds: readonly Deed[];
  /** Returns the other requests that were handled concurrently with this one. */
  beside(call: Call): readonly Call[];
  /** All responses, oldest first, including those of other nodes. */
  readonly made: ReadonlyMap<string, Made>;
  /** Index of the node, if there are several. */
  readonly node: number;
}

/** Returns the id of the response that a request concerns, or null. */
export function aboutOf({ params, body }: Call): string | null {
  const { previous_response_id: previous } = body;
  return params.id ?? (typeof previous === 'string' ? previous : null);
}

interface Chronicled {
  /** Minimum duration of each request in milliseconds, so that requests can overlap. */
  readonly handlingMs?: number;
  readonly node?: number;
  /** Responses of all nodes of one gateway. */
  readonly made?: Map<string, Made>;
}

export function chronicled(
  override: (seen: Chronicle) => Defect['override'],
  { handlingMs = 0, node = 0, made = new Map<string, Made>() }: Chronicled = {},
): Defect['override'] {
  return (seams) => {
    const deeds: Deed[] = [];
    const byId = new Map<string, Deed[]>();
    const handled = new Set<Call>();
    // Keyed by the object that identifies a request while it is read.
    const overlaps = new WeakMap<object, Set<Call>>();
    const note = (call: Call, served: boolean): void => {
      const { operation, key, gateway } = call;
      const id = aboutOf(call);
      const deed: Deed = {
        ...{ about: id, operation, by: key?.role ?? null, region: gateway.region },
        served,
      };
      deeds.push(deed);
      if (id !== null) byId.set(id, [...(byId.get(id) ?? []), deed]);
    };
    const watching = together(
      handlingAll((handle) => async (call, key) => {
        overlaps.set(call.headers, new Set(handled));
        for (const { headers } of handled) overlaps.get(headers)?.add(call);
        handled.add(call);
        try {
          if (handlingMs > 0) await sleep(handlingMs);
          const answer = await handle(call, key);
          // A request counts as earlier only after its answer was written.
          setImmediate(note, call, true);
          return answer;
        } catch (error) {
          setImmediate(note, call, false);
          throw error;
        } finally {
          handled.delete(call);
        }
      }),
      seam('encode', 'id', (native) => (prefix, call) => {
        const id = native(prefix, call);
        if (prefix === 'resp_' && call.operation !== 'responses.compact') {
          const previous = aboutOf(call);
          made.set(id, { id, call, previous, node, at: performance.now() });
        }
        return id;
      }),
    );
    const seen: Chronicle = {
      on: (id) => byId.get(id) ?? [],
      deeds,
      beside: ({ headers }) => [...(overlaps.get(headers) ?? [])],
      made,
      node,
    };
    return together(watching, override(seen))(seams);
  };
}
