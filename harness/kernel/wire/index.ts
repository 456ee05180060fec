export { addressOf } from './address.ts';
export { afterReset, isGone } from './after-reset.ts';
export { headerValues, json, text } from './body.ts';
export { certificateFacts, certificatesOf, knownAuthorities } from './certificates.ts';
export { type Clock, startClock } from './clock.ts';
export { BodyDecoder, decodedFrom, withheldIfCoded } from './coding.ts';
export { connectDirectly, trust } from './connection.ts';
export { Connections } from './connections.ts';
export { frameOf } from './conversation.ts';
export { type Carried, curlLine, turnsLine, withoutBody } from './curl.ts';
export { longestStallSince, watchEventLoop } from './event-loop.ts';
export { EventReader, type ServerSentEvent } from './event-reader.ts';
export { brokeUnanswered, gotNothing, mostHeaderBytes, wasWithheld } from './failure.ts';
export { Growing } from './growing.ts';
export { isHeaderValue, isToken } from './header-lines.ts';
export { keyVariable } from './key-variable.ts';
export { type Held, type Hostility, Limiter, type Pacing } from './limiter.ts';
export { KeptConnection } from './line.ts';
export { mostConnections } from './open-files.ts';
export { hostname, isOwnHost } from './own-host.ts';
export { Pace } from './pace.ts';
export { mostPeers } from './peer.ts';
export {
  isLoopbackHost,
  type Proxies,
  proxiesIn,
  proxyAddress,
  proxyFor,
  proxyVariables,
  shownProxy,
} from './proxies.ts';
export { HeardSocket } from './reading/socket-messages.ts';
export { type ReceivedOptions, received, receivedUpgrade } from './received.ts';
export { Reception } from './reception.ts';
export { fromLine, longestLine, peerFrom, peerLine, toLine } from './recording.ts';
export { remembered } from './remembered.ts';
export {
  type Cut,
  defaultMaxBodyBytes,
  defaultMaxFrames,
  shownHeaders,
  type WireOptions,
  type WireRequest,
} from './request.ts';
export { retryAfterMs } from './retry-after.ts';
export type { Routes, TlsMaterial } from './routes.ts';
export { neverOpened, openSocket } from './socket.ts';
export { Spool, spooledFrom } from './spool.ts';
export { serverSentEvents } from './sse.ts';
export { notBegun, OutOfTime } from './stopping.ts';
export { send, unsent } from './transport.ts';
export {
  type CustomHeaders,
  maskedText,
  maskOfVariable,
  type Variables,
  variablesIn,
  withVariables,
} from './variables.ts';
