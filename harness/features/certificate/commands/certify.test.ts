import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { canaryKeys as keys } from '../../../kernel/cli/testing.ts';
import type { CheckResult, RunResult } from '../../../kernel/core/result.ts';
import { temporaryFolder } from '../../../testing.ts';
import {
  changeChecks,
  makeConsistent,
  swapAnswers,
  swapExchanges,
  truncateStream,
} from '../testing.ts';
import { forgeries } from '../testing-forgeries.ts';
import { called, certified } from './testing-bundles.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
/** Challenge of the person who verifies the bundle. */
const challenge = '6f1d9c20b7e84a35';
const vendor = generateKeyPairSync('ed25519');
const somebody = generateKeyPairSync('ed25519');
const signed = ['--public-key', at('vendor-public.pem')];

/** Judging all of a gateway takes seconds, and a machine may be busy with other tests. */
const patience = 120_000;

function reportIn(bundle: string): RunResult {
  return JSON.parse(readFileSync(join(at(bundle), 'report.json'), 'utf8'));
}

/** A copy of a bundle, to be tampered with. */
function copyOf(bundle: string): string {
  const name = `${bundle}-${readdirSync(folder).length}`;
  cpSync(at(bundle), at(name), { recursive: true });
  return at(name);
}

type Made = Awaited<ReturnType<typeof certified>>;
let [thin, faulty]: Made[] = [];

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const spki = { type: 'spki', format: 'pem' } as const;
writeFileSync(at('vendor.pem'), vendor.privateKey.export(pkcs8));
writeFileSync(at('vendor-public.pem'), vendor.publicKey.export(spki));
writeFileSync(at('somebody-public.pem'), somebody.publicKey.export(spki));
const signedBy = ['--key', at('vendor.pem')];
const fault = 'messages.foreign-stop-reason';
[thin, faulty] = await Promise.all([
  certified(folder, 'thin', {}, '--challenge', challenge, ...signedBy),
  certified(folder, 'faulty', { fault }, ...signedBy),
]);

describe('of a gateway with one model', { timeout: patience }, () => {
  test('a certificate is written that holds no key and nothing that cannot be checked', async () => {
    expect(thin?.out).toContain('CONFORMANT');
    expect(thin?.err).toContain(`Certificate: ${at('thin')}, PASSED, signed.`);
    expect(thin?.code).toBe(0);
    expect(readdirSync(at('thin')).sort()).toEqual([
      'SHA256SUMS',
      'attestation.json',
      'environment.json',
      'exchanges.jsonl',
      'report.json',
      'target.yaml',
    ]);
    for (const name of readdirSync(at('thin'))) {
      const text = readFileSync(join(at('thin'), name), 'utf8');
      for (const key of Object.values(keys)) expect(text).not.toContain(key);
    }
  });

  test('it is verified without the gateway and without a connection', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    const line = ['verify', at('thin'), ...signed, '--challenge', challenge];
    const { code, out } = await called(...line, '--html', at('thin.html'));
    expect(out).toMatch(/^signature +by the key that you named, [0-9a-f]{64}$/m);
    expect(out).toMatch(/^judged +\d+ of \d+ MUSTs$/m);
    expect(out).toContain(
      `VERIFIED: "${at('thin')}" is the certificate of a conformant gateway. Signed by the key that ` +
        'you named, and made for your challenge, so not before it',
    );
    expect(out).toMatch(/^ {2}touchstone run --target \S+\/target\.yaml --seed \d+$/m);
    expect(code).toBe(0);
    expect(connect).not.toHaveBeenCalled();
    expect(readFileSync(at('thin.html'), 'utf8')).toContain('<title>conformant: thin');
  });

  test('it was not made for a challenge that came later', async () => {
    const line = ['verify', at('thin'), ...signed, '--challenge', 'of-another-verifier'];
    const { code, out } = await called(...line);
    expect(out).toContain(`it was made for the challenge ${challenge}, which is not yours`);
    expect(code).toBe(1);
  });

  test('its exchanges are judged again to the same verdicts', async () => {
    const { code, err } = await called('recheck', at('thin'), '-q', '--json', at('again.json'));
    const again: RunResult = JSON.parse(readFileSync(at('again.json'), 'utf8'));
    const report = reportIn('thin');
    // Durations are measured and not judged.
    const timeless = ({ checks }: RunResult) => checks.map(({ durationMs: _, ...check }) => check);
    expect(timeless(again)).toEqual(timeless(report));
    expect(again.traffic.requests).toBe(report.traffic.requests);
    expect(err).toContain(`Judged again from ${report.traffic.requests} exchanges`);
    expect(code).toBe(0);
  });

  test('a verifier who demands more refuses it, and is told what is missing', async () => {
    writeFileSync(
      at('policy.yaml'),
      'models: { allListed: true }\npublicKeys: [vendor-public.pem]\n',
    );
    const demand = ['--profile', 'gateway', '--policy', at('policy.yaml')];
    const { code, out } = await called('verify', at('thin'), ...demand);
    expect(out).toContain(`REFUSED: "${at('thin')}" is intact, and less than you demand.`);
    expect(out).toMatch(/^- it does not meet the profile gateway: \d+ MUSTs missing: /m);
    expect(out).toMatch(/^- \d+ listed models not judged: /m);
    expect(code).toBe(1);
  });

  test('without a key it is intact, and nobody knows who made it', async () => {
    const { code, out } = await called('verify', at('thin'));
    expect(out).toContain('\nINTACT: ');
    expect(out).toContain(': nobody named its key\n');
    expect(out).not.toContain('VERIFIED');
    expect(code).toBe(2);
  });

  test('another key is none of the vendor', async () => {
    const other = ['--public-key', at('somebody-public.pem')];
    const { code, out } = await called('verify', at('thin'), ...other);
    expect(out).toBe(
      `REJECTED: "${at('thin')}" is not what it claims to be.\n` +
        '- attestation.json has no signature of the given key\n',
    );
    expect(code).toBe(1);
  });

  test.each([
    ['swapped answers', swapAnswers, 'fail: expected'],
    ['a cut stream', truncateStream, 'fail: expected'],
    ['swapped exchanges', swapExchanges, 'error: The recording is stale'],
  ])('%s, of which all else knows, is found', async (_, tamper, said) => {
    const bundle = copyOf('thin');
    const pretended = tamper(bundle);
    makeConsistent(bundle, vendor);
    const { code, out } = await called('verify', bundle, ...signed);
    for (const id of pretended) {
      expect(out).toContain(`- ${id}: the report says pass, its exchanges say ${said}`);
    }
    expect(code).toBe(1);
  });
});

describe('of a nonconformant gateway', { timeout: patience }, () => {
  test('a bundle is written that is no certificate', async () => {
    expect(faulty?.err).toContain(`Bundle (not a certificate): ${at('faulty')}, FAILED, signed.`);
    expect(faulty?.code).toBe(1);
    const line = ['verify', at('faulty'), ...signed, '--html', at('faulty.html')];
    const { code, out } = await called(...line);
    expect(readFileSync(at('faulty.html'), 'utf8')).toContain(' id="exchange-0">');
    expect(out).toMatch(/\nNONCONFORMANT: .* is no certificate: it is the bundle of a nonconf/);
    expect(code).toBe(1);
  });

  test('a report that was made conformant is rejected, although all else agrees with it', async () => {
    const bundle = copyOf('faulty');
    const failed = reportIn('faulty').checks.filter(({ verdict }) => verdict.state === 'fail');
    changeChecks(bundle, (checks) => checks.map(passed));
    makeConsistent(bundle, vendor);
    const { code, out } = await called('verify', bundle, ...signed);
    expect(failed.length).toBeGreaterThan(0);
    for (const { id } of failed) {
      expect(out).toContain(`- ${id}: the report says pass, its exchanges say fail: expected`);
    }
    expect(out).not.toContain('VERIFIED');
    expect(code).toBe(1);
  });
});

describe('a forgery', { timeout: patience }, () => {
  test.each(forgeries)(
    'with $name is seen, or is worth no more than that it is intact',
    async ({ of = 'thin', forge, said, intact, over }) => {
      const bundle = copyOf(of);
      await forge(bundle);
      const { code, out } = await called('verify', bundle);
      expect(out).toMatch(said);
      expect(out).toMatch(intact ? /^INTACT: /m : over ? /^UNJUDGED: / : /^REJECTED: /);
      expect(out).not.toMatch(/^VERIFIED|^signature +by /m);
      expect(code).toBe(intact ? 2 : over ? 6 : 1);
      // A verifier who names the key of the vendor, or has a challenge, is not deceived at all.
      for (const demand of intact ? [signed, ['--challenge', challenge]] : []) {
        const demanded = await called('verify', bundle, ...demand);
        const replayed = demand !== signed && /not checkable/.test(said.source);
        expect(demanded.out).toMatch(replayed ? /^INTACT: /m : /^REJECTED: /);
      }
    },
  );

  test('of another build counts where that build is named', async () => {
    const bundle = copyOf('thin');
    forgeries.find(({ name }) => name === 'the digest of another build')?.forge(bundle);
    const { code, out } = await called('verify', bundle, '--allow-other-build', '0'.repeat(64));
    expect(out).toMatch(/^build +SHA-256 "0{64}", another than this one: you allowed it$/m);
    expect(code).toBe(2);
  });
});

describe('a folder of bundles', { timeout: patience }, () => {
  test('is a table, and a page that leads to each report', async () => {
    const vendors = at('vendors');
    mkdirSync(vendors);
    for (const name of ['thin', 'faulty', 'forged']) {
      cpSync(at(name === 'forged' ? 'thin' : name), join(vendors, name), { recursive: true });
    }
    writeFileSync(join(vendors, 'forged', 'report.html'), '<script>alert(1)</script>');
    symlinkSync(at('thin'), join(vendors, 'link <b>'));
    const [list, reports] = [join(vendors, 'index.html'), join(vendors, 'reports')];
    const line = ['verify', vendors, ...signed, '--html', list, '--reports', reports];
    const { code, out } = await called(...line);
    expect(out).toMatch(/^NONCONFORMANT +"faulty" +signed +"faulty" +profile messages; /m);
    expect(out).toMatch(/^REJECTED +"forged"\n {2}"report\.html" does not belong to a bundle$/m);
    expect(out).toMatch(/^REJECTED +"link <b>"\n {2}it is a link, and no folder$/m);
    expect(out).toMatch(/^VERIFIED +"thin" +signed +"thin" +profile messages; \d+ of \d+ MUSTs/m);
    expect(code).toBe(1);
    expect(readdirSync(reports)).toEqual(['faulty.html', 'thin.html']);
    const page = readFileSync(list, 'utf8');
    expect(page).toContain('<a href="reports/thin.html">&quot;thin&quot;</a>');
    expect(page).toContain('4 bundles: 1 VERIFIED, 1 NONCONFORMANT, 2 REJECTED.');
    expect(page).not.toMatch(/<script|<b>/);
    expect(out).not.toContain('"reports"');
  });

  test('of good ones is as good as the worst', async () => {
    const vendors = at('good-vendors');
    cpSync(at('thin'), join(vendors, 'thin'), { recursive: true });
    expect(await called('verify', vendors, ...signed)).toMatchObject({ code: 0 });
    const { code, out } = await called('verify', vendors);
    expect(out).toMatch(/^INTACT +"thin" +intact /m);
    expect(code).toBe(2);
  });
});

describe('nothing is sent, and nothing bundled,', () => {
  test('where the target cannot be tested for all that is required', async () => {
    const { owner, sameUser, restricted } = keys;
    const target = { keys: { owner, sameUser, restricted } };
    const { code, err, requests } = await certified(folder, 'missing', { target });
    expect(err).toContain('Not certifiable: some required checks cannot be tested.');
    expect(err).toContain('add `keys.otherUser` to the target file');
    expect(code).toBe(2);
    expect(requests).toBe(0);
    expect(existsSync(at('missing'))).toBe(false);
  });

  test.each([
    ['without a folder', ['certify'], "required option '-o, --out <folder>'"],
    ['of no target', ['certify', '-o', at('none')], 'No target is named'],
    [
      'for a challenge that may be known',
      ['certify', '-o', at('none'), '--challenge', 'short', '--reference', 'embedded'],
      'Expected 16 to 128 letters, digits',
    ],
    [
      'for a challenge and a seed',
      [
        'certify',
        '-o',
        at('none'),
        '--challenge',
        challenge,
        '--seed',
        '1',
        '--reference',
        'embedded',
      ],
      'The seed follows from --challenge',
    ],
    [
      'into a folder that holds something',
      ['certify', '-o', folder, '--reference', 'embedded'],
      `--out ${folder}: this folder is not empty`,
    ],
    [
      'with a key that is none',
      ['certify', '-o', at('none'), '--key', at('vendor-public.pem'), '--reference', 'embedded'],
      'vendor-public.pem is not a private key in PEM',
    ],
    ['to verify a bundle that is not there', ['verify', at('nowhere')], 'nowhere is not a folder'],
    [
      'to verify with a private key',
      ['verify', folder, '--public-key', at('vendor.pem')],
      'vendor.pem is a private key',
    ],
    [
      'to write a report into a bundle',
      ['verify', at('thin'), '--html', at('thin/sub/report.html')],
      'name a file outside of it',
    ],
  ])('%s', async (_, line, message) => {
    const { code, err } = await called(...line);
    expect(err).toContain(message);
    expect(code).toBe(3);
  });
});

function passed(check: CheckResult): CheckResult {
  return check.verdict.state === 'fail' ? { ...check, verdict: { state: 'pass' } } : check;
}
