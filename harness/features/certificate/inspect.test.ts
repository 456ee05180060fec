import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { suiteVersion } from '../../kernel/core/package-root.ts';
import { type CheckResult, suiteOf } from '../../kernel/core/result.ts';
import { sampleRun } from '../../kernel/core/samples/run.ts';
import type { CheckVerdict } from '../../kernel/core/verdict.ts';
import { beginRecording, readRecording } from '../../kernel/recordings/recording.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { temporaryFolder } from '../../testing.ts';
import { writtenEnvelope } from './dsse.ts';
import { attestedFiles, bundleFiles } from './files.ts';
import { inspect } from './inspect.ts';
import { changeChecks, changeLines, changeReport, makeConsistent, makeSums } from './testing.ts';
import { writeBundle } from './write.ts';

const root = temporaryFolder();

const key = generateKeyPairSync('ed25519');
const catalogue = loadCatalogue();
const pass: CheckVerdict = { state: 'pass' };

/** A report in which every check of the catalogue passes. */
const checks = catalogue.checks.map(
  ({ id, requirement, level, basis }): CheckResult => ({
    id,
    suite: suiteOf(id),
    requirement: requirement.id,
    level,
    text: requirement.text,
    basis,
    scenarios: ['sample'],
    verdict: pass,
  }),
);
const result = sampleRun(checks, {
  suiteVersion,
  startedAt: new Date().toISOString(),
  catalogue: { revision: catalogue.revision, sha256: catalogue.digest },
});
const target = withDefaults(
  {
    regions: [{ name: 'eu', baseUrl: 'https://eu.example' }],
    keys: { owner: 'canary-owner-key', otherUser: 'canary-other-key' },
    models: [{ id: 'm', protocols: ['responses'] }],
  },
  'staging',
);

let folder: string;
const inside = (name: string): string => join(folder, name);
const inspected = (...signers: (typeof key.publicKey)[]) =>
  inspect(folder, { signers, otherBuilds: [], challenge: null });
const problems = (): readonly string[] => inspected(key.publicKey).problems;

beforeEach(() => {
  folder = mkdtempSync(join(root, 'b-'));
  const { seed, runId, startedAt, strict, filters } = result;
  beginRecording(inside(bundleFiles.exchanges), {
    ...{ suiteVersion, catalogue: catalogue.digest, target },
    ...{ seed, runId, startedAt, strict, filters },
  }).close();
  const { header } = readRecording(inside(bundleFiles.exchanges));
  writeBundle(folder, { result, header, key });
});

test('a bundle that was left alone is in order, signed or not', () => {
  expect(problems()).toEqual([]);
  expect(inspected().bundle?.report.verdict).toBe('conformant');
  makeConsistent(folder, null);
  expect(inspected().problems).toEqual([]);
});

test('no key of the target stands in it', () => {
  for (const name of [...attestedFiles(bundleFiles.target), bundleFiles.attestation]) {
    expect(readFileSync(inside(name), 'utf8')).not.toContain('canary');
  }
});

describe('of a file', () => {
  const all = [...attestedFiles(bundleFiles.target), bundleFiles.attestation];

  test.each(all)('%s, a changed byte is seen, wherever it is', (name) => {
    const original = readFileSync(inside(name));
    for (const at of [0, original.length >> 1, original.length - 1]) {
      const bytes = Buffer.from(original);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(inside(name), bytes);
      expect(problems()).toEqual([`${name} was changed: its SHA-256 is not the one in SHA256SUMS`]);
    }
  });

  test('SHA256SUMS, a changed byte is seen, wherever it is', () => {
    const original = readFileSync(inside(bundleFiles.sums));
    // Every seventh: sums, names, spaces and line ends are among them.
    for (let at = 0; at < original.length; at += 7) {
      const bytes = Buffer.from(original);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(inside(bundleFiles.sums), bytes);
      expect(problems().length).toBeGreaterThan(0);
    }
  });

  test.each([...all, bundleFiles.sums])('%s, its absence is seen', (name) => {
    rmSync(inside(name));
    expect(problems()).toEqual([`${name} is missing`]);
  });

  test('a further one is seen, and what is no file', () => {
    writeFileSync(inside('.hidden'), '');
    mkdirSync(inside('more'));
    expect(problems()).toEqual([
      '".hidden" does not belong to a bundle',
      '"more" does not belong to a bundle',
    ]);
  });

  test('the sums name no file elsewhere', () => {
    appendFileSync(inside(bundleFiles.sums), `${'0'.repeat(64)}  ../../etc/passwd\n`);
    expect(problems()).toEqual([
      'SHA256SUMS names "../../etc/passwd", which does not belong to a bundle',
    ]);
  });
});

describe('though all sums were made again, it is seen that', () => {
  const dropped = checks[7]?.id ?? '';

  test('the report was changed and the statement was not', () => {
    changeChecks(folder, (all) => all.map((one) => (one.id === dropped ? fail(one) : one)));
    makeSums(folder);
    expect(problems()).toEqual(
      [
        'subject',
        'predicate.result',
        'predicate.configuration',
        'predicate.passedTests',
        'predicate.failedTests',
      ].map((member) => `attestation.json: its ${member} does not follow from the other files`),
    );
  });

  test('somebody else has signed', () => {
    makeConsistent(folder, generateKeyPairSync('ed25519'));
    expect(problems()).toEqual(['attestation.json has no signature of the given key']);
  });

  test('it is another statement that is signed', () => {
    const path = inside(bundleFiles.attestation);
    const envelope = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, writtenEnvelope({ ...envelope, payloadType: 'text/plain' }));
    makeSums(folder);
    expect(inspected().problems).toEqual(['attestation.json holds no in-toto Statement']);
    writeFileSync(path, writtenEnvelope({ ...envelope, payload: `\n${envelope.payload}` }));
    makeSums(folder);
    expect(problems().join()).toContain('attestation.json: its payload is written otherwise');
  });

  test('a check was dropped', () => {
    changeChecks(folder, (all) => all.filter(({ id }) => id !== dropped));
    makeConsistent(folder, key);
    expect(problems()).toEqual([`report.json has no verdict on ${dropped}`]);
  });

  test('a check was added, or stands there twice', () => {
    changeChecks(folder, ([first, ...all]) =>
      first === undefined ? all : [first, first, ...all, { ...first, id: 'rules/all.is-well' }],
    );
    makeConsistent(folder, key);
    expect(problems()).toEqual([
      'report.json has a check twice',
      'report.json has a verdict on "rules/all.is-well", which no catalogue has',
    ]);
  });

  // A list of known failures does not change what a certificate requires.
  test.each(['conformant', 'known-failures'] as const)(
    'the verdict does not follow from the checks: %s',
    (verdict) => {
      changeChecks(folder, (all) => all.map((one) => (one.id === dropped ? fail(one) : one)));
      const knownFailures = { file: 'k', entries: [dropped], excused: [dropped], stale: [] };
      changeReport(folder, (report) => ({ ...report, verdict, knownFailures }));
      makeConsistent(folder, key);
      expect(problems()).toEqual([
        `report.json says ${verdict}, but its verdicts come to nonconformant`,
      ]);
    },
  );

  test.each([
    [
      'partial',
      { state: 'untestable', reason: 'no key', gap: { kind: 'key', names: ['otherUser'] } },
    ],
    ['indeterminate', { state: 'error', reason: 'broke' }],
  ] as const)('the run is %s', (verdict, state) => {
    changeChecks(folder, ([first, ...all]) =>
      first === undefined ? all : [{ ...first, level: 'MUST', verdict: state }, ...all],
    );
    makeConsistent(folder, key);
    expect(problems()).toEqual([
      `report.json is ${verdict}: too little was judged for a certificate`,
    ]);
  });

  test('the run was of a part, or was interrupted', () => {
    changeReport(folder, (report) => ({ ...report, filters: ['input/'], interrupted: true }));
    makeConsistent(folder, key);
    expect(problems()).toEqual([
      'report.json is of a part of the checks only',
      'report.json is of a run that was interrupted',
    ]);
  });

  test('another catalogue was judged by', () => {
    const other = '0'.repeat(64);
    const path = inside(bundleFiles.environment);
    const text = readFileSync(path, 'utf8').replaceAll(catalogue.digest, other);
    writeFileSync(path, text);
    changeLines(folder, (lines) => lines.map((line) => line.replace(catalogue.digest, other)));
    makeConsistent(folder, key);
    expect(problems()).toEqual([
      `it was judged by the catalogue of "gateway-touchstone@${suiteVersion}", revision ${catalogue.revision}, which is ` +
        `another than the one here, revision ${catalogue.revision}: verify it with that version`,
    ]);
  });

  test('it is of the time when a claim left general checks out', () => {
    const id = 'everywhere/native.no-byte-order-mark';
    const left = { state: 'excluded', reason: 'Not claimed', unclaimed: true } as const;
    changeReport(folder, (report) => ({
      ...report,
      target: { ...report.target, claims: { profiles: ['chat'], stated: true } },
      catalogue: { revision: 7, sha256: '0'.repeat(64) },
      checks: report.checks.map((one) => (one.id === id ? { ...one, verdict: left } : one)),
    }));
    makeConsistent(folder, key);
    expect(problems()).toEqual([
      'it is of revision 7 of the catalogue, when a claim ("chat") left out what is judged of every gateway since: ' +
        `1 MUST not judged, such as "${id}". Revision ${catalogue.revision} judges them: ask for a new certificate`,
      `it was judged by the catalogue of "gateway-touchstone@${suiteVersion}", revision 7, which is another than the ` +
        `one here, revision ${catalogue.revision}: verify it with that version`,
    ]);
  });

  test('the target file describes something else than what was judged', () => {
    const path = inside(bundleFiles.target);
    writeFileSync(path, readFileSync(path, 'utf8').replace('eu.example', 'other.example'));
    makeConsistent(folder, key);
    expect(problems()).toEqual(['target.yaml describes another target than exchanges.jsonl']);
    writeFileSync(path, `${readFileSync(path, 'utf8')}more: \${HOME}\n`);
    makeConsistent(folder, key);
    expect(problems().join()).toContain('target.yaml');
    writeFileSync(path, '['.repeat(100_000));
    makeConsistent(folder, key);
    expect(problems()).toEqual(['target.yaml describes another target than exchanges.jsonl']);
  });

  test.each([
    [bundleFiles.report, '{"format":"gateway-touchstone/report","version":2,"checks":[1]}'],
    [bundleFiles.exchanges, '{"labels":{}}\n'],
    [bundleFiles.environment, '{"version":1}'],
    [bundleFiles.attestation, '[]'],
    [bundleFiles.report, 'no JSON'],
  ])('%s is none: %s', (name, text) => {
    writeFileSync(inside(name), text);
    makeSums(folder);
    expect(problems()).toEqual([expect.stringContaining(`${name}: `)]);
  });

  test('it is of an older version of reports', () => {
    writeFileSync(inside(bundleFiles.report), '{"format":"gateway-touchstone/report","version":1}');
    makeSums(folder);
    expect(problems().join()).toContain('report.json: it is a report of version 1, and this suite');
  });
});

function fail(check: CheckResult): CheckResult {
  const finding = { expected: 'this', actual: 'that', evidence: null };
  return { ...check, level: 'MUST', verdict: { state: 'fail', ...finding } };
}
