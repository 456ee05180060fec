import { expect, test } from 'vitest';
import { exchangeId, formatId } from '../../kernel/core/exchange-id.ts';
import { runIdentity } from '../../kernel/drawn/challenge.ts';
import { chance } from '../../kernel/drawn/chance.ts';
import { clientRequestId } from '../../kernel/drawn/request-id.ts';
import { answered } from '../../kernel/engine/testing.ts';
import type { Recording, RecordingHeader } from '../../kernel/recordings/recording.ts';
import { withDefaults } from '../../kernel/targets/defaults.ts';
import { sessionLine } from '../sessions/session.ts';
import { witnessProblems } from './witness.ts';

const challenge = '6f1d9c20b7e84a35';
const startedAt = '2026-11-23T12:00:00.000Z';
const target = withDefaults(
  { regions: [{ name: 'eu', baseUrl: 'https://eu.example' }], keys: { owner: 'x' }, models: [] },
  'staging',
);

function recording(fields: Partial<RecordingHeader> = {}, ids: readonly string[] = []): Recording {
  const header: RecordingHeader = {
    ...{ format: 'gateway-touchstone/recording', version: 2, suiteVersion: '1', catalogue: 'c' },
    ...{ startedAt, strict: false, filters: [], target, challenge },
    ...runIdentity(1, challenge, startedAt),
    ...fields,
  };
  const own = ['t/one', 't/two'].map((scenario) => exchangeId({ scenario }));
  const exchanges = own.map((id, index) => {
    const named = ids[index] ?? clientRequestId(header.runId, id);
    const sent = answered('{}', { id });
    const request = { ...sent.request, headers: [['x-client-request-id', named] as const] };
    return { ...sent, request };
  });
  return { header, exchanges, sessions: [], cut: false };
}

test('what was sent for a challenge follows from it', () => {
  expect(witnessProblems(recording(), challenge)).toEqual([]);
  expect(witnessProblems(recording(), null)).toEqual([]);
});

test('a run for another challenge, or for none, is not witnessed', () => {
  const other = 'another-challenge';
  expect(witnessProblems(recording(), other)).toEqual([
    `it was made for the challenge ${challenge}, which is not yours`,
  ]);
  const { challenge: _, ...header } = recording().header;
  const without = { ...recording(), header };
  expect(witnessProblems(without, challenge)).toEqual([
    'it was made without a challenge, so it may have been made before yours',
  ]);
  expect(witnessProblems(without, null)).toEqual([]);
});

test.each([
  [{ seed: 7 }, /seed does not follow/],
  [{ runId: '76d9f878-1e46-4017-871a-4d7ac91ae79d' }, /id of its run does not follow/],
  // Recordings moved to another day, or to another challenge.
  [{ startedAt: '2026-11-24T12:00:00.000Z' }, /id of its run does not follow/],
])('a header that was changed: %j', (fields, problem) => {
  expect(witnessProblems(recording(fields), challenge)).toEqual([expect.stringMatching(problem)]);
});

test('the first request of another run is named, and one without an id', () => {
  const { header } = recording();
  const [one, other] = [exchangeId({ scenario: 't/one' }), exchangeId({ scenario: 't/two' })];
  expect(
    witnessProblems(
      recording({}, [clientRequestId(header.runId, one), clientRequestId('older', other)]),
      challenge,
    ),
  ).toEqual([
    `the id of the request ${formatId(other)} does not follow from its run: another run has sent it`,
  ]);
  const [first] = recording().exchanges;
  if (first === undefined) throw new Error('There is none');
  const bare = { ...first, request: { ...first.request, headers: [] } };
  expect(witnessProblems({ ...recording(), exchanges: [bare] }, null)).toHaveLength(1);
});

test('a client was asked for words of this run', () => {
  const run = recording({
    target: { ...target, client: { command: ['c'], tasks: false, speaks: [] } },
  });
  const id = exchangeId({ scenario: 'client/served', lane: 'responses' });
  const word = chance(run.header.seed, formatId(id)).word();
  const started = (own: string): readonly string[] => [
    sessionLine({
      ...{ id, word: own, protocol: 'responses', task: 'generate', stream: false, script: {} },
      ...{ model: 'm', mask: '*', region: 'eu', exchanges: [], met: true },
      run: {
        ...{ startedAt: 0, endedAt: 1, exit: 0, endedBy: 'itself', stdout: '', stderr: '' },
        ...{ answer: null, problem: null },
      },
    }),
  ];
  expect(witnessProblems({ ...run, sessions: started(word) }, challenge)).toEqual([]);
  const older = started('w00000000000000');
  expect(witnessProblems({ ...run, sessions: older }, challenge)).toEqual([
    `the word of the start ${formatId(id)} does not follow from the seed: it is of another run`,
  ]);
});
