import { type Exchange, textAt } from '../core/index.ts';
import {
  type Baseline,
  type Call,
  type Caller,
  type CallOptions,
  type EndpointName,
  endpoints,
  endsTurn,
  type Fields,
} from '../protocols/index.ts';

export interface Variation {
  readonly model?: string;
  readonly input?: string;
  /** The stored response, for the endpoints that act on one. */
  readonly id?: string;
  /** Changes the call: another body, another path. */
  readonly change?: (call: Call) => Call;
  /** Changes the first frame, if the endpoint is a WebSocket. */
  readonly frame?: (frame: Fields) => object | string | Uint8Array;
}

/** One request to any endpoint; on a WebSocket one turn, if it opens. */
export type Ask = (
  endpoint: EndpointName,
  variation?: Variation,
  options?: CallOptions,
) => Promise<Exchange>;

/** @param ordinary values of the ordinary request, computed for each call */
export function asker(caller: Caller, ordinary: () => Omit<Baseline, 'id'>): Ask {
  return async (name, variation = {}, options = {}) => {
    const endpoint = endpoints[name];
    const { model, input, id, change = (call) => call, frame = (fields) => fields } = variation;
    const values: Baseline = {
      ...ordinary(),
      ...(model === undefined ? {} : { model }),
      ...(input === undefined ? {} : { input }),
      id: id ?? '',
    };
    if (endpoint.actsOn !== 'none' && values.id === '') {
      throw new Error(`A request to ${name} acts on a stored response: name its id`);
    }
    const call = change(endpoint.call(values));
    if (endpoint.frame === null) return caller.send(call, options);
    const session = await caller.open(call, options);
    if (session.opened) {
      session.send(frame(endpoint.frame(values)));
      await session.receive(({ json }) => endsTurn(textAt(json, 'type')));
    }
    return session.exchange();
  };
}
