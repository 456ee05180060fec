import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attend,
  Database,
  type Defect,
  startBalancer,
  startReference,
  type Upstream,
} from '../../reference/index.ts';
import { restored, type Saved, savedOf } from './saved.ts';
import { describeBalanced, type Started, upstreamOf } from './two-nodes.ts';

interface RestartingOptions {
  readonly defect?: Defect;
  /** Returns the data that is written to the file. Default: all. */
  readonly saves?: (saved: Saved) => unknown;
  /** Returns the data that is read from the file. Default: as written. */
  readonly reads?: (saved: Saved) => Saved;
  /** Number of requests between exits. Default: it does not exit. */
  readonly every?: number;
  /**
   * Form of the exit. `drained`: it answers the requests in flight, and new requests wait for the restart. `killed`: it
   * cuts the requests in flight, and nothing listens for a moment. `gone`: like `killed`, but without a restart.
   */
  readonly how?: 'drained' | 'killed' | 'gone';
}

export interface Restarting extends Started {
  restart(): Promise<void>;
  readonly restarts: number;
}

/** Maximum time in milliseconds to answer the requests in flight, after which open sockets are cut. */
const drainMs = 1_000;

/** Milliseconds without a listener. */
const goneMs = 15;

/**
 * Starts a gateway that exits and restarts: its whole state passes through a file. A balancer in front of it keeps
 * running.
 */
export async function startRestarting({
  defect,
  saves = (saved) => saved,
  reads = (saved) => saved,
  every = Number.POSITIVE_INFINITY,
  how = 'drained',
}: RestartingOptions): Promise<Restarting> {
  const file = join(tmpdir(), `touchstone-restart-${randomUUID()}.json`);
  const asked = new Set<object>();
  let requests = 0;
  let restarts = 0;
  let database = new Database();
  let closing = new AbortController();
  let ready: Promise<void> | null = null;
  const came = (one: { once(event: 'close', ended: () => void): unknown }): void => {
    asked.add(one);
    one.once('close', () => asked.delete(one));
    if (++requests % every === 0) void restart();
  };
  const attend: Attend = {
    request: (_request, out) => came(out),
    upgrade: (_request, socket: Duplex) => came(socket),
  };
  const start = () => startReference({ database, attend, ...(defect && { defect }) });
  let node = await start();
  const { regions } = node;
  const upstreams: Upstream[][] = regions.map(({ baseUrl }) => [upstreamOf(baseUrl)]);
  const balancers = await Promise.all(
    upstreams.map((list) =>
      startBalancer(list, {
        choose: () => (ready === null || how !== 'drained' ? 0 : ready.then(() => 0)),
      }),
    ),
  );

  async function drained(): Promise<void> {
    const until = performance.now() + drainMs;
    while (asked.size > 0 && performance.now() < until) await sleep(1);
  }

  async function again(): Promise<void> {
    if (how === 'drained') await drained();
    writeFileSync(file, JSON.stringify(saves(savedOf(database))));
    closing.abort();
    await node.close();
    restarts++;
    if (how === 'gone') return;
    if (how === 'killed') await sleep(goneMs);
    closing = new AbortController();
    database = restored(reads(JSON.parse(readFileSync(file, 'utf8'))), closing.signal);
    node = await start();
    for (const [index, list] of upstreams.entries()) {
      list[0] = upstreamOf(node.regions[index]?.baseUrl ?? '');
    }
  }

  function restart(): Promise<void> {
    ready ??= again().finally(() => {
      ready = null;
    });
    return ready;
  }

  return {
    target: describeBalanced(node, balancers),
    restart,
    get restarts() {
      return restarts;
    },
    async close() {
      await ready;
      await Promise.all(balancers.map((one) => one.close()));
      closing.abort();
      await node.close();
      rmSync(file, { force: true });
    },
  };
}
