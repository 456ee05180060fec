import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../../kernel/core/exchange.ts';
import type { RunResult } from '../../kernel/core/result.ts';
import { idFrom } from '../../kernel/core/testing.ts';
import { suiteChecks } from '../../kernel/engine/registry.ts';
import { targetAt } from '../../kernel/engine/testing.ts';
import { temporaryFolder } from '../../testing.ts';
import { judgingOf, Observation, type ObservationOptions } from './observation.ts';
import { rejudgeObserved } from './rejudge-observed.ts';

const target = targetAt('http://gateway.example');
const prompt = 'What nobody else may read.';

let count = 0;

/** A completion that somebody got. */
function completion(id: string, body: object = {}): Exchange {
  const started = count++;
  const answer = {
    id,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    ...body,
  };
  const bytes = Buffer.from(JSON.stringify(answer));
  return {
    id: idFrom(`observed#here/${started}`),
    about: {
      operation: 'chat-completions.create',
      protocol: 'chat-completions',
      region: target.regions[0]?.name ?? '',
      key: 'owner',
    },
    request: {
      method: 'POST',
      url: 'http://gateway.example/v1/chat/completions',
      headers: [
        ['content-type', 'application/json'],
        ['authorization', 'Bearer ********'],
      ],
      body: Buffer.from(
        JSON.stringify({
          model: 'm',
          max_tokens: 16,
          messages: [{ role: 'user', content: `${prompt} ${started}` }],
        }),
      ),
    },
    response: {
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['date', 'Tue, 14 Nov 2023 22:13:20 GMT'],
      ],
      body: bytes,
      chunks: [{ at: started, end: bytes.length }],
      complete: true,
    },
    socket: null,
    failure: null,
    times: { started, headers: started, ended: started },
    echoed: [],
  };
}

async function observed(
  exchanges: readonly Exchange[],
  options: Partial<ObservationOptions> = {},
): Promise<RunResult> {
  const observation = await Observation.of({ target, source: 'proxy', ...options });
  for (const exchange of exchanges) {
    observation.add(exchange);
    await observation.look();
  }
  return observation.end();
}

const verdictIn = ({ checks }: RunResult, id: string) =>
  checks.find((check) => check.id === id)?.verdict;
const unique = 'generation/chat-completions.id-unique';

test('rows that are judged on every exchange can be judged without a run, but for these', async () => {
  const rows = (await suiteChecks()).flatMap((check) => {
    if (check.everywhere === undefined) return [];
    const isByContent = judgingOf(check, 'HAR') !== null;
    const onTheWire = judgingOf(check, 'proxy') === null ? 'never' : 'on the wire';
    return [[check.definition.requirement.id, isByContent ? 'by content' : onTheWire] as const];
  });
  const named = (how: string) =>
    [...new Set(rows.filter(([, observed]) => observed === how).map(([id]) => id))].sort();
  expect(named('on the wire')).toMatchInlineSnapshot(`
    [
      "everywhere/answers.message-ends",
      "everywhere/answers.utf-8",
      "everywhere/answers.whole-letters",
      "everywhere/content.not-for-shared-caches",
    ]
  `);
  expect(named('never')).toMatchInlineSnapshot(`
    [
      "everywhere/content.denials-show-no-output",
      "everywhere/content.own-words-only",
      "everywhere/content.withheld",
      "interruption/connection.harness-sends-once",
      "interruption/connection.partial-request-free",
      "metering/ledger.charged-once",
      "metering/ledger.compact-charged-once",
      "metering/ledger.compact-metered",
      "metering/ledger.counting-free",
      "metering/ledger.forbidden-not-run",
      "metering/ledger.generation-recorded",
      "metering/ledger.interrupted-recorded",
      "metering/ledger.kept-after-deletion",
      "metering/ledger.kept-after-retention",
      "metering/ledger.operations-free",
      "metering/ledger.record-fits-request",
      "metering/ledger.record-matches-usage",
      "metering/ledger.refusals-free",
      "storage/continuation.reads-history",
    ]
  `);
  expect(named('by content').length).toBeGreaterThan(100);
});

test('what was not seen is not applicable, and what only a run can judge is excluded', async () => {
  const result = await observed([completion('one')]);
  expect(result).toMatchObject({ verdict: 'partial', observed: 'proxy' });
  expect(verdictIn(result, 'generation/chat-completions.shape')).toEqual({
    state: 'pass',
    points: { judged: 1, broken: 0 },
  });
  expect(verdictIn(result, 'generation/messages.shape')?.state).toBe('not-applicable');
  expect(verdictIn(result, 'generation/messages.max-tokens-required')).toEqual({
    state: 'excluded',
    reason: 'Only a run can judge it, by what it sends or serves itself',
  });
  expect((await observed([])).verdict).toBe('indeterminate');
});

test('however much passes, all is judged, and only the latest is kept beside it', async () => {
  const many = Array.from({ length: 60 }, (_, n) => completion(n === 35 ? 'id-30' : `id-${n}`));
  const bounds = { exchanges: 20, bytes: 1e9 };
  const near = await observed(many, { bounds });
  expect(verdictIn(near, 'generation/chat-completions.shape')).toMatchObject({
    points: { judged: 60, broken: 0 },
  });
  expect(verdictIn(near, unique)).toMatchObject({ state: 'fail', points: { judged: 60 } });
  // Exchanges of long ago are dropped: nobody is blamed for what cannot be shown any more.
  const far = await observed([...many.slice(0, 35), ...many.slice(36), completion('id-1')], {
    bounds,
  });
  expect(verdictIn(far, unique)).toMatchObject({ state: 'pass', points: { judged: 60 } });
  const bytes = await observed(many, { bounds: { exchanges: 1e9, bytes: 2_000 } });
  expect(verdictIn(bytes, 'generation/chat-completions.shape')).toMatchObject({
    points: { judged: 60 },
  });
});

test('what is wrong is known as it comes, and still when it is kept no longer', async () => {
  const observation = await Observation.of({
    target,
    source: 'proxy',
    bounds: { exchanges: 4, bytes: 1e9 },
  });
  for (let n = 0; n < 12; n++) {
    observation.add(completion(`no-${n}`, n % 2 === 0 ? {} : { object: 'completion' }));
    await observation.look();
    const shape = observation.progress.wrong.find(({ id }) => id.endsWith('completions.shape'));
    expect(shape?.exchanges ?? 0).toBe(Math.floor((n + 1) / 2));
  }
  const result = await observation.end();
  expect(verdictIn(result, 'generation/chat-completions.shape')).toMatchObject({
    state: 'fail',
    points: { judged: 12, broken: 6 },
  });
  expect(observation.progress).toMatchObject({ requests: 12, generations: 12 });
});

test('no body is shown unless it is recorded, and a recording is judged alike', async () => {
  const exchanges = [completion('a', { object: 'x' }), completion('b')];
  const silent = JSON.stringify(await observed(exchanges));
  expect(silent).not.toContain('nobody else');
  const recording = join(temporaryFolder(), 'seen.jsonl');
  const spoken = await observed(exchanges, { recording });
  expect(JSON.stringify(spoken)).toContain('nobody else');
  expect(readFileSync(recording, 'utf8').split('\n')).toHaveLength(4);
  const { result } = await rejudgeObserved(recording);
  const { durationMs: _, ...again } = result;
  const { durationMs: __, ...first } = spoken;
  expect(again).toEqual(first);
});
