import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { formatId } from '../core/exchange-id.ts';
import { packageRoot } from '../core/package-root.ts';
import { readRecording } from '../recordings/recording.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { listening } from '../wire/testing-server.ts';
import { type Ended, inProcess, canaryKeys as keys, writtenBy } from './testing.ts';

/** The command as users have it: compiled, in a process of its own. */
const script = join(packageRoot, 'dist', 'harness', 'main.js');
const folder = temporaryFolder();

const children: ChildProcess[] = [];

if (!existsSync(script)) throw new Error(`There is no ${script}: run \`npm run build\` first`);
const gateway = await startReference({ keys });
const targetFile = join(folder, 'target.yaml');
let text = targetFileOf(gateway);
for (const [name, key] of Object.entries(keys)) text = text.replace(key, `\${${name}}`);
writeFileSync(targetFile, text);
afterAll(() => gateway.close());
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts the command with the keys in its environment, as the target file wants them. */
function start(line: string, environment: NodeJS.ProcessEnv = {}, before: string[] = []) {
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [...before, script, ...line.split(' ')], {
    cwd: folder,
    env: { ...inherited, GITHUB_ACTIONS: '', CI: '', ...keys, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const written = writtenBy(child);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...written }));
  });
  return { child, written, ended };
}

function call(line: string, environment?: NodeJS.ProcessEnv): Promise<Ended> {
  return start(line, environment).ended;
}

/** A server that is no gateway; gives its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return `http://127.0.0.1:${await listening(server)}`;
}

const byUrl = (url: string): string => `run --base-url ${url} --model m`;
const withKey = { TOUCHSTONE_KEY: keys.owner };

test('a build leaves it executable: npx in a clone calls it by its path', () => {
  expect(() => accessSync(script, constants.X_OK)).not.toThrow();
});

describe('a run', () => {
  test('of some checks passes them, and is partial', async () => {
    const { code, out, err } = await call('demo generation/responses.shape --seed 7');
    expect(err).toBe('');
    expect(out).toContain('Touchstone 0.');
    expect(out).toContain('1 passed');
    expect(out).toContain('PARTIAL');
    expect(out).toContain('Seed 7.');
    expect(out).toMatch(/Yours: .+ init --base-url URL/);
    expect(out).not.toContain('\u001b');
    expect(code).toBe(2);
  });

  test('calls the gateway of a target file, and no key leaves the process', async () => {
    const files = ['json', 'junit', 'markdown', 'ctrf', 'badge', 'record'].map((name) => ({
      name,
      file: join(folder, 'reports', `report.${name}`),
    }));
    const before = gateway.requestCount();
    const options = files.map(({ name, file }) => `--${name} ${file}`).join(' ');
    const { code, out, err } = await call(
      `run --target ${targetFile} generation/responses storage/responses --seed 1 --github ${options}`,
    );
    expect(gateway.requestCount()).toBeGreaterThan(before + 2);
    expect([0, 1, 2]).toContain(code);
    const written = files.map(({ file }) => readFileSync(file, 'utf8'));
    expect(written.every((text) => text.length > 100)).toBe(true);
    for (const text of [out, err, ...written]) {
      expect(text).not.toMatch(/canary-(owner|same|other|restricted)/);
    }
    const report = JSON.parse(written[0] ?? '');
    expect(report).toMatchObject({
      format: 'gateway-touchstone/report',
      target: { name: 'served', regions: gateway.regions },
      filters: ['generation/responses', 'storage/responses'],
      interrupted: false,
    });
    expect(report.counts.pass).toBeGreaterThan(0);
    expect(report.traffic.requests).toBeGreaterThan(0);
    // The first line says how the others were made, and some with whom.
    const lines = written[5]?.trimEnd().split('\n').slice(1) ?? [];
    const exchanges = lines.filter((line) => !line.startsWith('{"peer":'));
    expect(exchanges).toHaveLength(report.traffic.requests);
  });

  test('repeats itself under a seed', async () => {
    const bodies = async (name: string): Promise<string[]> => {
      const file = join(folder, name);
      await inProcess(
        `run --target ${targetFile} generation/responses --seed 5 --record ${file}`,
        keys,
      );
      const { exchanges } = readRecording(file);
      return exchanges
        .map(({ id, request }) => `${formatId(id)} ${Buffer.from(request.body ?? []).toString()}`)
        .sort();
    };
    const first = await bodies('first.jsonl');
    expect(first.length).toBeGreaterThan(0);
    expect(await bodies('second.jsonl')).toEqual(first);
  });
});

describe('a target that cannot be judged exits with 4', () => {
  test.each<[string, RequestListener, string]>([
    ['refuses the key', (_, answer) => answer.writeHead(401).end('{}'), "refuses the owner's key"],
    ['is a web page', (_, answer) => answer.end('<!doctype html><p>Hi'), 'is a web page'],
    ['redirects', (_, answer) => answer.writeHead(302, { location: '/x' }).end(), 'redirects'],
    ['hangs up', (request) => request.socket.destroy(), 'cannot be reached'],
    [
      'speaks no HTTP',
      (request) => request.socket.end('220 smtp ready\r\n'),
      'does not speak HTTP',
    ],
  ])('%s', async (_, listener, message) => {
    let requests = 0;
    const url = await serve((request, answer) => {
      requests++;
      listener(request, answer);
    });
    const { code, out, err } = await inProcess(byUrl(url), withKey);
    expect(err).toContain(message);
    expect(err).not.toContain('canary');
    expect(out).toBe('');
    expect(code).toBe(4);
    expect(requests).toBe(1);
  });
});

describe('Ctrl-C', () => {
  test('twice: ends at once', async () => {
    let requests = 0;
    const url = await serve((request, answer) => {
      requests++;
      if (request.method === 'GET') answer.end('{"object":"list","data":[]}');
    });
    const { child, written, ended } = start(`${byUrl(url)} generation/responses`, withKey);
    await expect.poll(() => requests).toBeGreaterThan(1);
    // A closed terminal sends SIGHUP.
    child.kill('SIGHUP');
    await expect.poll(() => written.err).toContain('Ctrl-C again exits at once');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });
});

test('a reader that has enough is no error', async () => {
  const { child, written, ended } = start('list --json');
  child.stdout?.destroy();
  expect((await ended).code).toBe(0);
  expect(written.err).toBe('');
});

test.skipIf(!existsSync('/dev/full'))('what this machine lacks is no verdict', async () => {
  const shell = (line: string): Promise<Ended> => {
    const child = spawn('sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    const written = writtenBy(child);
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...written })));
  };
  const list = `${process.execPath} ${script} list generation/`;
  const [full, untold, unloaded] = await Promise.all([
    shell(`${list} >/dev/full`),
    shell(`${list} no/such 2>/dev/full`),
    shell(`ulimit -n 24 && ${list}`),
  ]);
  expect(full.err).toContain('Not everything could be written to standard output: ENOSPC');
  expect(unloaded.err).toMatch(/EMFILE.*ulimit -a`\)\n$/);
  expect([full.code, untold.code, unloaded.code]).toEqual([5, 3, 5]);
});

test('an older Node is told what it needs, before anything is loaded', async () => {
  const old =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"18.19.0"}})';
  const { ended } = start('run', {}, ['--import', old]);
  const { code, err } = await ended;
  expect(err).toContain('Touchstone needs Node 20.19 or newer');
  expect(code).toBe(3);
});

test('in GitHub Actions what a report quotes is no command', async () => {
  const { out } = await call('run generation/responses.shape', { GITHUB_ACTIONS: 'true' });
  const lines = out.trimEnd().split('\n');
  const mark = /^::stop-commands::(.+)$/.exec(lines[0] ?? '')?.[1];
  expect(mark).toHaveLength(36);
  expect(lines.at(-1)).toBe(`::${mark}::`);
});
