import { expect, test } from 'vitest';
import { sample, sampleSocket } from '../protocols/samples/exchange.ts';
import { refused } from './refused.ts';
import { asksForResponse, interleaved, turnsOf } from './turns.ts';

const create = ['>', { type: 'response.create' }] as const;
const created = (id: string) => ['<', { type: 'response.created', response: { id } }] as const;
const delta = ['<', { type: 'response.output_text.delta', delta: 'x' }] as const;
const completed = (id: string) => ['<', { type: 'response.completed', response: { id } }] as const;
const failed = (id: string) => ['<', { type: 'response.failed', response: { id } }] as const;
const error = ['<', { type: 'error', error: { code: 'x', message: 'no' } }] as const;

function shape(exchange: ReturnType<typeof sampleSocket>): readonly number[] {
  return turnsOf(exchange).map(({ socket }) => socket?.frames.length ?? 0);
}

test('one turn after the other', () => {
  const turn = [create, created('a'), delta, completed('a')] as const;
  expect(shape(sampleSocket([...turn, create, created('b'), completed('b')]))).toEqual([4, 3]);
});

test('a turn that is asked for during another is answered after it', () => {
  const frames = [
    create,
    created('a'),
    create,
    delta,
    completed('a'),
    created('b'),
    completed('b'),
  ];
  expect(shape(sampleSocket(frames))).toEqual([4, 3]);
});

test('an error frame ends a turn, and response.failed may follow it', () => {
  const exchange = sampleSocket([create, created('a'), error, failed('a'), create, error]);
  expect(shape(exchange)).toEqual([4, 2]);
  expect(turnsOf(exchange).map((turn) => refused(turn).state)).toEqual(['no', 'yes']);
});

test('response.failed after an error belongs to what erred, though another turn is open', () => {
  const two = [create, create, created('a'), error] as const;
  const rest = [created('b'), completed('b')] as const;
  expect(shape(sampleSocket([...two, failed('a'), ...rest]))).toEqual([4, 3]);
  expect(shape(sampleSocket([...two, ...rest]))).toEqual([3, 3]);
  // The first was told of by now: this one ends the second.
  expect(shape(sampleSocket([...two, failed('a'), failed('b')]))).toEqual([4, 2]);
  expect(shape(sampleSocket([create, failed('a')]))).toEqual([2]);
});

test('an error between the events of a turn that goes on refuses the next one', () => {
  const two = [create, created('a'), create, error] as const;
  const exchange = sampleSocket([...two, delta, completed('a'), create, created('c')]);
  expect(shape(exchange)).toEqual([4, 2, 2]);
  expect(turnsOf(exchange).map((turn) => refused(turn).state)).toEqual(['no', 'yes', 'no']);
  expect(shape(sampleSocket([...two, completed('a')]))).toEqual([3, 2]);
  // A new response had begun: the error had ended the first turn.
  expect(shape(sampleSocket([...two, created('b'), delta, completed('b')]))).toEqual([3, 4]);
  expect(shape(sampleSocket([create, create, error, created('b'), delta]))).toEqual([2, 3]);
});

test('an error answers what was sent first, all else what asks for a response', () => {
  const bad = ['>', 'nonsense'] as const;
  const good = [created('a'), completed('a')] as const;
  expect(shape(sampleSocket([bad, create, error, ...good]))).toEqual([2, 3]);
  expect(shape(sampleSocket([bad, create, ...good]))).toEqual([1, 3]);
});

test('what comes when all is answered belongs to the last turn', () => {
  const turn = (id: string) => [create, created(id), completed(id)] as const;
  expect(shape(sampleSocket([...turn('a'), delta]))).toEqual([4]);
  expect(shape(sampleSocket([...turn('a'), ...turn('b'), ...turn('c'), delta]))).toEqual([3, 3, 4]);
});

test('what comes before anything was sent belongs to no turn', () => {
  const exchange = sampleSocket([delta, create, created('a'), completed('a')]);
  expect(shape(exchange)).toEqual([3]);
  expect(asksForResponse(exchange)).toBe(true);
  const silent = sampleSocket([delta, created('a')]);
  expect(turnsOf(silent)).toEqual([silent]);
});

test.each(['vendor.response.completed', 'response.completed.soon', undefined])(
  '%s ends no turn, and no response',
  (type) => {
    const almost = ['<', { type, response: { id: 'a' } }] as const;
    const frames = [create, create, created('a'), almost, delta, completed('a'), created('b')];
    expect(shape(sampleSocket(frames))).toEqual([5, 2]);
    expect(interleaved(sampleSocket([create, created('a'), almost, created('b')]))).not.toBeNull();
  },
);

test('a bad frame may be answered or not', () => {
  const bad = ['>', 'nonsense'] as const;
  const good = [create, created('a'), completed('a')] as const;
  expect(shape(sampleSocket([bad, ...good]))).toEqual([1, 3]);
  expect(shape(sampleSocket([bad, error, ...good]))).toEqual([2, 3]);
});

test('the closing belongs to the last turn', () => {
  const close = { code: 1008, reason: '', by: 'gateway' } as const;
  const exchange = sampleSocket([create, created('a'), completed('a'), create], { close });
  expect(turnsOf(exchange).map(({ socket }) => socket?.close)).toEqual([null, close]);
  expect(turnsOf(exchange).map((turn) => refused(turn).state)).toEqual(['no', 'yes']);
});

test('without a socket an exchange is its own only turn', () => {
  const exchange = sample({ body: {} });
  expect(turnsOf(exchange)).toEqual([exchange]);
});

test('interleaved', () => {
  const apart = [create, create, created('a'), completed('a'), created('b'), completed('b')];
  expect(interleaved(sampleSocket(apart))).toBeNull();
  const mixed = [create, create, created('a'), created('b'), completed('a'), completed('b')];
  expect(interleaved(sampleSocket(mixed))).toEqual({ id: 'b', during: 'a' });
  expect(interleaved(sampleSocket([create, created('a'), error, created('b')]))).toBeNull();
  const ours = ['>', { type: 'response.create', response: { id: 'b' } }] as const;
  expect(interleaved(sampleSocket([create, created('a'), ours, completed('a')]))).toBeNull();
  expect(interleaved(sample({ body: {} }))).toBeNull();
});

test('only a response.create asks for a response', () => {
  const exchange = sampleSocket([['>', 'nonsense'], create, created('a'), completed('a')]);
  expect(turnsOf(exchange).map(asksForResponse)).toEqual([false, true]);
});
