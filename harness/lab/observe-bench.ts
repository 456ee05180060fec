import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { parse } from 'yaml';

/** Milliseconds for one request of a kind, the middle one of all and the one that 99 of 100 do not reach. */
interface Spread {
  readonly median: number;
  readonly p99: number;
}

interface ObserveOverhead {
  readonly direct: Spread;
  /** Through a proxy that passes bytes on, and does nothing else. */
  readonly plain: Spread;
  readonly observed: Spread;
}

const warmUp = 100;

/**
 * Measures what `touchstone observe` adds to a request, compared with a plain proxy. The requests take the
 * three ways in turns, so that other load of the machine affects all of them alike.
 *
 * @param script the main.js of the command
 * @param file the target file of a gateway that runs
 */
export async function observeOverhead(
  script: string,
  file: string,
  requests: number,
): Promise<ObserveOverhead> {
  const { regions, keys } = parse(readFileSync(file, 'utf8'));
  const gateway: string = regions[0].baseUrl;
  const plain = await plainProxy(gateway);
  const observer = spawn(
    process.execPath,
    [script, 'observe', '--target', file, '--listen', '0', '--quiet'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const observed = await listening(observer);
    const agent = new Agent({ keepAlive: true });
    const ways = { direct: gateway, plain: plain.url, observed };
    const took = { direct: [], plain: [], observed: [] } as Record<keyof typeof ways, number[]>;
    for (let count = 0; count < warmUp + requests; count++) {
      for (const way of ['direct', 'plain', 'observed'] as const) {
        const started = performance.now();
        await generate(ways[way], keys.owner, agent);
        if (count >= warmUp) took[way].push(performance.now() - started);
      }
    }
    agent.destroy();
    return {
      direct: spreadOf(took.direct),
      plain: spreadOf(took.plain),
      observed: spreadOf(took.observed),
    };
  } finally {
    plain.close();
    observer.kill('SIGINT');
    await once(observer, 'exit');
  }
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

async function listening({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const piece of stdout ?? []) {
    text += piece;
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+) {2}→/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`touchstone observe does not listen: ${text}`);
}

function generate(url: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => answer.resume().on('end', resolve));
    const messages = [{ role: 'user', content: 'Say something.' }];
    sent.end(JSON.stringify({ model: 'ts-omni', max_completion_tokens: 16, messages }));
  });
}

async function plainProxy(gateway: string): Promise<{ readonly url: string; close(): void }> {
  const { hostname, port } = new URL(gateway);
  const server = createServer({ noDelay: true }, (client) => {
    const there = connect({ host: hostname, port: Number(port), noDelay: true });
    client.pipe(there).pipe(client);
    for (const socket of [client, there]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, close: () => void server.close() };
}
