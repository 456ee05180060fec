import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inProcess, start } from '../../../kernel/cli/testing.ts';
import { fixture } from '../../../kernel/core/package-root.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** The command in this process; what it starts is found as usual. */
const call = (line: string) => inProcess(line, { PATH: process.env.PATH });

const small = fixture('faulty-client.mjs');

/** A shell script, since arguments have no spaces here. */
function script(name: string, text: string): string {
  writeFileSync(at(name), `#!/bin/sh\n${text}\n`);
  chmodSync(at(name), 0o755);
  return at(name);
}

describe('a client is judged', () => {
  test('and is right', async () => {
    const { code, out } = await call(
      `client client/requests.paths --speaks responses --allow-partial -- node ${small}`,
    );
    expect(out).toContain('PARTIAL');
    expect(code, out).toBe(0);
  });

  test('and sends again what it must not; the recording says the same', async () => {
    const [record, first, second] = [at('run.jsonl'), at('first.json'), at('second.json')];
    const ids = 'client/retries.none-when-uncertain:reset';
    const run = await call(
      `client ${ids} --speaks responses --record ${record} --json ${first} -- node ${small} retries-lost`,
    );
    expect(run.out).toContain('2 generations with the word');
    expect(run.code).toBe(1);
    expect(readFileSync(record, 'utf8')).not.toContain('sk-touchstone');
    const again = await call(`recheck ${record} --json ${second}`);
    expect(again.code).toBe(1);
    const [judged, rejudged] = [first, second].map((file) =>
      JSON.parse(readFileSync(file, 'utf8')),
    );
    expect(rejudged.checks).toEqual(judged.checks);
    expect(rejudged.conversations).toEqual(judged.conversations);
    expect(judged.target.client).toMatchObject({ tasks: false, speaks: ['responses'] });
  });

  test('and what is known to fail does not fail the run', async () => {
    const id = 'client/requests.credential-header';
    writeFileSync(at('known.txt'), id);
    const { code, out } = await call(
      `client ${id} --speaks responses --allow-partial --known-failures ${at('known.txt')} -- node ${small} wrong-header`,
    );
    expect(out).toContain('Known failures (1)');
    expect(code).toBe(0);
  });

  test('with what it is told in its arguments', async () => {
    const asks = script(
      'asks.sh',
      'curl -s "$1/v1/chat/completions" -H "authorization: Bearer $2" -H "content-type: application/json" ' +
        '-d "{\\"model\\":\\"$3\\",\\"max_completion_tokens\\":64,\\"messages\\":[{\\"role\\":\\"user\\",\\"content\\":\\"$4\\"}]}"',
    );
    const { code, out } = await call(
      `client client/requests --allow-partial -- ${asks} {baseUrl} {key} {model} {prompt}`,
    );
    expect(out.replace(/\s+/g, ' ')).toContain('was seen to speak Chat Completions');
    expect(code, out).toBe(0);
  });
});

describe('whatever is started, there is a clear sentence', () => {
  test.for<[what: string, line: string, code: number, said: string]>([
    ['nothing', 'client', 3, 'Name the command behind `--`'],
    ['no such program', 'client -- no-such-program', 3, 'there is no such program'],
    ['what is no program', `client -- ${folder}`, 3, 'it may not be executed'],
    ['both', 'client --adapter openai -- node x', 3, 'and not both'],
    ['no such adapter', 'client --adapter nobody', 3, 'nobody'],
    ['no such protocol', 'client --speaks telex -- node x', 3, '"telex" is not a protocol'],
    ['no such id', 'client client/nothing -- node x', 3, 'No check id starts with'],
    ['what does nothing', `client -- node ${small} does-nothing`, 4, 'printed nothing'],
    ['what prints garbage', `client -- node ${small} prints-garbage`, 4, 'sent no request'],
    ['what asks for a list', `client -- node ${small} sends-one-get`, 4, 'but no generation'],
    ['what crashes', 'client -- node no-such-file.mjs', 4, 'Cannot find module'],
  ])('%s', async ([, line, code, said]) => {
    const ended = await call(line);
    expect(ended.err).toContain(said);
    expect(ended.err).not.toContain('Touchstone crashed');
    expect(ended.code, ended.err).toBe(code);
  });

  test('what never ends', async () => {
    const sleeps = script('sleeps.sh', 'exec sleep 300');
    const { code, err } = await call(`client --speaks messages --timeout 500 -- ${sleeps}`);
    expect(err).toContain('did not end by itself');
    expect(code).toBe(4);
  });

  test('what speaks to somebody else', async () => {
    const elsewhere = at('elsewhere.mjs');
    writeFileSync(elsewhere, 'await fetch("http://127.0.0.1:9/v1/responses", { method: "POST" });');
    const { code, err } = await call(`client --speaks responses -- node ${elsewhere}`);
    expect(err).toContain('sent no request');
    expect(code).toBe(4);
  });
});

describe('what lives on is ended', () => {
  test.for<[what: string, text: string, options: string]>([
    ['the command itself', `node ${small}; exec sleep 301`, '--quiet-after 300'],
    ['what it has left behind, with its output', `node ${small}; sleep 301 &`, ''],
    ['what has left its group, with its output', `node ${small}; setsid sleep 60 &`, ''],
  ])('%s', async ([what, text, options]) => {
    const lives = script(`${what.length}.sh`, text);
    const { code, out } = await call(
      `client client/requests.paths --speaks responses --allow-partial ${options} -- ${lives}`.replace(
        '  ',
        ' ',
      ),
    );
    expect(out).toContain('1 passed');
    expect(code).toBe(0);
  });
});

test('what was seen is judged when the user interrupts, and the recording says the same', async () => {
  const record = at('interrupted.jsonl');
  const run = start(
    `client client/retries.none-when-uncertain --speaks responses --record ${record} -- node ${small}`,
  );
  // Something has been started by then, and waits for an answer that does not come.
  await expect.poll(() => linesOf(record)).toBeGreaterThan(3);
  run.interrupt();
  const ended = await run.ended;
  expect(ended.out).toContain('The run was interrupted.');
  expect(ended.code).toBe(2);
  const again = await call(`recheck ${record}`);
  expect(again.out).toContain('The run was interrupted.');
  expect(again.code).toBe(2);
});

function linesOf(file: string): number {
  try {
    return readFileSync(file, 'utf8').split('\n').length;
  } catch {
    return 0;
  }
}
