import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { serveHttp } from '../../wire/testing-server.ts';
import { outcomeOf } from '../capture.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { liveRun, reference, targetAt } from '../testing.ts';
import { Chains, type Link } from './critical-path.ts';

const none = { requests: 0, generations: 9 };

function named(name: string, after: Record<string, Scenario> = {}): Scenario {
  return scenario(name, { after, cost: none }, async () => undefined);
}

describe('the longest chain', () => {
  test('is made of what waited for one another, in a scenario and in those before it', () => {
    const chains = new Chains();
    const before = named('before');
    const after = named('after', { before });
    chains.link(before, 'main', 'request').waited(0, 100);
    chains.link(before, 'main', 'request').waited(100, 150);
    chains.link(named('other'), 'main', 'request').waited(0, 120);
    chains.link(after, 'main', 'request').waited(200, 210);
    expect(chains.longest).toEqual({ ms: 160, requests: 3, pausesMs: 0 });
  });

  test('has no part for what was asked for at the same time', () => {
    const chains = new Chains();
    const together = named('together');
    const links = Array.from({ length: 5 }, () => chains.link(together, 'main', 'request'));
    // One slot: each waited for the one before, but would not have had to.
    for (const [index, link] of links.entries()) link.waited(index * 10, index * 10 + 10);
    expect(chains.longest).toEqual({ ms: 10, requests: 1, pausesMs: 0 });
  });

  test('goes through one lane, and through what came before and after all lanes', () => {
    const chains = new Chains();
    const lanes = named('lanes');
    const wait = (lane: string, ms: number, kind: Parameters<Chains['link']>[2] = 'request') =>
      chains.link(lanes, lane, kind).waited(0, ms);
    wait('main', 1);
    wait('a', 10);
    wait('b', 200);
    wait('a', 20);
    expect(chains.longest).toMatchObject({ ms: 201, requests: 2 });
    wait('a', 300, 'pause');
    wait('main', 1000, 'turn');
    expect(chains.longest).toEqual({ ms: 1331, requests: 4, pausesMs: 300 });
  });

  test('is not the time of a scenario, which counts once what overlaps, and no gaps', () => {
    const chains = new Chains();
    const polled = named('polled');
    const wait = (lane: string, started: number, ended: number) =>
      chains.link(polled, lane, 'request').waited(started, ended);
    wait('main', 100, 150);
    wait('a', 200, 260);
    wait('b', 210, 230);
    // A stream: to its first event, and then to its end.
    wait('b', 250, 255);
    wait('b', 250, 300);
    chains.link(polled, 'main', 'pause').waited(300, 310);
    expect(chains.durations()).toEqual([{ name: 'polled', durationMs: 160 }]);
  });

  test('goes through what was waited for before what expires', () => {
    const chains = new Chains();
    const control = named('control');
    const made = named('made');
    const run = named('run', { made });
    const acts = named('acts', { run, control });
    chains.link(control, 'main', 'request').waited(0, 500);
    chains.deferred(run, [control], acts);
    chains.deferred(made, [named('quick')], run);
    chains.link(made, 'main', 'request').waited(500, 520);
    chains.link(acts, 'main', 'request').waited(520, 523);
    expect(chains.longest).toEqual({ ms: 523, requests: 3, pausesMs: 0 });
  });

  test('goes on from the first event of a stream', () => {
    const chains = new Chains();
    const beside = named('beside');
    const stream: Link = chains.link(beside, 'main', 'request');
    stream.waited(0, 30);
    chains.link(beside, 'other', 'request').waited(30, 80);
    stream.waited(0, 60);
    expect(chains.longest).toEqual({ ms: 80, requests: 2, pausesMs: 0 });
  });
});

test('of a run is measured without the waiting for slots', async () => {
  const server = await serveHttp(async (_, answer) => {
    await delay(20);
    answer.end('{}');
  });
  const { run, traffic } = liveRun(targetAt(server.url, { concurrency: 1 }));
  const two = (name: string) =>
    scenario(name, { cost: none }, async ({ lists }) => {
      await lists.list();
      await lists.list();
    });
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => outcomeOf(run, two(name))));
  const { requests, spanMs, longestChainMs, longestChainRequests, latencyMs } = traffic.report();
  expect({ requests, longestChainRequests }).toEqual({ requests: 8, longestChainRequests: 2 });
  // Eight that went one after the other: the chain is two of them, whatever the machine does.
  expect(longestChainMs).toBeLessThan(spanMs);
  expect(latencyMs).toBeLessThanOrEqual(spanMs);
  expect(latencyMs).toBeGreaterThan(longestChainMs);
});

test('generations are counted where they are served: streams, failures, turns of a socket', async () => {
  const { target } = await reference({ tokenMs: 0 });
  const { run, traffic } = liveRun(target);
  const websocket = { model: { speaks: 'responses', supports: ['websocket'] } } as const;
  const all = [
    scenario('t/stream', { needs: websocket, cost: none }, ({ responses }) => responses.stream()),
    scenario(
      't/refused',
      { needs: websocket, hostile: 'credentials', cost: none },
      ({ responses }) => responses.create({}, { key: 'unknown' }),
    ),
    scenario('t/list', { cost: none }, ({ lists }) => lists.list()),
    scenario('t/socket', { needs: websocket, cost: none }, ({ ask }) => ask('websocket')),
  ];
  await Promise.all(all.map((each: Scenario) => outcomeOf(run, each)));
  // One of them is the list again: a key was refused.
  expect(traffic.report()).toMatchObject({ requests: 5, generations: 2 });
  expect(traffic.inFlight).toBe(0);
});
