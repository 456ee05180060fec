import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import type { RunResult } from '../core/result.ts';
import { loadTarget } from '../targets/load.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { touchstone } from './program.ts';
import { inProcess } from './testing.ts';
import {
  type ChatGateway,
  type ChatGatewayOptions,
  chatKey,
  startChatGateway,
} from './testing-chat-gateway.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const environment = { TOUCHSTONE_KEY: chatKey };

/** Judging all of a gateway takes seconds, and a machine may be busy with other tests. */
const patience = 120_000;

async function gateway(options: ChatGatewayOptions = {}): Promise<ChatGateway> {
  const started = await startChatGateway(options);
  onTestFinished(() => started.close());
  return started;
}

const called = (...line: readonly string[]) => inProcess(line, environment, folder);

/** `run --base-url URL --model M`: the one line that needs no file. */
async function judged(url: string, ...rest: readonly string[]) {
  const report = at('report.json');
  const line = ['run', '--base-url', url, '--model', 'pico-1', '--quiet', '--json', report];
  const { code, out, err } = await called(...line, ...rest);
  const result: RunResult = JSON.parse(readFileSync(report, 'utf8'));
  const ids = (...states: string[]): string[] =>
    result.checks.flatMap(({ id, verdict }) => (states.includes(verdict.state) ? id : []));
  return { code, out, err, result, ids };
}

const restrictions = ['single-region', 'single-user', 'one-key-per-user', 'without-probes'];
const restricted = restrictions.flatMap((name) => ['--restriction', name]);
const claim = `profile chat; ${restrictions.join(', ')}`;

describe('a gateway that serves Chat Completions alone, without a target file', {
  timeout: patience,
}, () => {
  test('one line names both of its defects, and nothing else', async () => {
    const { url } = await gateway();
    const { code, ids } = await judged(url);
    expect(code).toBe(1);
    const wrong = ids('fail', 'warn');
    const isAboutStop = (id: string): boolean => /^generation\/asked\..*stop/.test(id);
    expect(ids('fail')).toContain('generation/usage.counts-input:chat-completions-stream');
    expect(wrong.filter(isAboutStop)).not.toEqual([]);
    const isAboutUsage = (id: string): boolean =>
      /^generation\/usage\..*-stream$|\.(?:input-of-repeats|counts-whole-request):/.test(id);
    expect(wrong.filter((id) => !isAboutStop(id) && !isAboutUsage(id))).toEqual([]);
  });

  test('without them nothing fails, and what its owner cannot give is untestable', async () => {
    const { url } = await gateway({ fixed: true });
    const { code, result, ids } = await judged(url);
    expect(ids('fail', 'warn', 'inconclusive', 'error')).toEqual([]);
    expect({ code, verdict: result.verdict }).toEqual({ code: 2, verdict: 'partial' });
    expect(result.target.claims?.profiles).toEqual(['chat']);
  });

  test('with what it does not have said, it is conformant', async () => {
    const { url } = await gateway({ fixed: true });
    const { code, out, result } = await judged(url, ...restricted);
    expect({ code, verdict: result.verdict }).toEqual({ code: 0, verdict: 'conformant' });
    expect(out).toContain(`CONFORMANT: ${claim}`);
  });

  test('one that refuses to stream is not blamed for it', async () => {
    const { url } = await gateway({ fixed: true, refusesStreams: true });
    const { result, ids } = await judged(url, ...restricted);
    expect(ids('fail', 'warn')).toEqual([]);
    expect(result.target.claims?.profiles).toEqual([]);
  });

  test('a plan costs nothing, and is of what is served', async () => {
    const { url, answered } = await gateway({ fixed: true });
    const { code, out } = await called(
      'plan',
      '--base-url',
      url,
      '--model',
      'pico-1',
      ...restricted,
    );
    expect(code).toBe(0);
    expect(answered.filter((line) => line === 'POST /v1/chat/completions 200')).toEqual([]);
    expect(out).toMatch(/generations/);
    expect(out).not.toContain('keys.');
  });

  test('a budget leaves no room to try anything', async () => {
    const { url, answered } = await gateway({ fixed: true });
    await judged(url, '--generations', '3');
    const generations = answered.filter((line) => line === 'POST /v1/chat/completions 200');
    expect(generations.length).toBeGreaterThan(0);
    expect(generations.length).toBeLessThanOrEqual(3);
  });
});

describe('a target file of it', { timeout: patience }, () => {
  /** Runs `init`, and returns what it prints and writes. */
  async function initiated(url: string, ...rest: readonly string[]) {
    const file = at('init.yaml');
    const said = await called('init', '--base-url', url, '--out', file, '--force', ...rest);
    return { ...said, file, text: readFileSync(file, 'utf8') };
  }

  test('shows what is offered, though every other path says 401 to another header', async () => {
    const { url, answered } = await gateway();
    const { out, text, file } = await initiated(url);
    const rows = out
      .split('\n')
      .flatMap((line) => /^ {2}([a-zA-Z_:-]+) +[✓✗?!] /.exec(line)?.[1] ?? []);
    expect(rows).toEqual([
      ...[
        'chat',
        'tools',
        'stream',
        'stop',
        'structured_output',
        'logprobs',
        'candidates',
        'images',
      ],
    ]);
    expect(out + text).not.toMatch(/vendor-a|vendor-b|key was refused|check vendor/i);
    expect(text).toContain('# Declare under supports or lacks: tools, stream:chat, stop:chat');
    expect(loadTarget(file, environment).models.map((model) => model.protocols)).toEqual([
      ['chat-completions'],
      ['chat-completions'],
    ]);
    expect(answered.filter((line) => line === 'POST /v1/chat/completions 200')).toEqual([]);
  });

  test('says the same in its table as in the file', async () => {
    const { url } = await gateway();
    const { out, file } = await initiated(url, '--generate', '--yes', '--models', '1');
    expect(out).toMatch(/^ {2}stream +✓$/m);
    expect(out).toMatch(/^ {2}structured_output +✗$/m);
    expect(out).not.toContain('?  ');
    const [model] = loadTarget(file, environment).models;
    expect(model?.supports).toContain('stream:chat-completions');
    expect(model?.lacks).toContain('structured_output:chat-completions');
  });

  test('has the restrictions that its user says, and refuses those that its keys contradict', async () => {
    const { url } = await gateway();
    const { file, out } = await initiated(url, ...restricted);
    expect(loadTarget(file, environment)).toMatchObject({
      singleRegion: true,
      singleUser: true,
      oneKeyPerUser: true,
      noPermissions: false,
      withoutProbes: true,
    });
    expect(out).not.toMatch(/other keys|other regions/);
    const terminal = memoryTerminal(
      { ...environment, TOUCHSTONE_KEY_OTHER_USER: 'canary-key-of-another' },
      folder,
    );
    const line = [
      'init',
      '--base-url',
      url,
      '--out',
      at('never.yaml'),
      '--restriction',
      'single-user',
    ];
    expect(await touchstone(line, terminal)).toBe(3);
    expect(terminal.written.err).toContain('`keys.otherUser` is given');
  });

  test('is certified, and verified by a policy that allows its restrictions', async () => {
    const { url } = await gateway({ fixed: true });
    const { file } = await initiated(url, '--generate', '--yes', '--models', '1', ...restricted);
    const bundle = at('bundle');
    const { code, err, out } = await called('certify', '--target', file, '--out', bundle);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toContain(`CONFORMANT: ${claim}`);
    const verified = await called('verify', bundle, '--profile', 'chat');
    expect(verified.out).toContain(claim);
    expect(verified.out).toContain(
      'The gateway has one user, so nothing between users was judged.',
    );
    writeFileSync(
      at('policy.yaml'),
      'restrictions: [single-region, without-probes, single-user]\n',
    );
    const refused = await called('verify', bundle, '--policy', at('policy.yaml'));
    expect(refused.out).toContain(
      'it is restricted: one-key-per-user, which the policy does not allow',
    );
    expect(refused.code).toBe(1);
  });
});
