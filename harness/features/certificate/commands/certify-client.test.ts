import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Called } from '../../../kernel/cli/testing.ts';
import { fixture } from '../../../kernel/core/package-root.ts';
import { temporaryFolder } from '../../../testing.ts';
import { payloadOf, readEnvelope } from '../dsse.ts';
import { changeChecks, changeLines, changeReport, makeConsistent } from '../testing.ts';
import { called } from './testing-bundles.ts';

// A client is certified, and others verify it without the client.

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const client = fixture('faulty-client.mjs');
const key = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const challenge = '6f1d9c20b7e84a35';
/** Every scenario is played, and some of them say nothing for seconds. */
const patience = 180_000;

function certify(name: string, ...defects: readonly string[]): Promise<Called> {
  const options = ['--speaks', 'responses', '--tasks', '--name', 'my-client'];
  const bundle = ['--client-version', '1.2.3', '--certify', at(name), '--key', at('key.pem')];
  const command = [process.execPath, client, '--tasks', ...defects];
  const asked = ['--challenge', challenge];
  return called('client', '-q', ...options, ...bundle, ...asked, '--', ...command);
}

const verify = (name: string) =>
  called('verify', at(name), '--public-key', at('public.pem'), '--challenge', challenge);

/** Copies a bundle, changes it, and makes it consistent with itself again, as a forger would. */
function forged(from: string, name: string, change: (bundle: string) => void): string {
  cpSync(at(from), at(name), { recursive: true });
  change(at(name));
  makeConsistent(at(name), { privateKey: key.privateKey, publicKey: key.publicKey });
  return name;
}

let right: Called;
let wrong: Called;

writeFileSync(at('key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
writeFileSync(at('public.pem'), key.publicKey.export({ type: 'spki', format: 'pem' }));
writeFileSync(at('other.pem'), other.publicKey.export({ type: 'spki', format: 'pem' }));

// The steps depend on each other, so they must not be shuffled.
describe('a certificate of a client', { timeout: patience, shuffle: false }, () => {
  test('says what was judged, and how it was started', async () => {
    [right, wrong] = await Promise.all([certify('right'), certify('wrong', 'retries-lost')]);
    expect(right).toMatchObject({ code: 0 });
    expect(right.err).toContain(`Certificate: ${at('right')}, PASSED, signed.`);
    expect(readdirSync(at('right'))).toContain('client.json');
    expect(readdirSync(at('right'))).not.toContain('target.yaml');
    const envelope = readEnvelope(readFileSync(join(at('right'), 'attestation.json'), 'utf8'));
    const statement = JSON.parse(Buffer.from(payloadOf(envelope)).toString());
    expect(statement.predicate.configuration[0]).toMatchObject({
      name: 'client.json',
      annotations: {
        client: { name: 'my-client', version: '1.2.3', tasks: true, speaks: ['responses'] },
      },
    });
    expect(statement.predicate.passedTests).toContain('client/retries.none-when-uncertain:reset');
  });

  test('is verified without the client', async () => {
    const { code, out } = await verify('right');
    expect(code).toBe(0);
    expect(out).toMatch(/^client +"my-client"$/m);
    expect(out).toMatch(/^version +"1\.2\.3"$/m);
    expect(out).toMatch(/VERIFIED: .* is the certificate of a conformant client\. Signed by/);
    expect(out).toMatch(/^ {2}touchstone client --seed \d+ --tasks --speaks responses -- /m);
    const later = await called('verify', at('right'), '--challenge', 'of-another-verifier');
    expect(later).toMatchObject({ code: 1, out: expect.stringContaining('which is not yours') });
    const foreign = await called('verify', at('right'), '--public-key', at('other.pem'));
    expect(foreign).toMatchObject({ code: 1, out: expect.stringContaining('no signature of') });
  });

  test('a client that is not conformant gets a bundle, and no certificate', async () => {
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('not a certificate') });
    expect(await verify('wrong')).toMatchObject({
      code: 1,
      out: expect.stringContaining('NONCONFORMANT: '),
    });
  });

  test.each<readonly [what: string, change: (bundle: string) => void, problem: RegExp]>([
    [
      'says that all passed',
      (bundle) =>
        changeChecks(bundle, (checks) =>
          checks.map((check) => ({ ...check, verdict: { state: 'pass' } })),
        ),
      /client\/retries\.none-when-uncertain:reset: the report says pass, its exchanges say fail/,
    ],
    [
      'shows one request less',
      (bundle) =>
        changeReport(bundle, (report) => ({
          ...report,
          conversations: (report.conversations ?? []).map((one) => ({
            ...one,
            requests: one.requests.slice(0, 1),
          })),
        })),
      /`conversations` of the report is not what the exchanges come to/,
    ],
    [
      'lacks the start that shows it',
      (bundle) =>
        changeLines(bundle, (lines) => lines.filter((line) => !line.includes('client/reset#'))),
      /client\/retries\.none-when-uncertain:reset: the report says fail/,
    ],
    [
      'names another client',
      (bundle) => {
        const file = join(bundle, 'client.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('1.2.3', '9.9.9'));
      },
      /client\.json describes another client than exchanges\.jsonl/,
    ],
  ])('a forged one is rejected that %s', async (what, change, problem) => {
    const { code, out } = await verify(forged('wrong', what.replaceAll(' ', '-'), change));
    expect(code).toBe(1);
    expect(out).toMatch(problem);
  });
});

test('one that could not show everything is not even started', async () => {
  const { code, err } = await called('client', '--certify', at('none'), '--', 'false');
  expect(code).toBe(2);
  expect(err).toContain(
    'Not certifiable: some required checks cannot be tested. Nothing was sent.',
  );
  expect(existsSync(at('none'))).toBe(false);
});

test.each([
  ['client/retries --certify DIR -- true', 'leave out ids'],
  ['--certify DIR --record x.jsonl -- true', 'leave out --record'],
  ['--key k.pem -- true', '--key goes with --certify.'],
])('%s is wrong usage', async (line, said) => {
  const { code, err } = await called('client', ...line.replace('DIR', at('usage')).split(' '));
  expect(code).toBe(3);
  expect(err).toContain(said);
});

test('a plan starts nothing', async () => {
  const { code, out } = await called(
    ...'client --plan --speaks responses -- no-such-program'.split(' '),
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^no-such-program \(client\): \d+ of \d+ checks can be judged\.\n/);
  expect(out).toMatch(/starts +at most \d+ starts of the command/);
  expect(out).toContain('Untestable, until the client is started otherwise:');
});
