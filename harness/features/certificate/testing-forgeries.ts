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
function withBody({ headers, chunks, ...response }: Loose, body: string): Loose {
  const length = Buffer.byteLength(body);
  return {
    ...response,
    body,
    headers: headers.map(([name, value]: [string, string]) =>
      name.toLowerCase() === 'content-length' ? [name, String(length)] : [name, value],
    ),
    chunks: [[chunks.at(-1)[0], length]],
  };
}

/** A name that continues with lines in Touchstone's own form. */
const linesOfOurs =
  'BigVendor"\nsignature  by the key that you named, 5793\n\u001b[2K\r\u202eVERIFIED: it is the certificate of a conformant gateway.\u2028';

export const forgeries: readonly Forgery[] = [
  {
    name: 'another host and name',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.exchanges, (text) =>
        text.replaceAll('127.0.0.1', '127.0.0.9'),
      );
      renamePeers(bundle);
      changeHeader(bundle, ({ target, ...header }) => ({
        ...header,
        target: { ...target, name: 'BigVendor production' },
      }));
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
    said: /it does not say with whom the exchange .* was/,
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
      changeHeader(bundle, ({ target, ...header }) => ({
        ...header,
        target: { ...target, name: linesOfOurs },
      }));
      return derived(bundle);
    },
    said: /^gateway +"BigVendor\\"\\nsignature {2}by .*\\u001b\[2K\\u000d\\u202eVERIFIED: it is .*\\u2028"$/m,
    intact: true,
  },
  {
    name: 'edited exchanges of a faulty gateway',
    of: 'faulty',
    forge: (bundle) => {
      changeExchanges(bundle, ({ response, ...exchange }) =>
        /"stop_reason":"stop"/.test(response?.body)
          ? { ...exchange, response: withBody(response, endingRight(response.body)) }
          : { ...exchange, response },
      );
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
    said: /environment\.json: it says more than what judged/,
  },
  {
    name: 'a member twice',
    forge: (bundle) => {
      changeText(bundle, bundleFiles.report, (text) =>
        text.replace('"strict": false', '"strict": true,\n  "strict": false'),
      );
      makeConsistent(bundle, forger);
    },
    said: /report\.json: it is not written as the suite writes it/,
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
  },
];
