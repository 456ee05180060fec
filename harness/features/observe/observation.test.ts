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

test('which rows can be judged without a run', async () => {
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
  expect(named('by content')).toMatchInlineSnapshot(`
    [
      "access/credentials.key-not-echoed",
      "access/credentials.no-key-shown",
      "counting/generative.shape",
      "counting/messages.shape",
      "counting/responses.shape",
      "everywhere/answers.asked-model",
      "everywhere/answers.echo",
      "everywhere/answers.failure-has-error",
      "everywhere/answers.ids-unique",
      "everywhere/answers.service-goes-on",
      "everywhere/answers.times-in-run",
      "everywhere/consistent.call-ending-has-call",
      "everywhere/consistent.call-has-call-ending",
      "everywhere/consistent.cut-item-last",
      "everywhere/consistent.input-of-repeats",
      "everywhere/consistent.items-whole",
      "everywhere/consistent.kinds-in-order",
      "everywhere/consistent.limit-told",
      "everywhere/consistent.named-once",
      "everywhere/consistent.nothing-unasked",
      "everywhere/consistent.output-shown",
      "everywhere/consistent.usage-adds-up",
      "everywhere/consistent.usage-of-completed",
      "everywhere/consistent.usage-of-one-stream",
      "everywhere/consistent.whole-when-complete",
      "everywhere/content.no-inner-addresses",
      "everywhere/native.body-not-enveloped",
      "everywhere/native.created-in-seconds",
      "everywhere/native.ending-fits-request",
      "everywhere/native.error-before-stream",
      "everywhere/native.error-content-type",
      "everywhere/native.error-fits-status",
      "everywhere/native.error-shape",
      "everywhere/native.event-stream-content-type",
      "everywhere/native.json-content-type",
      "everywhere/native.json-unless-asked",
      "everywhere/native.last-event-closed",
      "everywhere/native.members-once",
      "everywhere/native.no-byte-order-mark",
      "everywhere/native.no-foreign-events",
      "everywhere/native.refusal-not-enveloped",
      "generation/asked.done-in-every-answer",
      "generation/asked.served-together",
      "generation/asked.stop-kept",
      "generation/chat-completions-stream.call-named-once",
      "generation/chat-completions-stream.chunk-shape",
      "generation/chat-completions-stream.data-only",
      "generation/chat-completions-stream.done-is-last",
      "generation/chat-completions-stream.filter-chunk-shape",
      "generation/chat-completions-stream.no-repeated-text",
      "generation/chat-completions-stream.nothing-after-finish",
      "generation/chat-completions-stream.one-finish",
      "generation/chat-completions-stream.one-id",
      "generation/chat-completions-stream.role-first",
      "generation/chat-completions-stream.usage-chunk",
      "generation/chat-completions.full-shape",
      "generation/chat-completions.id-unique",
      "generation/chat-completions.shape",
      "generation/compact.shape",
      "generation/generative-stream.chunk-shape",
      "generation/generative-stream.data-only",
      "generation/generative-stream.ends-with-blank-line",
      "generation/generative-stream.finish-last",
      "generation/generative-stream.no-done",
      "generation/generative-stream.no-repeated-text",
      "generation/generative-stream.one-finish",
      "generation/generative-stream.response-id-constant",
      "generation/generative-stream.usage-on-last",
      "generation/generative.shape",
      "generation/limits.kept-in-every-answer",
      "generation/messages-stream.blocks-open-and-close",
      "generation/messages-stream.event-name-is-type",
      "generation/messages-stream.indexes-in-order",
      "generation/messages-stream.known-event-shapes",
      "generation/messages-stream.message-start-once-first",
      "generation/messages-stream.message-stop-last",
      "generation/messages-stream.no-overlap",
      "generation/messages-stream.no-repeated-text",
      "generation/messages-stream.stop-reason-before-stop",
      "generation/messages-stream.usage-present",
      "generation/messages.id-unique",
      "generation/messages.shape",
      "generation/responses-stream.created-first",
      "generation/responses-stream.deltas-join-to-text",
      "generation/responses-stream.event-name-is-type",
      "generation/responses-stream.event-name-present",
      "generation/responses-stream.events-typed",
      "generation/responses-stream.ids-constant",
      "generation/responses-stream.indexes-append",
      "generation/responses-stream.items-open-and-close",
      "generation/responses-stream.known-event-shapes",
      "generation/responses-stream.one-terminal-last",
      "generation/responses-stream.parts-open-and-close",
      "generation/responses-stream.sequence-from-zero",
      "generation/responses-stream.sequence-increases",
      "generation/responses-stream.status-while-running",
      "generation/responses-stream.terminal-matches-status",
      "generation/responses.full-shape",
      "generation/responses.id-unique",
      "generation/responses.shape",
      "generation/responses.status-explained",
      "generation/tools.messages-call-not-over",
      "generation/tools.messages-stop-reason",
      "generation/usage.counts-input",
      "generation/usage.counts-output",
      "generation/usage.counts-whole-request",
      "generation/usage.parts-within",
      "interruption/recovery.event-grammar",
      "models/catalog.shape",
      "models/list.shape",
      "storage/responses.input-items-contain-input",
      "storage/responses.input-items-ends-named",
      "storage/responses.input-items-shape",
      "storage/responses.lookup-equals-created",
      "storage/responses.lookup-shape",
      "websocket/connection.event-grammar",
    ]
  `);
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
