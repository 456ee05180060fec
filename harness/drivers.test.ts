import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { adapterFile, adapterNames } from './features/client/adapters.ts';
import { environmentOf } from './features/client/asked.ts';
import { clientOutcomes, clientTasks } from './features/sessions/session.ts';
import type { Ended } from './kernel/cli/testing.ts';
import { packageRoot } from './kernel/core/package-root.ts';
import { protocols } from './kernel/core/protocol.ts';
import { listening } from './kernel/wire/testing-server.ts';
import { startReference } from './reference/index.ts';
import { temporaryFolder } from './testing.ts';

/** `fixtures/clients/`: the contract of drivers, and the drivers of well-known clients. */
const folder = join(packageRoot, 'fixtures', 'clients');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Task {
  readonly task: string;
  readonly protocol: string;
  readonly [member: string]: unknown;
}
interface Answer {
  readonly outcome?: string;
  readonly text?: string;
  readonly id?: string;
  readonly status?: string;
  readonly tokens?: number;
  readonly models?: readonly string[];
  readonly error?: { readonly status?: number; readonly message: string };
  readonly unsupported?: true;
}
interface Driver {
  readonly name: string;
  readonly speaks: readonly string[];
  readonly tasks: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly connect: unknown;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const taskSchema = JSON.parse(read('task.schema.json'));
const isTask = ajv.compile(taskSchema);
const isAnswer = ajv.compile(JSON.parse(read('answer.schema.json')));
const { task: taskNames, protocol: protocolNames } = taskSchema.properties;
const everyTask = taskNames.oneOf.map(({ const: name }: { const: string }) => name);

const drivers: readonly Driver[] = await Promise.all(
  adapterNames().map(async (name) => {
    const { tasks, connect } = await import(pathToFileURL(adapterFile(name)).href);
    return { name, speaks: Object.keys(tasks), tasks, connect };
  }),
);
const { perform } = await import(pathToFileURL(join(folder, 'driver.mjs')).href);

test('the schemas and the page say what Touchstone says and reads', () => {
  expect(everyTask).toEqual([...clientTasks]);
  expect(protocolNames.enum).toEqual([...protocols]);
  expect(JSON.parse(read('answer.schema.json')).properties.outcome.enum).toEqual([
    ...clientOutcomes,
  ]);
  const told = { baseUrl: '', key: '', model: '', prompt: '', protocol: '', stream: false };
  const page = read('README.md');
  for (const name of Object.keys(environmentOf(told, {}, null))) {
    if (name !== 'NO_PROXY') expect(page).toContain(`\`${name}\``);
  }
});

/** Settings that a client needs for the reference gateway. All other clients use their defaults. */
const needs: Readonly<Record<string, string>> = {
  // The client sends its key as a Bearer token, and not in the header of Messages.
  anthropic: `
    import { Anthropic } from '@anthropic-ai/sdk';
    export default ({ baseUrl, key }) => new Anthropic({
      baseURL: baseUrl, apiKey: key, defaultHeaders: { 'x-api-key': key },
    });`,
};

const gateway = await startReference({
  names: { vendorA: 'anthropic', vendorB: 'goog' },
  pathPrefix: '/s/one',
  tokenMs: 1,
});
const baseUrl = gateway.regions[0]?.baseUrl ?? '';
// In the repository, so that what is in it finds the clients that are installed there.
const place = mkdtempSync(join(packageRoot, 'node_modules', '.touchstone-drivers-'));
afterAll(async () => {
  rmSync(place, { recursive: true, force: true });
  await gateway.close();
});

/** A file as users name it with `--with`. */
function withFile(source: string): string {
  const file = join(place, `${Math.random()}.mjs`);
  writeFileSync(file, source);
  return file;
}

interface Circumstances {
  readonly cwd?: string;
  readonly own?: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program as `touchstone client` does, with a line on its standard input. */
async function start(
  line: readonly string[],
  input: string,
  { cwd = packageRoot, own = '', environment = {} }: Circumstances = {},
): Promise<Ended> {
  const [command = '', ...parameters] = line;
  const child = spawn(command, parameters, {
    cwd,
    env: { PATH: process.env.PATH, TOUCHSTONE_WITH: own, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {}).end(`${input}\n`);
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'exit'),
  ]);
  return { code: child.exitCode, out, err };
}

function taskLine(task: Task): string {
  const whole = {
    baseUrl,
    key: gateway.keys.owner,
    model: 'ts-omni',
    prompt: 'Describe a tulip.',
    stream: false,
    maxOutputTokens: 64,
    regions: Object.fromEntries(gateway.regions.map(({ name, baseUrl }) => [name, baseUrl])),
    ...task,
  };
  expect(isTask(whole), ajv.errorsText(isTask.errors)).toBe(true);
  return JSON.stringify(whole);
}

async function ask(name: string, task: Task, circumstances: Circumstances = {}): Promise<Answer> {
  const program = [process.execPath, adapterFile(name)];
  const { code, out, err } = await start(program, taskLine(task), circumstances);
  expect(code, err).toBe(0);
  const answer: Answer = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  expect(isAnswer(answer), `${out}\n${ajv.errorsText(isAnswer.errors)}`).toBe(true);
  return answer;
}

/** Performs a task in this process. Other tests run drivers as programs. */
async function askHere(name: string, task: Task, { own }: Circumstances = {}): Promise<Answer> {
  const driver = drivers.find((one) => one.name === name);
  const asked = JSON.parse(taskLine(task));
  // The output is read before anything is waited for.
  process.env.TOUCHSTONE_WITH = own ?? '';
  const answering: Promise<Answer> = perform(asked, driver);
  delete process.env.TOUCHSTONE_WITH;
  const answer = JSON.parse(JSON.stringify(await answering));
  expect(isAnswer(answer), ajv.errorsText(isAnswer.errors)).toBe(true);
  return answer;
}

test('there are drivers, and each says which protocols it speaks', () => {
  expect(drivers.length).toBeGreaterThanOrEqual(6);
  for (const { speaks, tasks } of drivers) {
    expect(protocolNames.enum).toEqual(expect.arrayContaining([...speaks]));
    for (const protocol of speaks) {
      expect(everyTask).toEqual(expect.arrayContaining(Object.keys(tasks[protocol] ?? {})));
    }
  }
});

describe.each(drivers)('$name', ({ name, speaks, tasks }) => {
  const circumstances = (): Circumstances => {
    const source = needs[name.replace('-stream', '')];
    return { own: source && withFile(source) };
  };
  const known = (protocol: string, task: string): boolean => task in (tasks[protocol] ?? {});

  test.each(speaks)('generates over %s, whole and as a stream', async (protocol) => {
    const own = circumstances();
    const how = protocol === speaks[0] ? ask : askHere;
    const [body, stream] = await Promise.all(
      [false, true].map((stream) => how(name, { task: 'generate', protocol, stream }, own)),
    );
    expect(body).toMatchObject({ outcome: 'complete', text: expect.stringMatching(/\w\.$/) });
    expect(stream).toMatchObject({ outcome: 'complete', text: body?.text });
  });

  test.each(speaks)('counts and lists over %s, where it knows how', async (protocol) => {
    const own = circumstances();
    const answers = ['count', 'list'].map((task) => askHere(name, { task, protocol }, own));
    const [counted, listed] = await Promise.all(answers);
    if (known(protocol, 'count')) expect(counted?.tokens).toBeGreaterThan(0);
    else expect(counted).toEqual({ unsupported: true });
    if (known(protocol, 'list')) expect(listed?.models?.join()).toContain('ts-omni');
    else expect(listed).toEqual({ unsupported: true });
  });

  test.runIf(known('responses', 'store'))('stores and continues', async () => {
    const protocol = 'responses';
    const stored = await Promise.all(
      [false, true].map((stream) => askHere(name, { task: 'store', protocol, stream })),
    );
    const [, { id = '' } = {}] = stored;
    expect(stored.map(({ outcome }) => outcome)).toEqual(['complete', 'complete']);
    const region = gateway.regions[0]?.name;
    const next = { protocol, id, region, prompt: 'And a rose.' };
    const continued = await askHere(name, { task: 'continue', ...next });
    expect(continued).toMatchObject({ outcome: 'complete', text: expect.stringMatching(/\w\.$/) });
    // The reference's answer depends on what was said before.
    expect(continued.text).not.toBe(stored[1]?.text);
    if (!known(protocol, 'lookup')) return;
    expect(await askHere(name, { task: 'lookup', ...next })).toMatchObject({
      outcome: 'complete',
      id,
      status: 'completed',
      text: stored[1]?.text,
    });
    expect(await askHere(name, { task: 'input-items', ...next })).toMatchObject({
      text: 'Describe a tulip.',
    });
    expect(await askHere(name, { task: 'delete', ...next })).toMatchObject({ outcome: 'complete' });
    expect(await askHere(name, { task: 'lookup', ...next })).toMatchObject({
      outcome: 'failed',
      error: { status: 404 },
    });
  });

  test('says of a protocol that it does not speak it', async () => {
    const task = { task: 'generate', protocol: 'systemone' };
    expect(await ask(name, task)).toEqual({ unsupported: true });
  });

  test('says that a key is refused', async () => {
    const own = circumstances();
    const [protocol = ''] = speaks;
    const answer = await askHere(name, { task: 'generate', protocol, key: 'ts-key-unknown' }, own);
    expect(answer).toMatchObject({ outcome: 'failed', error: { status: expect.any(Number) } });
    // Generative says so by 400.
    expect([400, 401]).toContain(answer.error?.status);
    expect(answer.text ?? '').toBe('');
  });

  test('says which package is not installed, and where', async () => {
    const cwd = temporaryFolder();
    const line = taskLine({ task: 'generate', protocol: speaks[0] ?? '' });
    const ended = await start([process.execPath, adapterFile(name)], line, { cwd });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(
      new RegExp(
        `^${name}\\.mjs: The package (\\S+) is not installed in ${cwd}\\. .*npm install \\1\\n$`,
      ),
    );
  });
});

describe('openai, with stored runs', () => {
  const protocol = 'responses';

  test('polls a background run to its end, and cancels one', async () => {
    const done = await askHere('openai', { task: 'background', protocol });
    expect(done).toMatchObject({ outcome: 'complete', status: 'completed' });
    const { id, region } = { id: done.id ?? '', region: gateway.regions[0]?.name };
    // The reference, as the protocol, cancels what has ended without a change.
    expect(await askHere('openai', { task: 'cancel', protocol, id, region })).toMatchObject({
      outcome: 'complete',
      id,
    });
  });

  test('asks the region that has it', async () => {
    const [, { name: region = '', baseUrl = '' } = {}] = gateway.regions;
    const { id } = await askHere('openai', { task: 'store', protocol, baseUrl });
    const looked = await askHere('openai', { task: 'lookup', protocol, id, region });
    expect(looked).toMatchObject({ outcome: 'complete', id });
  });

  test('takes a stream up again after its last event', async () => {
    const { address, asked } = await startCutting();
    const whole = await askHere('openai', { task: 'recover', protocol });
    const recovered = await askHere('openai', { task: 'recover', protocol, baseUrl: address });
    expect(recovered).toMatchObject({ outcome: 'complete', text: whole.text });
    expect(asked).toEqual([
      'POST /s/one/v1/responses',
      expect.stringMatching(/^GET \/s\/one\/v1\/responses\/\w+\?stream=true&starting_after=\d+$/),
    ]);
  });
});

/** A proxy that cuts what answers a POST after some events. */
async function startCutting(): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const { method, url = '', headers } = from;
    asked.push(`${method} ${url}`);
    const onward = request(new URL(url, baseUrl), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 0, answer.headers);
      let seen = '';
      answer.on('data', (piece: Buffer) => {
        seen += piece.toString();
        const events = seen.split('\n\n').slice(0, 6);
        if (method === 'GET') to.write(piece);
        else if (events.length === 6) {
          answer.destroy();
          to.write(`${events.join('\n\n')}\n\n`, () => to.destroy());
        }
      });
      answer.on('end', () => to.end());
    });
    from.pipe(onward);
  };
  const port = await listening(createServer(pass));
  return { address: `http://127.0.0.1:${port}/s/one`, asked };
}

describe('what the user has to change is said in one sentence', () => {
  const program = [process.execPath, adapterFile('openai')];
  const task = () => taskLine({ task: 'generate', protocol: 'responses' });
  const said = async (input: string, own?: string): Promise<string> => {
    const { code, out, err } = await start(program, input, { own });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    return err;
  };

  test.each([
    ['export const client = 1;', 'it has no default export that is a function'],
    ['export default { apiKey: 1 };', 'it has no default export that is a function'],
    ['export default () => {};', 'its function returns no client.'],
    ["export default () => { throw new Error('no key'); };", 'no key'],
    ['export default (', 'Unexpected end of input'],
    ["import 'not-there';", "Cannot find package 'not-there'"],
  ])('%s', async (source, why) => {
    const file = withFile(source);
    const err = await said(task(), file);
    expect(err).toContain(`openai.mjs: ${file}: ${why}`);
    expect(err).toContain('It needs: export default ({ baseUrl, key, model, protocol }) => client');
  });

  test('a file that is not there', async () => {
    expect(await said(task(), './none.mjs')).toContain(join(packageRoot, 'none.mjs'));
  });

  test.each(['', 'hello'])('no task: "%s"', async (input) => {
    expect(await said(input)).toContain('There is no task on standard input.');
  });
});

test('a client that never ends is told of', async () => {
  const never = 'export default () => ({ responses: { create: () => new Promise(() => {}) } });';
  const own = withFile(never);
  expect(await ask('openai', { task: 'generate', protocol: 'responses' }, { own })).toEqual({
    outcome: 'failed',
    error: { message: 'The client neither returned nor threw, and nothing is under way.' },
  });
});

/** The examples of the page, as a reader would copy them. */
describe('the page shows programs that work', () => {
  const page = read('README.md');
  const level1 = page.indexOf('## Level 1');
  const commands: Readonly<Record<string, readonly [string, string]>> = {
    js: [process.execPath, 'mjs'],
    python: ['python3', 'py'],
    sh: ['sh', 'sh'],
  };
  const examples = [
    ...page.matchAll(/^([A-Z]\w+), over (\w.*?)[.:].*\n\n```(\w+)\n([\s\S]*?)^```/gm),
  ].map(({ index, 1: language, 2: over = '', 3: kind = '', 4: source = '' }) => ({
    language,
    level: index < level1 ? 0 : 1,
    protocol: over.toLowerCase().replace(' ', '-'),
    kind,
    source,
  }));
  const programOf = (kind: string, source: string): string[] => {
    const [command, ending] = commands[kind] ?? ['', ''];
    const file = join(place, `${Math.random()}.${ending}`);
    writeFileSync(file, source);
    return [command, file];
  };
  /** True if the tools of this kind are installed. A contributor's machine may lack them; CI must not. */
  const isThere = (kind: string): boolean => {
    const tools: Readonly<Record<string, string>> = { python: 'python3', sh: 'curl' };
    const tool = tools[kind];
    return (
      tool === undefined || process.env.CI === 'true' || spawnSync(tool, ['--version']).status === 0
    );
  };

  test('three of each level, and a task with its answer', () => {
    expect(examples.map(({ level, kind }) => `${level} ${kind}`)).toEqual([
      ...['0 js', '0 python', '0 sh'],
      ...['1 js', '1 python', '1 sh'],
    ]);
    const [, json = ''] = /^```json\n([\s\S]*?)^```/m.exec(page) ?? [];
    const [task = '', answer = ''] = json.split('\n');
    expect(isTask(JSON.parse(task)), ajv.errorsText(isTask.errors)).toBe(true);
    expect(isAnswer(JSON.parse(answer)), ajv.errorsText(isAnswer.errors)).toBe(true);
  });

  const runnable = examples.filter(({ kind }) => isThere(kind));
  const byLevel = (level: number) => runnable.filter((example) => example.level === level);

  test.each(byLevel(0))('$language, level 0', async ({ kind, source }) => {
    const environment = (key: string) => ({
      TOUCHSTONE_BASE_URL: baseUrl,
      TOUCHSTONE_MODEL: 'ts-omni',
      TOUCHSTONE_PROMPT: 'Describe a "tulip".',
      OPENAI_BASE_URL: `${baseUrl}/v1`,
      OPENAI_API_KEY: key,
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: key,
    });
    const program = programOf(kind, source);
    const good = await start(program, '', { environment: environment(gateway.keys.owner) });
    expect(good).toMatchObject({ code: 0, out: expect.stringMatching(/\w\./), err: '' });
    const bad = await start(program, '', { environment: environment('ts-key-unknown') });
    expect(bad).toMatchObject({ code: expect.any(Number), out: '' });
    expect(bad.code).not.toBe(0);
  });

  test.each(byLevel(1))('$language, level 1', async ({ kind, source, protocol }) => {
    const program = programOf(kind, source);
    const answerTo = async (task: Task): Promise<Answer> => {
      const { code, out, err } = await start(program, taskLine(task));
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const answer: Answer = JSON.parse(out);
      expect(isAnswer(answer), `${out}\n${ajv.errorsText(isAnswer.errors)}`).toBe(true);
      return answer;
    };
    const task = { task: 'generate', protocol, prompt: 'Describe a "tulip".' };
    expect(await answerTo(task)).toMatchObject({
      outcome: 'complete',
      text: expect.stringMatching(/\w\.$/),
    });
    expect(await answerTo({ ...task, key: 'ts-key-unknown' })).toMatchObject({ outcome: 'failed' });
    for (const other of [{ stream: true }, { protocol: 'systemone' }, { task: 'list' }]) {
      expect(await answerTo({ ...task, ...other })).toEqual({ unsupported: true });
    }
  });
});
