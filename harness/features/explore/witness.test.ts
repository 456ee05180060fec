import { expect, test } from 'vitest';
import { inventedWord } from '../../kernel/drawn/invented-word.ts';
import { targetAt } from '../../kernel/engine/testing.ts';
import { no } from '../../kernel/judge/judged.ts';
import type { Keys } from '../../kernel/targets/target.ts';
import type { Sent } from './perform.ts';
import { actOn, create, history, response, sentOf } from './testing.ts';
import { Witness } from './witness.ts';

const target = targetAt('http://here', { consistencyMs: 10 });

function broken(...sent: readonly Sent[]): readonly string[] {
  const all = history(...sent);
  const judge = new Witness(target);
  return judge
    .violationsIn([...all.values()], all)
    .map(({ n, row, clause, level }) => `${n} ${row} ${clause} ${level}`);
}

const made = sentOf(create, response('Once.'));
const lookup = (n: number, answer: object, more = {}) => sentOf(actOn(n, 'lookup'), answer, more);
const equals = 'storage/responses.lookup-equals-created RESP-4 MUST';

test('a lookup shows the response that was asked for, as its creation showed it', () => {
  expect(broken(made, lookup(1, response('Once.')))).toEqual([]);
  expect(broken(made, lookup(1, response('Twice.')))).toEqual([`1 ${equals}`]);
  expect(broken(made, lookup(1, response('Once.', { id: 'resp_1' })))).toEqual([`1 ${equals}`]);
  expect(broken(made, lookup(1, response('Twice.'), { judged: no('403') }))).toEqual([]);
});

test('of one that ran, lookups are compared with the first that showed its end', () => {
  const runs = sentOf({ ...create, mode: 'background' }, response('', { status: 'queued' }));
  const [first, same] = [lookup(1, response('Once.')), lookup(2, response('Once.'))];
  const other = lookup(3, response('Twice.'));
  expect(broken(runs, first, same)).toEqual([]);
  expect(broken(runs, first, same, other)).toEqual([`3 ${equals}`]);
  const again = lookup(3, response('', { status: 'in_progress' }));
  expect(broken(runs, first, again)).toEqual([`3 ${equals}`]);
  // A response stored a moment ago may not be visible everywhere yet.
  expect(broken(runs, first, { ...again, started: first.ended + 5 })).toEqual([]);
  expect(broken(runs, first, { ...other, started: first.ended - 1 })).toEqual([]);
});

test('what a cancel makes of it is not said, unless it was refused', () => {
  const other = lookup(2, response('On', { status: 'incomplete' }));
  const cancel = sentOf(actOn(1, 'cancel'), response(''));
  expect(broken(made, cancel, other)).toEqual([]);
  expect(broken(made, { ...cancel, served: null }, other)).toEqual([]);
  expect(broken(made, { ...cancel, served: false }, other)).toEqual([`2 ${equals}`]);
});

const words = [inventedWord([1, 2, 3, 4]), inventedWord([5, 6, 7, 8])];
const chain = [
  sentOf(create, response('One.'), { words: words.slice(0, 1) }),
  sentOf({ ...create, n: 1, previous: 0 }, response('Two.'), { words: words.slice(1) }),
];

function items(...shown: readonly (readonly [role: string, place: number])[]) {
  const data = shown.map(([role, place]) => ({
    ...{ type: 'message', role, content: [{ type: 'input_text', text: `Of ${words[place]}.` }] },
  }));
  return sentOf(actOn(2, 'input-items', { of: 1 }), { object: 'list', data, has_more: false });
}

test('each input is listed once, in the order in which it was sent, or the other way round', () => {
  const row = 'storage/responses.input-items-contain-input RESP-6';
  expect(broken(...chain, items(['user', 0], ['assistant', 0], ['user', 1]))).toEqual([]);
  expect(broken(...chain, items(['user', 1], ['user', 0]))).toEqual([]);
  expect(broken(...chain, items(['user', 1]))).toEqual([]);
  expect(broken(...chain, items(['user', 1], ['user', 1]))).toEqual([`2 ${row} MUST`]);
});

const events = (id: string, numbers: readonly number[], text: string) => {
  const run = { id, object: 'response', output: [], status: 'in_progress' };
  return numbers.map((sequence_number) => {
    if (sequence_number === 0) return { type: 'response.created', sequence_number, response: run };
    if (sequence_number === 9) {
      const end = { ...response(text), id };
      return { type: 'response.completed', sequence_number, response: end };
    }
    const delta = { delta: text, item_id: 'msg_0', output_index: 0, content_index: 0 };
    return { type: 'response.output_text.delta', sequence_number, ...delta };
  });
};

test('events that are fetched again are of the response, each once, and make up its text', () => {
  const streamed = sentOf(
    { ...create, mode: 'background-stream' },
    events('resp_0', [0, 1, 9], 'Once.'),
  );
  const recover = (numbers: readonly number[], text = 'Once.', id = 'resp_0', mode = 'after') =>
    sentOf(
      actOn(1, 'recover', { requestMode: mode === 'after' ? 'after' : 'whole' }),
      events(id, numbers, text),
    );
  const later = '1 interruption/recovery.only-later-events EVENT-10 MUST';
  expect(broken(streamed, recover([1, 9]))).toEqual([]);
  expect(broken(streamed, recover([0, 1, 9], 'Once.', 'resp_0', 'whole'))).toEqual([]);
  expect(broken(streamed, recover([0, 1, 9]))).toEqual([later]);
  expect(broken(streamed, recover([1, 1, 9]))).toEqual([later]);
  expect(broken(streamed, recover([1, 9], 'Once.', 'resp_1'))).toEqual([later]);
  const text = '1 interruption/recovery.completes-text EVENT-10 MUST';
  expect(broken(streamed, recover([1, 9], 'Twice.'))).toEqual([text]);
  // The whole text may come with the last event, unless the numbers show that events are missing.
  const alone = (sequence_number: number) => {
    const event = { type: 'response.completed', sequence_number, response: response('Once.') };
    return sentOf(actOn(1, 'recover', { requestMode: 'after' }), [event]);
  };
  expect(broken(streamed, alone(1))).toEqual([]);
  expect(broken(streamed, alone(9))).toEqual([text]);
  const cancel = sentOf(actOn(3, 'cancel'), response(''), { started: 8 });
  expect(broken(streamed, cancel, recover([1, 9], 'On'))).toEqual([]);
  expect(broken(streamed, { ...cancel, served: false }, recover([1, 9], 'On'))).toEqual([text]);
});

test('a run that nobody has stopped is not cancelled when another is', () => {
  const runs = sentOf({ ...create, mode: 'background' }, response('', { status: 'queued' }));
  const other = { ...runs, act: { ...create, n: 1 }, id: 'resp_1' };
  const stop = (of: number) => sentOf(actOn(2, 'cancel', { of }), response(''));
  const stopped = lookup(3, response('', { status: 'cancelled' }));
  const row = '3 background/cancel.leaves-others STORE-9 MUST';
  for (const no of [stop(0), { ...stop(1), served: false }]) {
    expect(broken(runs, other, no, stopped)).toEqual([]);
  }
  expect(broken(runs, other, stop(1), stopped)).toEqual([row]);
});

test('a list shows what a key may use, and nothing else', () => {
  const [model] = target.models;
  if (model === undefined) throw new Error('The target has no model');
  const listed = (actor: keyof Keys, ...ids: readonly string[]) => {
    const act = { n: 0, actor, region: 'here', kind: 'list' } as const;
    const data = ids.map((id) => ({ id, object: 'model' }));
    return sentOf(act, { object: 'list', data }, { operation: 'models.list' });
  };
  expect(broken(listed('owner', 'm', 'another'))).toEqual([]);
  expect(broken(listed('owner'))).toEqual(['0 models/list.has-usable-models END-15 MUST']);
  expect(broken(listed('restricted', 'm'))).toEqual(['0 models/list.permitted-only MODEL-7 MUST']);
  expect(broken(listed('restricted'))).toEqual([]);
  // The target file says nothing of this key.
  expect(broken(listed('otherUser'), listed('otherUser', 'm'))).toEqual([]);
  const elsewhere = listed('owner');
  expect(broken({ ...elsewhere, act: { ...elsewhere.act, region: 'there' } })).toEqual([]);
});
