import type { Exchange } from '../core/index.ts';
import type { Call, Caller, CallOptions, SocketSession } from './call.ts';

/** Sends requests that no client would: any method, any path, any bytes. */
export interface RawClient {
  /** Sends a call. Defaults: a POST of the Responses protocol to `/v1/responses`, without a body. */
  send(call: Partial<Call>, options?: CallOptions): Promise<Exchange>;
  open(call: Partial<Call>, options?: CallOptions): Promise<SocketSession>;
}

export function rawClient(caller: Caller): RawClient {
  return {
    send: (call, options) => caller.send({ ...baseline, ...call }, options),
    open: (call, options) =>
      caller.open({ ...baseline, method: 'GET', expects: 'socket', ...call }, options),
  };
}

const baseline: Call = {
  operation: 'raw',
  protocol: 'responses',
  method: 'POST',
  path: '/v1/responses',
  expects: 'json',
};
