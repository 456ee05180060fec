import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LiveRun } from '../../../kernel/engine/live-run.ts';
import { Traffic } from '../../../kernel/engine/traffic.ts';
import { Recorder } from '../../../kernel/recordings/recorder.ts';
import { referenceTarget } from '../../../kernel/targets/reference.ts';
import { keyVariable } from '../../../kernel/wire/key-variable.ts';
import { faults } from '../../../proof/faults/index.ts';
import { startReference } from '../../../reference/index.ts';
import { temporaryFolder } from '../../../testing.ts';
import { addPerformed, nothingExplored } from '../finds.ts';
import type { ActsOn, Creates, History } from '../history.ts';
import { judgeOf } from '../judge-history.ts';
import { performIn } from '../perform-in.ts';
import { scriptOfAll } from './script.ts';
import { told } from './tell.ts';

/** A script of a find is a program, which shows the find at a gateway, and its absence at another. */

const folder = temporaryFolder();

const made = (n: number, more: Partial<Creates> = {}): Creates => ({
  ...{ n, actor: 'owner', region: 'eu', kind: 'create', model: 'ts-omni', store: true },
  ...{ mode: 'background', ...more },
});
const act = (n: number, of: number, operation: ActsOn['operation']): ActsOn => ({
  ...{ n, actor: 'owner', region: 'eu', kind: 'act', of, operation, requestMode: 'path' },
});
const history: History = {
  steps: [
    [made(0)],
    [made(1, { mode: 'one-body', previous: 0 }), made(2, { actor: 'otherUser', mode: 'stream' })],
    [act(3, 1, 'delete'), act(4, 0, 'delete')],
    [act(5, 0, 'lookup')],
  ],
};

/**
 * Two turns of a connection, of which another user continues the second over a connection of their own: that has to
 * be denied.
 */
const turns: History = {
  steps: [
    [made(0, { mode: 'websocket', socket: 0 })],
    [made(1, { mode: 'websocket', socket: 0, previous: 0 })],
    [made(2, { mode: 'websocket', previous: 1, actor: 'otherUser' })],
  ],
};

interface Scripted {
  readonly script: string;
  readonly addresses: readonly string[];
  readonly keys: Readonly<Record<string, string>>;
}

async function scripted(fault: string, history: History): Promise<Scripted> {
  const explored = nothingExplored(1);
  const defect = faults.find(({ id }) => id === fault);
  const { target: started, close } = await referenceTarget(defect === undefined ? {} : { defect });
  const target = { ...started, limits: { ...started.limits, consistencyMs: 50 } };
  const run = new LiveRun({
    ...{ target, seed: 1, runId: 'explore-1', stop: new AbortController().signal },
    ...{ traffic: new Traffic(), recorder: new Recorder(null) },
  });
  const sent = await performIn(run, 'explore/1', history);
  const violations = (await judgeOf(target)).violationsIn(sent);
  addPerformed(explored, {
    ...{ name: 'explore/1', number: 1, drawn: true },
    ...{ history, sent, violations },
  });
  await close();
  const [find] = explored.finds;
  if (find !== undefined) find.again = { times: 5, tries: 20 };
  const startedAt = '2025-01-02T03:04:05.000Z';
  const exploration = told(explored, { target, startedAt, durationMs: 1, incomplete: null });
  expect(exploration.verdict).toBe('broken');
  return {
    script: scriptOfAll(exploration.finds),
    addresses: target.regions.map(({ baseUrl }) => baseUrl),
    keys: Object.fromEntries(
      Object.entries(target.keys).map(([name, key]) => [keyVariable(name), key ?? '']),
    ),
  };
}

const inBodies = await scripted('delete.stays-made-by-background', history);

/** Runs the script against the reference gateway, with a defect or without. */
async function repeated(
  { script, addresses, keys }: Scripted,
  fault: string | null,
  environment: Readonly<Record<string, string>> = keys,
) {
  const defect = faults.find(({ id }) => id === fault);
  const gateway = await startReference(defect === undefined ? {} : { defect });
  const file = join(folder, `${fault}.sh`);
  const there = gateway.regions.map(({ baseUrl }) => baseUrl);
  // WebSocket URLs of the gateway are replaced as well.
  const placed = (text: string, from: string, to: string): string =>
    text.replaceAll(from, to).replaceAll(from.replace(/^http/, 'ws'), to.replace(/^http/, 'ws'));
  writeFileSync(
    file,
    addresses.reduce((text, address, at) => placed(text, address, there[at] ?? ''), script),
  );
  const child = spawn('/bin/sh', [file], { env: { PATH: process.env.PATH, ...environment } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  await gateway.close();
  return { code, said };
}

test('it shows the find where it is, with ids that are carried on', async () => {
  expect(inBodies.script).toContain('# It showed in 5 of 20 tries: run it several times.\n');
  expect(inBodies.script).toContain('wait\n');
  expect(await repeated(inBodies, 'delete.stays-made-by-background')).toEqual({
    code: 1,
    said: '1: 200\n2a: 200\n2b: 200\n3a: 200\n3b: 200\n4: 200\n4 was served; has to be: denied (STORE-11)\n',
  });
});

test('and does not where it is not', async () => {
  const { code, said } = await repeated(inBodies, null);
  expect(said).toContain('4 was refused');
  expect(code).toBe(0);
});

test('it has no key, and says which it lacks', async () => {
  for (const key of Object.values(inBodies.keys)) expect(inBodies.script).not.toContain(key);
  const { code, said } = await repeated(inBodies, null, {});
  expect(said).toContain('TOUCHSTONE_KEY');
  expect(code).not.toBe(0);
});

test('turns over a WebSocket are sent, and go on from one another', async () => {
  const fault = 'owners.any-user-continue-websocket';
  const overSocket = await scripted(fault, turns);
  expect(await repeated(overSocket, fault)).toEqual({
    code: 1,
    said: '1: response.completed\n2: response.completed\n3: response.completed\n3 was served; has to be: denied (AUTH-8)\n',
  });
  const { code, said } = await repeated(overSocket, null);
  expect(said).toMatch(
    /^1: response.completed\n2: response.completed\n3: (4..|error)\n3 was refused/,
  );
  expect(code).toBe(0);
  // Without Node the program ends before anything is paid for, though something is called curl.
  writeFileSync(join(folder, 'curl'), '', { mode: 0o755 });
  const withoutNode = await repeated(overSocket, null, { ...overSocket.keys, PATH: folder });
  expect(withoutNode).toEqual({ code: 2, said: 'Needs node, which is not there.\n' });
});
