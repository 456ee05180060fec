import type { ExchangeProtocol } from '../core/index.ts';
import { endpointNames, endpoints } from './endpoints.ts';
import { generateStreamCall, generativeCountCall } from './generative/client.ts';
import { protocolModules } from './modules.ts';
import { recoverCall } from './responses/client.ts';

/** Operation and protocol of a request, by the labels of `About`. */
interface Recognised {
  readonly operation: string;
  readonly protocol: ExchangeProtocol;
}

/** Features of a client's request by which its operation is recognised. */
interface Asking {
  readonly method: string;
  /** Below the base address, encoded as it came. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The member `stream` of its body. */
  readonly stream: boolean;
  /** True if the request asks for a WebSocket. */
  readonly upgrade: boolean;
}

const anySegment = 'any-segment';
const anything = {
  model: anySegment,
  id: anySegment,
  maxOutputTokens: 16,
  input: '',
  systemoneBody: {},
};

/** Every action has the alternate path; we send one of them there. */
const alternates = [generateStreamCall, generativeCountCall].map((call) =>
  call({ model: anySegment, alternatePath: true }, {}),
);

/** The endpoints as patterns, made of what we send to them ourselves. */
const patterns = [
  ...endpointNames.map((name) => endpoints[name].call(anything)),
  ...alternates,
].map(({ operation, protocol, method, path, expects }) => {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(anySegment, '[^/?#]+');
  const form = new RegExp(`^${escaped}$`);
  return { operation, protocol, method, form, isLiteral: !path.includes(anySegment), expects };
});

/** Returns the operation of a request that somebody else sent; null if it is not part of the interface. */
export function recognise({ method, path, query, stream, upgrade }: Asking): Recognised | null {
  const fitting = patterns.filter(
    (one) => one.method === method && (one.expects === 'socket') === upgrade && one.form.test(path),
  );
  const found = fitting.find(({ isLiteral }) => isLiteral) ?? fitting[0];
  if (found === undefined) return null;
  const { operation, protocol } = found;
  if (operation === 'responses.lookup' && query.get('stream') === 'true') {
    return { operation: recoverCall('').operation, protocol };
  }
  if (!stream || protocol === 'models' || protocol === 'probe') return { operation, protocol };
  const { mainEndpoint, request } = protocolModules[protocol];
  const isMain = endpoints[mainEndpoint].call(anything).operation === operation;
  const streaming = isMain ? request.streamCall?.({}, anySegment) : undefined;
  // A stream that has a path of its own is asked for by that.
  const isAsked = streaming?.path === endpoints[mainEndpoint].call(anything).path;
  return { operation: isAsked ? (streaming?.operation ?? operation) : operation, protocol };
}
