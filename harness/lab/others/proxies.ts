import type { ReferenceGateway } from '../../reference/index.ts';
import {
  type ModelClaims,
  type OtherGateway,
  type Place,
  publishers,
  type Script,
} from './gateway.ts';

/**
 * General proxies with the reference gateway behind them, as their own pages say how: what stands before
 * many a gateway. All that the reference gateway offers has to come through.
 */
interface Proxy extends Pick<OtherGateway, 'name' | 'short' | 'version' | 'beside'> {
  /** Lines that have a proxy listen at `port` of the loopback address and pass all on to `target`. */
  readonly listen: string;
  readonly uses: Script['uses'];
  /** Upgrades do not come through: it says of itself that it passes on HTTP only. */
  readonly httpOnly?: true;
}

function behind({ listen, uses, httpOnly, ...other }: Proxy): OtherGateway {
  return {
    ...other,
    prepare: (place) => ({
      program: { uses, lines: linesOf(listen, place) },
      everyRegion: true,
      target: claimsOf(place.upstream, httpOnly === true ? ['websocket'] : []),
    }),
  };
}

function linesOf(listen: string, { ports, upstream }: Place): string {
  const pairs = upstream.regions.map(({ baseUrl }, index) => [ports[index], baseUrl]);
  return `${listen}\nfor (const [port, target] of ${JSON.stringify(pairs)}) listen(port, target);\n`;
}

/** All that the reference gateway says of itself, but what does not come through. */
function claimsOf(upstream: ReferenceGateway, lost: readonly string[]) {
  const { keys, probes, retentionDays } = upstream;
  const models = upstream.models.map(
    (model): ModelClaims => ({
      ...model,
      supports: model.supports.filter((one) => !lost.includes(one)),
      lacks: [...new Set([...model.lacks, ...lost])],
      deterministic: true,
    }),
  );
  return { names: publishers, keys: { ...keys }, probes, retentionDays, models };
}

export const proxies: readonly OtherGateway[] = [
  behind({
    name: 'http-proxy',
    short: 'http-proxy',
    version: '1.18.1',
    uses: { 'http-proxy': '{ default: httpProxy }' },
    listen: `
const listen = (port, target) => httpProxy.createProxyServer({ target, ws: true }).listen(port);
`,
  }),
  behind({
    name: 'http-proxy-middleware',
    short: 'http-proxy-middleware',
    version: '3.0.10',
    beside: { express: '5.3.0' },
    uses: { express: '{ default: express }', 'http-proxy-middleware': '{ createProxyMiddleware }' },
    listen: `
function listen(port, target) {
  const proxy = createProxyMiddleware({ target, changeOrigin: true });
  express().use(proxy).listen(port).on('upgrade', proxy.upgrade);
}
`,
  }),
  behind({
    name: '@fastify/http-proxy',
    short: 'fastify-http-proxy',
    version: '11.6.3',
    beside: { fastify: '5.12.8' },
    uses: { '@fastify/http-proxy': '{ default: proxy }', fastify: '{ default: fastify }' },
    listen: `
const listen = (port, upstream) =>
  fastify().register(proxy, { upstream, websocket: true, wsClientOptions: { rewriteRequestHeaders } }).listen({ port });
// As it comes, an upgrade takes along nothing but its cookies.
const rewriteRequestHeaders = (headers, { headers: { authorization } }) => ({ ...headers, authorization });
`,
  }),
  behind({
    name: 'express-http-proxy',
    short: 'express-http-proxy',
    version: '2.1.2',
    beside: { express: '5.3.0' },
    httpOnly: true,
    uses: { express: '{ default: express }', 'express-http-proxy': '{ default: proxy }' },
    listen: `
const listen = (port, target) => express().use(proxy(target)).listen(port);
`,
  }),
  behind({
    name: 'configurable-http-proxy',
    short: 'configurable-http-proxy',
    version: '5.3.0',
    uses: { 'configurable-http-proxy': '{ ConfigurableProxy }' },
    listen: `
// As its own program does: an error of a connection would end it.
process.on('uncaughtException', (error) => console.error(error));
const listen = (port, defaultTarget) => new ConfigurableProxy({ defaultTarget }).proxyServer.listen(port);
`,
  }),
  behind({
    name: 'fast-gateway',
    short: 'fast-gateway',
    version: '3.4.7',
    httpOnly: true,
    uses: { 'fast-gateway': '{ default: gateway }' },
    listen: `
const listen = (port, target) => gateway({ routes: [{ prefix: '', target }] }).start(port);
`,
  }),
  behind({
    name: '@hapi/h2o2',
    short: 'h2o2',
    version: '10.0.4',
    beside: { '@hapi/hapi': '21.4.10' },
    httpOnly: true,
    uses: { '@hapi/h2o2': '{ default: h2o2 }', '@hapi/hapi': '{ default: hapi }' },
    listen: `
async function listen(port, target) {
  const server = hapi.server({ port });
  await server.register(h2o2);
  const mapUri = ({ url }) => ({ uri: target + url.pathname + url.search });
  server.route({ method: '*', path: '/{any*}', handler: { proxy: { mapUri, passThrough: true } } });
  await server.start();
}
`,
  }),
  behind({
    name: 'mockttp',
    short: 'mockttp',
    version: '4.6.5',
    uses: { mockttp: '{ getLocal }' },
    listen: `
async function listen(port, target) {
  const server = getLocal();
  await server.start(port);
  await server.forAnyRequest().thenForwardTo(target);
  await server.forAnyWebSocket().thenForwardTo(target);
}
`,
  }),
  behind({
    name: 'llm-debugger',
    short: 'llm-debugger',
    version: '1.0.17',
    httpOnly: true,
    uses: { 'llm-debugger': '{ startProxy }' },
    listen: `
const listen = (port, target) => startProxy({ target, host: '127.0.0.1', port, cache: false });
`,
  }),
];
