import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatId } from '../../kernel/core/index.ts';
import { headerLine } from '../../kernel/recordings/recording.ts';
import { referenceTarget } from '../../kernel/targets/reference.ts';
import { faults } from '../../proof/faults/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { explore, runIdOf } from './explore.ts';
import type { Find } from './finds.ts';
import { actsOf } from './history.ts';
import { HistoryRecorder } from './history-recorder.ts';
import { exploredAgain } from './rejudge-exploration.ts';

const folder = temporaryFolder();
const [whole, bounded, changed] = ['whole', 'bounded', 'changed'].map((name) =>
  join(folder, `${name}.jsonl`),
) as [string, string, string];

const defect = faults.find(({ id }) => id === 'delete.stays-made-by-background');
const started = await referenceTarget(defect === undefined ? {} : { defect });
// A response that is not gone at once is never gone.
const limits = { ...started.target.limits, consistencyMs: 50 };
const target = { ...started.target, limits };
const keys = Object.values(target.keys);
const seed = 1;
const bounds = { generations: 100, requests: 500, minutes: 1 };
const header = headerLine({
  ...{ suiteVersion: '0', catalogue: '0', startedAt: '2025-01-02T03:04:05.000Z', seed, target },
  ...{ runId: runIdOf(seed), strict: false, filters: [], explored: { ...bounds, bytes: 0 } },
});
const all = new HistoryRecorder(whole, header, Number.POSITIVE_INFINITY);
const few = new HistoryRecorder(bounded, header, 0);
const add = all.add.bind(all);
all.add = (name, exchange) => {
  add(name, exchange);
  few.add(name, exchange);
};
const explored = await explore({
  ...{ target, seed, ...bounds, ms: 60_000, histories: 4, recorder: all },
  signal: new AbortController().signal,
  onPerformed: (performed, { matters }) => {
    for (const one of [all, few]) one.ended(performed, matters);
  },
});
for (const one of [all, few]) {
  one.end(explored, { incomplete: null, durationMs: 1 });
  one.close();
}
await started.close();

const inShort = ({ violation, history, foundIn, foundActs, times }: Find) => ({
  ...{ kind: violation.kind, clause: violation.clause, n: violation.n, actual: violation.actual },
  ...{
    exchange: formatId(violation.exchange.id),
    history: actsOf(history),
    foundIn,
    foundActs,
    times,
  },
});

test('a recording comes to the same finds, without the gateway', async () => {
  expect(explored.finds.length).toBeGreaterThan(0);
  const again = await exploredAgain(whole);
  expect(again.stale).toEqual([]);
  expect(again.explored.finds.map(inShort)).toEqual(explored.finds.map(inShort));
  const { finds: _, ...totals } = explored;
  expect(again.explored).toMatchObject(totals);
  const end = { incomplete: null, durationMs: 1, recorded: again.judged, leftOut: 0 };
  expect(again.end).toEqual({ ...totals, ...end });
});

test('it holds no key', () => {
  const text = readFileSync(whole, 'utf8');
  for (const key of keys) expect(text).not.toContain(key);
});

test('one that was bounded has all finds, and says what it has not', async () => {
  const again = await exploredAgain(bounded);
  const untimed = (find: Find) => ({ ...inShort(find), times: 0 });
  expect(again.explored.finds.map(untimed)).toEqual(explored.finds.map(untimed));
  expect(again.end?.leftOut).toBeGreaterThan(0);
  expect(again.judged).toBe(again.end?.recorded);
  expect(readFileSync(bounded).length).toBeLessThan(readFileSync(whole).length);
});

interface Recorded {
  readonly id: string;
  readonly about: { readonly operation: string; readonly key: string };
  readonly request: { readonly method: string; url: string };
  response: { status: number; body: string; chunks: unknown[] };
}

/** Judges the recording again in which the exchange with this id was changed. */
async function againWith(id: string, edit: (exchange: Recorded) => void) {
  const lines = readFileSync(whole, 'utf8').split('\n');
  const edited = lines.map((line) => {
    if (!line.includes(`"id":${JSON.stringify(id)}`)) return line;
    const parsed = JSON.parse(line);
    edit(parsed.exchange);
    return JSON.stringify(parsed);
  });
  writeFileSync(changed, edited.join('\n'));
  return exploredAgain(changed);
}

test('other answers come to another verdict, and other requests to none', async () => {
  const refusal = JSON.stringify({ error: { type: 'not_found_error', message: 'no', code: null } });
  const [first] = explored.finds;
  const shown = first === undefined ? '' : formatId(first.violation.exchange.id);
  const refused = await againWith(shown, ({ response }) => {
    response.status = 404;
    response.body = refusal;
    response.chunks = [[0, refusal.length]];
  });
  const still = refused.explored.finds.find(
    ({ violation }) => violation.kind === first?.violation.kind,
  );
  expect(still && formatId(still.violation.exchange.id)).not.toBe(shown);
  const { stale } = await againWith(shown, ({ request }) => {
    request.url += '0';
  });
  expect(stale).toHaveLength(1);
});

test('an answer that breaks the specification is found in a recording that did not have it', async () => {
  const lookups = readFileSync(whole, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"responses.lookup"'))
    .map((line): Recorded => JSON.parse(line).exchange);
  const served = lookups.find(({ response }) => response.status === 200);
  const denied = lookups.find(({ response }) => response.status === 403 || response.status === 404);
  if (served === undefined || denied === undefined) throw new Error('No such lookups were drawn.');
  expect(explored.finds.map((find) => formatId(find.violation.exchange.id))).not.toContain(
    denied.id,
  );
  const { explored: again, stale } = await againWith(denied.id, (exchange) => {
    exchange.response = served.response;
  });
  expect(stale).toEqual([]);
  const found = again.finds.filter((find) => formatId(find.violation.exchange.id) === denied.id);
  expect(found.map(({ violation }) => violation.expected)).toContain('denied');
});

test('one that was cut short keeps what was exchanged of histories that had not ended', async () => {
  const [header = ''] = readFileSync(whole, 'utf8').split('\n');
  const cut = new HistoryRecorder(changed, header, Number.POSITIVE_INFINITY);
  const [find] = explored.finds;
  if (find === undefined) throw new Error('Nothing was found.');
  cut.add('test', find.violation.exchange);
  expect(readFileSync(changed, 'utf8').split('\n')).toHaveLength(2);
  cut.close();
  expect(readFileSync(changed, 'utf8')).toContain(formatId(find.violation.exchange.id));
  expect(await exploredAgain(changed)).toMatchObject({ end: null, judged: 0, stale: [] });
});
