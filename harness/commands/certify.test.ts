import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  changeChecks,
  makeConsistent,
  swapAnswers,
  swapExchanges,
  truncateStream,
} from '../certificate/testing.ts';
import { packageRoot } from '../core/package-root.ts';
import type { CheckResult, RunResult } from '../core/result.ts';
import { faults } from '../proof/faults/index.ts';
import { type ReferenceOptions, startReference } from '../reference/index.ts';
import { targetFileOf } from './serve-target-file.ts';

/** The command as users have it: compiled, in a process of its own. */
const script = join(packageRoot, 'dist', 'harness', 'commands', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-certify-'));
const at = (name: string): string => join(folder, name);
const keys = {
  owner: 'canary-owner-5b1f0c',
  sameUser: 'canary-same-8d2e4a',
  otherUser: 'canary-other-77aa10',
  restricted: 'canary-restricted-e90d3c',
};
/** Of somebody who verifies it. */
const challenge = '6f1d9c20b7e84a35';
const vendor = generateKeyPairSync('ed25519');
const somebody = generateKeyPairSync('ed25519');

/** Judging all of a gateway takes seconds, and a machine may be busy with other tests. */
const patience = 180_000;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function call(...line: string[]): Promise<Ended> {
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [script, ...line], {
    cwd: folder,
    env: { ...inherited, NO_COLOR: '1', GITHUB_ACTIONS: '', ...keys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text.out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (text.err += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
  });
}

/** Starts a reference gateway, and writes a target file for it, with its keys in the environment. */
async function gateway(options: ReferenceOptions, change = (text: string): string => text) {
  const started = await startReference({ keys, ...options });
  const file = join(mkdtempSync(at('target-')), 'target.yaml');
  let text = targetFileOf(started);
  for (const [name, key] of Object.entries(keys)) text = text.replace(key, `\${${name}}`);
  writeFileSync(file, change(text));
  return { ...started, file };
}

/** Certifies a gateway, which is gone afterwards: what follows has the bundle only. */
async function certified(
  name: string,
  options: ReferenceOptions,
  ...further: readonly string[]
): Promise<Ended> {
  const { file, close } = await gateway(options);
  const ended = await call(
    'certify',
    '-q',
    '-t',
    file,
    '-o',
    name,
    '--key',
    'vendor.pem',
    ...further,
  );
  await close();
  return ended;
}

function reportIn(bundle: string): RunResult {
  return JSON.parse(readFileSync(join(at(bundle), 'report.json'), 'utf8'));
}

/** A copy of a bundle, to be tampered with. */
function copyOf(bundle: string): string {
  const name = `${bundle}-${readdirSync(folder).length}`;
  cpSync(at(bundle), at(name), { recursive: true });
  return name;
}

beforeAll(() => {
  if (!existsSync(script)) throw new Error(`There is no ${script}: run \`npm run build\` first`);
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  const spki = { type: 'spki', format: 'pem' } as const;
  writeFileSync(at('vendor.pem'), vendor.privateKey.export(pkcs8));
  writeFileSync(at('vendor-public.pem'), vendor.publicKey.export(spki));
  writeFileSync(at('somebody-public.pem'), somebody.publicKey.export(spki));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('of a conformant gateway', () => {
  let made: Ended;
  beforeAll(async () => {
    made = await certified('sound', { latencyMs: 2 }, '--challenge', challenge);
  }, patience);

  test('a certificate is written, and holds no key', () => {
    expect(made.out).toContain('CONFORMANT');
    expect(made.err).toContain('Certificate: sound, PASSED, signed.');
    expect(made.code).toBe(0);
    expect(readdirSync(at('sound')).sort()).toEqual([
      'REPRODUCE.md',
      'SHA256SUMS',
      'attestation.json',
      'environment.json',
      'exchanges.jsonl',
      'report.html',
      'report.json',
      'target.yaml',
    ]);
    for (const name of readdirSync(at('sound'))) {
      const text = readFileSync(join(at('sound'), name), 'utf8');
      expect(text).not.toMatch(/canary-(owner|same|other|restricted)/);
    }
  });

  test(
    'it is verified without the gateway, with the key of the vendor',
    async () => {
      const line = ['verify', 'sound', '--public-key', 'vendor-public.pem', '--html', 'sound.html'];
      const { code, out } = await call(...line, '--challenge', challenge);
      expect(out).toContain('signature  by the given key');
      expect(out).toContain(
        'VERIFIED: sound is the certificate of a conformant gateway, signed by the given key.',
      );
      expect(code).toBe(0);
      // Made anew, and the same: nothing is to be read in a page that somebody else made.
      const page = readFileSync(at('sound.html'), 'utf8');
      expect(page).toBe(readFileSync(join(at('sound'), 'report.html'), 'utf8'));
      expect(page).toContain(' id="exchange-0">');
    },
    patience,
  );

  test(
    'its exchanges are judged again to the same verdicts',
    async () => {
      const { code, err } = await call('recheck', 'sound', '-q', '--json', 'again.json');
      const again: RunResult = JSON.parse(readFileSync(at('again.json'), 'utf8'));
      const report = reportIn('sound');
      // How long a scenario took is measured, and not judged.
      const timeless = ({ checks }: RunResult) =>
        checks.map(({ durationMs: _, ...check }) => check);
      expect(timeless(again)).toEqual(timeless(report));
      expect(again.traffic.requests).toBe(report.traffic.requests);
      expect(err).toContain(`Judged again from ${report.traffic.requests} exchanges`);
      expect(code).toBe(0);
    },
    patience,
  );

  test(
    'without a key, the verdict says that nobody knows who made it',
    async () => {
      const { code, out } = await call('verify', 'sound');
      expect(out).toContain('Who signed it was not checked: give --public-key FILE.');
      expect(code).toBe(0);
    },
    patience,
  );

  test('it was not made for a challenge that came later', async () => {
    const { code, out } = await call('verify', 'sound', '--challenge', 'of-another-verifier');
    expect(out).toContain(`it was made for the challenge ${challenge}, which is not yours`);
    expect(code).toBe(1);
  });

  test('another key is none of the vendor', async () => {
    const { code, out } = await call('verify', 'sound', '--public-key', 'somebody-public.pem');
    expect(out).toContain('REJECTED: sound is not what it claims to be.');
    expect(out).toContain('attestation.json has no signature of the given key');
    expect(code).toBe(1);
  });

  test(
    'swapped exchanges, swapped answers and a cut stream are found, although all else agrees',
    async () => {
      const name = copyOf('sound');
      const pretended = [...swapAnswers(at(name)), truncateStream(at(name))];
      const stale = swapExchanges(at(name));
      makeConsistent(at(name), vendor);
      const { code, out } = await call('verify', name, '--public-key', 'vendor-public.pem');
      expect(out).toContain(`REJECTED: ${name}`);
      for (const id of pretended) {
        expect(out).toContain(`- ${id}: the report says pass, its exchanges say fail: expected`);
      }
      expect(out).toContain(
        `- ${stale}: the report says pass, its exchanges say error: The recording is stale`,
      );
      expect(code).toBe(1);
    },
    patience,
  );
});

describe('of a nonconformant gateway', () => {
  let made: Ended;
  const defect = faults.find(({ id }) => id === 'auth.bearer-on-messages');
  beforeAll(async () => {
    if (defect === undefined) throw new Error('There is no such fault any more');
    made = await certified('faulty', { defect });
  }, patience);

  test(
    'a bundle is written that is no certificate',
    async () => {
      expect(made.err).toContain('Bundle (not a certificate): faulty, FAILED, signed.');
      expect(made.code).toBe(1);
      const { code, out } = await call('verify', 'faulty', '--public-key', 'vendor-public.pem');
      expect(out).toContain('INTACT, but not a certificate: faulty is the bundle of a nonconf');
      expect(code).toBe(1);
    },
    patience,
  );

  test(
    'a report that was made conformant is rejected, although all else agrees with it',
    async () => {
      const name = copyOf('faulty');
      const failed = reportIn('faulty').checks.filter(({ verdict }) => verdict.state === 'fail');
      changeChecks(at(name), (checks) => checks.map(passed));
      expect(reportIn(name).verdict).toBe('conformant');
      makeConsistent(at(name), vendor);
      const { code, out } = await call('verify', name, '--public-key', 'vendor-public.pem');
      expect(failed.length).toBeGreaterThan(0);
      for (const { id } of failed) {
        expect(out).toContain(`- ${id}: the report says pass, its exchanges say fail: expected`);
      }
      expect(out).not.toContain('VERIFIED');
      expect(code).toBe(1);
    },
    patience,
  );
});

describe('nothing is sent, and nothing bundled,', () => {
  test(
    'where the target cannot be tested for all that is required',
    async () => {
      const { file, requestCount, close } = await gateway({}, (text) =>
        text.replace(/^ {2}otherUser: .*\n/m, ''),
      );
      onTestFinished(close);
      const { code, err } = await call('certify', '-t', file, '-o', 'missing');
      expect(err).toContain('Not certifiable: some required checks cannot be tested.');
      expect(err).toContain('add `keys.otherUser` to the target file');
      expect(code).toBe(2);
      expect(requestCount()).toBe(0);
      expect(existsSync(at('missing'))).toBe(false);
    },
    patience,
  );

  test.each([
    ['without a folder', ['certify'], "required option '-o, --out <folder>'"],
    ['of no target', ['certify', '-o', 'none'], 'No target is named'],
    [
      'for a challenge that may be known',
      ['certify', '-o', 'none', '--challenge', 'short', '--reference', 'embedded'],
      'Expected 16 to 128 letters, digits',
    ],
    [
      'for a challenge and a seed',
      ['certify', '-o', 'none', '--challenge', challenge, '--seed', '1', '--reference', 'embedded'],
      'The seed follows from --challenge',
    ],
    [
      'into a folder that holds something',
      ['certify', '-o', '.', '--reference', 'embedded'],
      '--out .: this folder is not empty',
    ],
    [
      'with a key that is none',
      ['certify', '-o', 'none', '--key', 'vendor-public.pem', '--reference', 'embedded'],
      'vendor-public.pem is not a private key in PEM',
    ],
    ['to verify a bundle that is not there', ['verify', 'nowhere'], 'nowhere is not a folder'],
    [
      'to verify with a private key',
      ['verify', '.', '--public-key', 'vendor.pem'],
      'vendor.pem is a private key',
    ],
    [
      'to write a report into a bundle',
      ['verify', '.', '--html', 'sub/report.html'],
      'name a file outside of it',
    ],
  ])('%s', async (_, line, message) => {
    const { code, err } = await call(...line);
    expect(err).toContain(message);
    expect(code).toBe(3);
  });
});

function passed(check: CheckResult): CheckResult {
  return check.verdict.state === 'fail' ? { ...check, verdict: { state: 'pass' } } : check;
}
