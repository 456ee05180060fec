import { expect, test } from 'vitest';
import { sampleCheck, sampleRun } from '../core/samples/run.ts';
import { type CheckVerdict, flagsOf, restrictionNames } from '../core/verdict.ts';
import { renderBadgeEndpoint } from './badge.ts';
import { renderConsole } from './console.ts';
import { renderCtrf } from './ctrf.ts';
import { explain } from './explanation.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { claimInWords, scopeInWords } from './scope.ts';

const pass: CheckVerdict = { state: 'pass' };
const noProbe: CheckVerdict = {
  state: 'untestable',
  reason: 'the gateway has no probe `ledger`',
  gap: { kind: 'probe', names: ['ledger'] },
  restriction: 'without-probes',
};
const checks = [
  sampleCheck('generation/chat-completions.shape', pass),
  sampleCheck('models/list.shape', pass),
  sampleCheck('metering/ledger.counting-free:count-tokens', noProbe),
  sampleCheck('generation/messages.shape', {
    state: 'excluded',
    reason: 'Outside of what the target file claims',
    unclaimed: true,
  }),
  sampleCheck('generation/systemone.shape', { state: 'not-applicable', reason: 'none' }),
];
const regions = [{ name: 'eu', baseUrl: 'https://eu.example' }];
const target = {
  name: 'staging',
  regions,
  withoutProbes: true,
  claims: { profiles: ['chat'], stated: true },
  models: { judged: ['m-1'], listed: 3, leftOut: 2, named: ['m-2', '\u001b[31mm-\n3'] },
} as const;
const run = sampleRun(checks, { target });

test('what is left open and not claimed makes no run partial, and is named in every report', () => {
  const { verdict, why } = explain(run);
  expect(verdict).toBe('CONFORMANT: profile chat; without-probes');
  expect(why).toBe(
    'Every requirement that applies holds: 2 of 5 MUSTs passed, 1 not applicable. Scope: 1 of 3 listed ' +
      'models; 1 MUST left open by without-probes: metering/ledger (1); 1 MUST not claimed; catalogue revision 1. ' +
      'Listed, and not judged: "m-2", "\\x1b[31mm- 3".',
  );
  expect(JSON.parse(renderBadgeEndpoint(run)).message).toBe(
    'conformant, profile chat; without-probes, 1 of 3 listed models, 2 of 5 MUSTs, catalogue 1',
  );
  for (const report of [renderJunit(run), renderCtrf(run)]) {
    expect(report).toContain('profile chat; without-probes');
  }
});

test.each([
  [{ claims: { profiles: [], stated: false }, withoutProbes: undefined }, 'no profile'],
  [
    { claims: { profiles: ['chat', 'messages'], stated: false } },
    'profiles chat, messages; without-probes',
  ],
  [{ singleRegion: true }, 'profile chat; single-region, without-probes'],
  [
    { singleUser: true, oneKeyPerUser: true, noPermissions: true, withoutProbes: undefined },
    'profile chat; single-user, one-key-per-user, no-permissions',
  ],
])('the line of a verdict names what was judged', (fields, said) => {
  const { withoutProbes, ...rest } = { ...target, ...fields };
  const changed = { ...rest, ...(withoutProbes ? { withoutProbes } : {}) } as typeof target;
  expect(claimInWords(sampleRun(checks, { target: changed }))).toBe(said);
});

test.each(restrictionNames)('%s stands in every report', (name) => {
  const { withoutProbes: _, ...rest } = target;
  const restricted = sampleRun(checks, { target: { ...rest, ...flagsOf([name]) } });
  const reports = [
    renderConsole(restricted, { colour: false, width: 80 }),
    renderHtml(restricted, new Map()),
    renderMarkdown(restricted),
    renderJson(restricted),
    renderJunit(restricted),
    renderCtrf(restricted),
    renderBadgeEndpoint(restricted),
  ];
  for (const report of reports) expect(report).toContain(name);
});

test('that there is no profile is explained', () => {
  const none = { ...target, claims: { profiles: [], stated: false } };
  const said = scopeInWords(sampleRun(checks, { target: none }));
  expect(said).toContain('What the models declare is too little for any profile.');
  expect(scopeInWords(run).join()).not.toContain('too little');
});

test('a part of a run is no profile', () => {
  expect(claimInWords(sampleRun(checks, { target, filters: ['models/'] }))).toBeNull();
  expect(claimInWords({ ...run, shard: { index: 1, of: 2 } })).toBeNull();
});

test('where no list was shown, nothing is said of listed models', () => {
  const models = { judged: ['m-1'], listed: null, leftOut: 0, named: [] };
  expect(scopeInWords({ ...run, target: { ...target, models } })[0]).toMatch(
    /^Scope: 1 model; 1 MUST/,
  );
});
