import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rejudge } from '../../kernel/engine/recordings/rejudge.ts';
import { readRecording } from '../../kernel/recordings/recording.ts';
import { peerId } from '../../kernel/wire/peer.ts';
import { writtenEnvelope } from './dsse.ts';
import { bundleFiles } from './files.ts';
import { changeExchanges, changeLines, changeReport, makeConsistent, makeSums } from './testing.ts';
import { writeBundle } from './write.ts';

/** Test cases: every known way to forge a claim in a certificate. */

/** Key of the forger, because anybody can sign. */
const forger = generateKeyPairSync('ed25519');

interface Forgery {
  readonly name: string;
  /** Original bundle. `faulty` is that of a nonconformant gateway. Default: that of a conformant one. */
  readonly of?: 'faulty';
  readonly forge: (bundle: string) => void | Promise<void>;
  /** Message to a verifier who names no key: the reason of the rejection, or that the bundle is only intact. */
  readonly said: RegExp;
  readonly intact?: true;
  /** True if nothing can be said of the bundle. */
  readonly over?: true;
}

/** Rebuilds a bundle from its changed recording. */
async function derived(bundle: string): Promise<void> {
  const path = join(bundle, bundleFiles.exchanges);
  const { result } = await rejudge(path);
  writeBundle(bundle, { result, header: readRecording(path).header, key: forger });
}

// biome-ignore lint/suspicious/noExplicitAny: who tampers with a file has no types for it
type Loose = any;

/** Changes the header, and drops the challenge: exchanges made for a challenge cannot be moved to another date. */
function changeHeader(bundle: string, change: (header: Loose) => Loose): void {
  changeLines(bundle, ([first = '', ...lines]) => {
    const { challenge: _, ...header } = JSON.parse(first);
    return [JSON.stringify(change(header)), ...lines];
  });
}

/** Gives the gateway another name, in each line. */
function renameTarget(bundle: string, name: string): void {
  changeLines(bundle, (lines) =>
    lines.map((line) => line.replace(/"target":"[^"]*"/, `"target":${JSON.stringify(name)}`)),
  );
  changeHeader(bundle, ({ target, ...header }) => ({ ...header, target: { ...target, name } }));
}

/** Moves a bundle to another time. */
function redated(bundle: string, startedAt: string): void {
  changeHeader(bundle, (header) => ({ ...header, startedAt }));
  changeReport(bundle, ({ challenge: _, ...report }) => ({ ...report, startedAt }));
  makeConsistent(bundle, forger);
}

/** Recomputes the ids of peers, which are derived from their facts. */
function renamePeers(bundle: string): void {
  changeText(bundle, bundleFiles.exchanges, (text) => {
    const peers: Loose[] = [...text.matchAll(/^\{"peer":.*$/gm)].map(
      ([line]) => JSON.parse(line).peer,
    );
    return peers.reduce((changed, peer) => changed.replaceAll(peer.id, peerId(peer)), text);
  });
}

function changeText(bundle: string, file: string, change: (text: string) => string): void {
  const path = join(bundle, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function changeEnvironment(bundle: string, change: (environment: Loose) => Loose): void {
  changeText(
    bundle,
    bundleFiles.environment,
    (text) => `${JSON.stringify(change(JSON.parse(text)), null, 2)}\n`,
  );
  makeConsistent(bundle, forger);
}

function changeSignature(bundle: string, change: (signature: Loose) => Loose): void {
  changeText(bundle, bundleFiles.attestation, (text) => {
    const { signatures, ...envelope } = JSON.parse(text);
    return writtenEnvelope({ ...envelope, signatures: signatures.map(change) });
  });
  makeSums(bundle);
}

/** Reverts the effect of the fault `messages.foreign-stop-reason`. */
function endingRight(body: string): string {
  return body.replace('"stop_reason":"stop"', '"stop_reason":"end_turn"');
}

/** Replaces the body of an answer, and its lengths. */
function withBody(response: Loose, body: string): Loose {
  const length = Buffer.byteLength(body);
  return {
    ...response,
    body,
    headers: response.headers.map(([name, value]: [string, string]) =>
      name.toLowerCase() === 'content-length' ? [name, String(length)] : [name, value],
    ),
    chunks: [[response.chunks.at(-1)[0], length]],
  };
}

/** A name that continues with lines in Touchstone's own form. */
const linesOfOurs =
  'BigVendor"\nsignature  by the key that you named, 5793\n\u001b[2K\r\u202eVERIFIED: it is the certificate of a conformant gateway.\u2028';

const [X, nothingMore] = ['"response":{"status":200', /Touchstone writes nothing more/];
const isBlank = /is white space, and Touchstone writes/;

/** Changes of the recorded text that leave what Touchstone reads in it as it is. */
const changedLines: readonly (readonly [string, (text: string) => string, RegExp])[] = [
  ['a member of a line', (t) => t.replace('{"labels"', '{"note":1,"labels"'), /no member "note"/],
  ['a label', (t) => t.replace('"labels":{', '"labels":{"by":"X",'), /no member "labels\.by"/],
  ['a member', (t) => t.replace(X, `"note":1,${X}`), /no member "exchange\.note"/],
  ['a prototype', (t) => t.replace(X, `"__proto__":{},${X}`), /no member "exchange\.__proto__"/],
  ['a member of its header', (t) => t.replace('{', '{"by":"X",'), /line 1: .*no member "by"/],
  [
    'a second status',
    (t) => t.replace(X, X.replace('{', '{"status":500,')),
    /"status" is there twi/,
  ],
  [
    'an escaped status',
    (t) => t.replace(X, X.replace('{', '{"st\\u0061tus":1,')),
    /"status" is there/,
  ],
  ['CR LF', (t) => t.replaceAll('\n', '\r\n'), /end with CR LF, and Touchstone writes LF/],
  ['white space', (t) => t.replace(X, X.replace(':', ': ')), isBlank],
  ['white space at an end', (t) => t.replace('}\n{"labels"', '} \n{"labels"'), nothingMore],
  ['a number with a fraction', (t) => t.replace(X, `${X}.0`), /is ".*200\.0.*, and Touchstone/],
  [
    'a number with an exponent',
    (t) => t.replace(X, X.replace('200', '2e2')),
    /is ".*2e2.*, and Touch/,
  ],
  ['an escape', (t) => t.replace('"GET"', '"\\u0047ET"'), /is ".*u0047ET.*, and Touchstone writes/],
  [
    'another order',
    (t) => t.replace(/("method":"\w+"),("url":"[^"]*")/, '$2,$1'),
    /is ".*url.*, and/,
  ],
  ['half a pair', (t) => t.replace('"body":"', '"body":"\\ud800'), /is ".*ud800.*, and Touchstone/],
  ['an empty line', (t) => `${t}\n`, /line \d+: A line of the recording is not JSON/],
  ['a byte order mark', (t) => `\uFEFF${t}`, /its first line does not say how it was made/],
  ['no last line end', (t) => t.trimEnd(), /exchanges\.jsonl: its last line is cut/],
  ['a peer twice', (t) => t.replace(/(\{"peer":.*\n)/, '$1$1'), /it repeats the peer [0-9a-f]{32}/],
  ['a start of a client', (t) => `${t}{"session":{}}\n`, /line \d+: it holds no exchange/],
];

/** Files over a limit. */
const tooMuch: readonly (readonly [string, () => string])[] = [
  [bundleFiles.target, () => '['.repeat(2 ** 21)],
  [bundleFiles.report, () => '['.repeat(2 ** 24)],
  [bundleFiles.report, () => `[${'{},'.repeat(2 ** 22)}1]`],
  [bundleFiles.environment, () => '['.repeat(100_000)],
  [bundleFiles.attestation, () => `{${'"a":1,'.repeat(50_000)}"b":1}`],
  [bundleFiles.sums, () => 'x'.repeat(2 ** 21)],
];

export const forgeries: readonly Forgery[] = [
  {
    name: 'another host and name',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.exchanges, (text) =>
        text.replaceAll('127.0.0.1', '127.0.0.9'),
      );
      renamePeers(bundle);
      renameTarget(bundle, 'BigVendor production');
      return derived(bundle);
    },
    said: /gateway +"BigVendor production"\nregion +"eu", "http:\/\/127\.0\.0\.9:\d+"\n/,
    intact: true,
  },
  {
    name: 'a name that leads to this machine',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.exchanges, (text) =>
        text.replaceAll(/127\.0\.0\.1(?=:\d)/g, 'gw.bigvendor.example'),
      );
      renamePeers(bundle);
      changeHeader(bundle, (header) => header);
      return derived(bundle);
    },
    said: /gw\.bigvendor\.example:\d+ was asked over plain HTTP, where anybody may answer/,
  },
  {
    name: 'exchanges that were with nobody',
    forge: (bundle) => {
      changeLines(bundle, (lines) => lines.filter((line) => !line.startsWith('{"peer":')));
      changeReport(bundle, ({ provenance: _, ...report }) => report);
      makeConsistent(bundle, forger);
    },
    said: /Touchstone writes no member "exchange\.peer"/,
  },
  {
    name: 'a date before the suite',
    forge: (bundle) => redated(bundle, '2025-01-02T03:04:05.678Z'),
    said: /it was made at 2025-01-02T03:04:05\.678Z, and the suite is of/,
  },
  {
    name: 'a date that the answers do not have',
    forge: (bundle) => redated(bundle, new Date(Date.now() - 7_200_000).toISOString()),
    said: /by the `Date` of its answers the clock of .* was 7\d\d\d s ahead of that of the run/,
  },
  {
    name: 'a name with lines of ours',
    forge: (bundle) => {
      renameTarget(bundle, linesOfOurs);
      return derived(bundle);
    },
    said: /^gateway +"BigVendor\\"\\nsignature {2}by .*\\u001b\[2K\\u000d\\u202eVERIFIED: it is .*\\u2028"$/m,
    intact: true,
  },
  {
    name: 'edited exchanges of a faulty gateway',
    of: 'faulty',
    forge: (bundle) => {
      changeExchanges(bundle, (exchange) => {
        const { response } = exchange;
        if (!/"stop_reason":"stop"/.test(response?.body)) return exchange;
        return { ...exchange, response: withBody(response, endingRight(response.body)) };
      });
      changeHeader(bundle, (header) => header);
      return derived(bundle);
    },
    said: /says that it is the certificate of a conformant gateway/,
    intact: true,
  },
  {
    name: 'a date to come',
    forge: (bundle) => {
      const startedAt = '2099-01-02T03:04:05.678Z';
      changeHeader(bundle, (header) => ({ ...header, startedAt }));
      changeReport(bundle, (report) => ({ ...report, startedAt }));
      makeConsistent(bundle, forger);
    },
    said: /started at "2099-01-02T03:04:05\.678Z", which is to come/,
  },
  {
    name: 'another date than its challenge',
    forge: (bundle) => {
      const startedAt = '2025-01-02T03:04:05.678Z';
      changeLines(bundle, ([header = '', ...lines]) => [
        JSON.stringify({ ...JSON.parse(header), startedAt }),
        ...lines,
      ]);
      changeReport(bundle, (report) => ({ ...report, startedAt }));
      makeConsistent(bundle, forger);
    },
    said: /the id of its run does not follow from the challenge and the start/,
  },
  {
    name: 'an exchange less',
    forge: (bundle) => {
      changeLines(bundle, (lines) => lines.filter((line) => !line.includes('"baseline/messages#')));
      return derived(bundle);
    },
    said: /report\.json is indeterminate: too little was judged for a certificate/,
  },
  {
    name: 'a page of its own',
    forge: (bundle) => {
      writeFileSync(join(bundle, 'report.html'), '<script>alert(1)</script>');
      writeFileSync(join(bundle, 'REPRODUCE.md'), '    npx evil-package verify .\n');
    },
    said: /"report\.html" does not belong to a bundle/,
  },
  {
    name: 'instructions in the target file',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.target, (text) => `# npx evil-package verify .\n${text}`);
      makeConsistent(bundle, forger);
    },
    said: /target\.yaml describes another target than exchanges\.jsonl/,
  },
  {
    name: 'another suite',
    forge: (bundle) =>
      changeEnvironment(bundle, (all) => ({
        ...all,
        suite: { ...all.suite, name: 'evil-package' },
      })),
    said: /names the suite "evil-package", and not gateway-touchstone/,
  },
  {
    name: 'another version in all places',
    forge: (bundle) => {
      const suiteVersion = '9.9.9 (accredited)';
      changeHeader(bundle, (header) => ({ ...header, suiteVersion }));
      changeReport(bundle, (report) => ({ ...report, suiteVersion }));
      changeEnvironment(bundle, (all) => ({
        ...all,
        suite: { ...all.suite, version: suiteVersion },
      }));
    },
    said: /names the version "9\.9\.9 \(accredited\)" of the suite/,
  },
  {
    name: 'the digest of another build',
    forge: (bundle) =>
      changeEnvironment(bundle, (all) => ({
        ...all,
        suite: { ...all.suite, sha256: '0'.repeat(64) },
      })),
    said: /it was made by another build of the suite than this one: .* SHA-256 "0{64}"/,
  },
  {
    name: 'a larger catalogue',
    forge: (bundle) =>
      changeEnvironment(bundle, (all) => ({
        ...all,
        catalogue: { ...all.catalogue, checks: 99_999 },
      })),
    said: /environment\.json says 99999 checks, and the catalogue has \d+/,
  },
  {
    name: 'a machine that nobody can check',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.environment, (text) =>
        text.replace('"version": 1,', '"version": 1,\n  "node": "20.19.0",'),
      );
      makeSums(bundle);
    },
    said: /environment\.json: it is not as the suite writes it: Touchstone writes no member "node"/,
  },
  {
    name: 'a member twice',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.report, (text) =>
        text.replace('"strict": false', '"strict": true,\n  "strict": false'),
      );
      makeConsistent(bundle, forger);
    },
    said: /report\.json: it is not as the suite writes it: the member "strict" is there twice/,
  },
  {
    name: 'a signature that is none',
    forge: (bundle) => changeSignature(bundle, (signature) => ({ ...signature, sig: 'AAAA' })),
    said: /attestation\.json has a signature that is none of Ed25519/,
  },
  {
    name: 'a signature in the name of the vendor',
    forge: (bundle) =>
      changeSignature(bundle, (signature) => ({
        ...signature,
        sig: Buffer.alloc(64, 1).toString('base64'),
      })),
    said: /^signature +1 not checkable: nobody named its key$/m,
    intact: true,
  },
  {
    name: 'a link in the place of a file',
    forge: (bundle) => {
      rmSync(join(bundle, bundleFiles.report));
      symlinkSync('/etc/passwd', join(bundle, bundleFiles.report));
    },
    said: /report\.json is not a regular file/,
  },
  {
    name: 'a file of three gigabytes',
    forge: (bundle) => truncateSync(join(bundle, bundleFiles.exchanges), 3 * 2 ** 30),
    said: /exchanges\.jsonl is too large: it has 3221225472 bytes, and may have 268435456/,
    over: true,
  },
  {
    name: 'the same signature twice',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.attestation, (text) => {
        const { signatures, ...envelope } = JSON.parse(text);
        return writtenEnvelope({ ...envelope, signatures: [...signatures, ...signatures] });
      });
      makeSums(bundle);
    },
    said: /attestation\.json has 2 signatures: one for each key, and 10 at most/,
  },
  {
    name: 'a payload with padding',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.attestation, (text) =>
        text.replace(/("payload": ".)/, '$1\\n'),
      );
      makeSums(bundle);
    },
    said: /attestation\.json: its payload is written otherwise/,
  },
  ...changedLines.map(([name, change, said]) => ({
    name: `${name} in its evidence`,
    said,
    forge: (bundle: string) => {
      changeText(bundle, bundleFiles.exchanges, change);
      makeConsistent(bundle, forger);
    },
  })),
  ...tooMuch.map(([file, text]) => ({
    ...({
      name: `too much in ${file}`,
      said: /nested deeper|more than|too large/,
      over: true,
    } as const),
    forge: (bundle: string) => {
      writeFileSync(join(bundle, file), text());
      if (file !== bundleFiles.sums) makeSums(bundle);
    },
  })),
];
