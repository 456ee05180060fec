import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { CheckResult, RunResult } from '../../../kernel/core/index.ts';
import { run } from '../../../kernel/engine/index.ts';
import { type Target, withDefaults } from '../../../kernel/targets/index.ts';
import { type RunningProxy, type Seams, startProxy } from './testing-proxy.ts';

const clientKey = 'sk-client-of-the-proxy-0001';
const providerKey = 'sk-provider-of-the-proxy-0002';

/** The routes of the proxy: each protocol to itself and to the other one. */
const routes = [
  { model: 'ts-chat', asks: 'chat', as: 'prov-chat', speaks: 'chat' },
  { model: 'ts-messages', asks: 'messages', as: 'prov-messages', speaks: 'vendorA-messages' },
  { model: 'ts-chat-x', asks: 'messages', as: 'prov-x', speaks: 'chat' },
  { model: 'ts-messages-x', asks: 'chat', as: 'prov-y', speaks: 'vendorA-messages' },
] as const;

/** Tests run beside each other in threads and processes: each begins elsewhere. */
let ports = randomInt(20_000);

/** Returns a free port below those that systems hand out, so that nobody gets it before the provider listens. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + (ports++ % 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

interface Judging {
  readonly seams?: Partial<Seams>;
  readonly filters?: readonly string[];
  readonly gateway?: Target['gateway'];
  readonly recording?: string;
  readonly seed?: number;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
  /** Address of another provider. Default: the one that Touchstone plays. */
  readonly elsewhere?: string;
}

/** Starts the proxy with a provider that Touchstone plays, and judges it. */
export async function judgeProxy({
  seams = {},
  filters = ['provider/'],
  gateway,
  recording,
  seed = 1,
  elsewhere,
  timeoutMs = 15_000,
}: Judging = {}): Promise<RunResult> {
  const port = await freePort();
  const proxy = await startProxy({
    ...{ routes, clientKey, providerKey, seams },
    provider: () => elsewhere ?? `http://127.0.0.1:${port}`,
  });
  try {
    const usual = targetOf(proxy, port, gateway);
    const target = { ...usual, limits: { ...usual.limits, timeoutMs } };
    return await run({ target, seed, filters, ...(recording === undefined ? {} : { recording }) });
  } finally {
    await proxy.close();
  }
}

function targetOf({ baseUrl }: RunningProxy, port: number, gateway?: Target['gateway']): Target {
  return withDefaults(
    {
      regions: [{ name: 'front', baseUrl }],
      names: { vendorA: 'anthropic' },
      keys: { owner: clientKey },
      models: routes.map(({ model, speaks }) => ({ id: model, protocols: [speaks] })),
      providers: {
        listen: [{ name: 'a', at: `127.0.0.1:${port}` }],
        keys: { a: providerKey },
        routes: routes.map(({ model, asks, as }) => ({
          ...{ model, as, at: ['a'] },
          asks: asks === 'chat' ? 'chat' : 'vendorA-messages',
        })),
      },
      limits: { concurrency: 32 },
      ...(gateway === undefined ? {} : { gateway }),
    },
    'proxy',
  );
}

/** Returns the checks that did not hold, by id. */
export function brokenIn({ checks }: RunResult): readonly CheckResult[] {
  return checks.filter(({ verdict }) => verdict.state === 'fail' || verdict.state === 'warn');
}
