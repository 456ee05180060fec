import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { listAt } from '../../kernel/core/json-value.ts';
import { fixture } from '../../kernel/core/package-root.ts';
import { isOf, profilesNamed } from '../../kernel/core/profiles.ts';
import { sampleCheck, sampleRun } from '../../kernel/core/samples/run.ts';
import { restrictionNames } from '../../kernel/core/verdict.ts';
import { demandsOf } from './demands.ts';
import { originProblems, type Policy, policyProblems } from './policy.ts';
import { parsePolicy } from './policy-file.ts';

const { checks, claims } = loadCatalogue();
const [chat] = profilesNamed(['chat'], claims);
const passed = checks
  .filter(({ id, level }) => level === 'MUST' && chat !== undefined && isOf(id, chat))
  .map(({ id }) => sampleCheck(id, { state: 'pass' }));
const target = {
  name: 'staging',
  regions: [{ name: 'eu', baseUrl: 'https://eu.example/prefix' }],
  singleRegion: true,
  models: { judged: ['m-1'], listed: 9, leftOut: 8, named: ['m-2\n'] },
} as const;
const report = sampleRun(passed, { target, startedAt: '2026-01-01T00:00:00.000Z' });
const suite = { name: 'gateway-touchstone', version: '0.1.0', sha256: '5'.repeat(64) };
const now = new Date('2026-01-31T12:00:00.000Z');

function problems(policy: Policy, isChallenged = false): readonly string[] {
  return policyProblems(policy, { report, environment: { suite }, isChallenged }, now);
}

test('what meets a policy has no problems', () => {
  const policy: Policy = {
    profiles: ['chat'],
    restrictions: ['single-region'],
    models: { atLeast: 1 },
    suite: { versions: ['0.1.0'], builds: ['5'.repeat(64)] },
    catalogueRevision: 1,
    maxAgeDays: 31,
    hosts: ['eu.example'],
    challenge: true,
  };
  expect(problems(policy, true)).toEqual([]);
});

test.each<[Policy, string]>([
  [{ restrictions: [] }, 'it is restricted: single-region, which the policy does not allow'],
  [{ models: { atLeast: 2 } }, '1 model judged: 2 are demanded'],
  [{ models: { allListed: true } }, '8 listed models not judged: "m-2\\n"'],
  [{ strict: true }, 'it is not strict: a SHOULD may not hold'],
  [
    { suite: { versions: ['0.2.0', '0.3.0'] } },
    'it was judged by version "0.1.0" of the suite, and not by "0.2.0", "0.3.0"',
  ],
  [
    { suite: { builds: ['6'.repeat(64)] } },
    `it was judged by another build of the suite: SHA-256 "${'5'.repeat(64)}"`,
  ],
  [{ catalogueRevision: 2 }, 'it was judged by revision 1 of the catalogue, and not by 2 or later'],
  [{ maxAgeDays: 30 }, 'it is 30.5 days old: 30 are allowed'],
  [{ hosts: ['us.example'] }, 'its region "eu" is at "eu.example", and not at "us.example"'],
  [{ challenge: true }, 'it was not made for a challenge of yours: give --challenge TEXT'],
])('a certificate lacks what %j demands', (policy, said) => {
  expect(problems({ restrictions: ['single-region'], ...policy })).toEqual([said]);
});

test('a thinner certificate is told what is missing', () => {
  const without = passed.map((check, index) =>
    index < 5
      ? sampleCheck(check.id, {
          ...{ state: 'not-applicable', reason: 'no model declares `chat`' },
          gap: { kind: 'protocol', names: ['chat'] },
        })
      : check,
  );
  const thin = { ...report, checks: without };
  const verified = { report: thin, environment: { suite }, isChallenged: false };
  expect(
    policyProblems({ profiles: ['chat'], restrictions: ['single-region'] }, verified, now),
  ).toEqual([
    expect.stringMatching(
      /^it does not meet the profile chat: 5 MUSTs missing: \S+ \(no model declares `chat`\), .+ and 2 more$/,
    ),
  ]);
});

test('a policy can demand each profile, and allow each restriction', () => {
  const schema = JSON.parse(readFileSync(fixture('policy.schema.json'), 'utf8'));
  expect(listAt(schema, 'properties.profiles.items.enum')).toEqual(
    claims.profiles.map(({ name }) => name),
  );
  expect(listAt(schema, 'properties.restrictions.items.enum')).toEqual(restrictionNames);
});

test.each([
  [
    'profile: chat\n',
    'p.yaml:1:1  profile\n  `profile` is not a field of a policy. Did you mean `profiles`?',
  ],
  ['profiles: [chats]\n', '"chats" is unknown here. Did you mean `chat`?'],
  ['maxAgeDays: 0\n', 'This is 0: expected 0.001 to 36500.'],
  ['suite: { builds: [abc] }\n', 'p.yaml:1:19  suite.builds[0]\n  This is no SHA-256'],
  ['profiles: [chat\n', 'This is not valid YAML'],
])('what is wrong with a policy is said, with its place: %j', (text, said) => {
  expect(() => parsePolicy(text, 'p.yaml')).toThrow(said);
});

test('a verifier demands hosts and an age, and may do so without a policy', () => {
  const { origin = {} } = demandsOf({ hosts: ['us.example'], maxAgeDays: 0.5 });
  const report = sampleRun([], { startedAt: '2026-11-23T12:00:00.000Z' });
  const late = new Date('2026-11-24T12:00:00.000Z');
  expect(originProblems(origin, report, late)).toEqual([
    'it is 1 days old: 0.5 are allowed',
    ...report.target.regions.map(({ name, baseUrl }) => {
      const { host } = new URL(baseUrl);
      return `its region "${name}" is at "${host}", and not at "us.example"`;
    }),
  ]);
  expect(originProblems(demandsOf({}).origin ?? {}, report, late)).toEqual([]);
});
