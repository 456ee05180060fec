import { describe, expect, test } from 'vitest';
import { covers } from '../kernel/core/index.ts';
import type { CheckVerdict } from '../kernel/core/verdict.ts';
import { killing, unbroken } from './matrix.ts';

const pass: CheckVerdict = { state: 'pass' };
const finding = { expected: 'a', actual: 'b', evidence: null };
const fail: CheckVerdict = { state: 'fail', ...finding };
const warn: CheckVerdict = { state: 'warn', ...finding };
const note: CheckVerdict = { state: 'note', ...finding };
const error: CheckVerdict = { state: 'error', reason: 'TypeError' };
const undecided: CheckVerdict = {
  state: 'inconclusive',
  cause: 'prerequisite',
  reason: 'control',
  evidence: null,
};

function judged(
  breaks: readonly string[],
  faulty: Record<string, CheckVerdict>,
  { recorded = [] as string[], level = 'MUST' as const, sound = {} } = {},
) {
  const ids = Object.keys(faulty);
  const before = new Map(ids.map((id) => [id, pass] as const));
  for (const [id, verdict] of Object.entries(sound)) before.set(id, verdict as CheckVerdict);
  const fault = { id: 'area.fault', what: 'It does one thing wrong.', breaks };
  return killing(fault, before, new Map(Object.entries(faulty)), () => level, {
    always: new Set(recorded),
    sometimes: new Map([['s/a.sometimes', 'who comes first']]),
  });
}

describe('a fault', () => {
  test('is killed by the checks that it says to break', () => {
    const { killedBy, survived, unexpected } = judged(['s/a.b'], { 's/a.b': fail, 's/a.c': pass });
    expect({ killedBy, survived, unexpected }).toEqual({
      killedBy: ['s/a.b'],
      survived: [],
      unexpected: [],
    });
  });

  test('survives when none of them notices', () => {
    expect(judged(['s/a.b'], { 's/a.b': pass }).survived).toEqual(['s/a.b']);
    expect(judged(['s/a.b'], { 's/a.b': undecided }).survived).toEqual(['s/a.b']);
  });

  test('is not killed by a check that only broke down', () => {
    const { survived, unexpected } = judged(['s/a.b'], { 's/a.b': error });
    expect(survived).toEqual(['s/a.b']);
    expect(unexpected.map(({ check }) => check)).toEqual(['s/a.b']);
  });

  test('may name a row for all its values, and each of its names must be noticed', () => {
    const both = judged(['s/a.b', 's/a.d:x'], { 's/a.b:x': warn, 's/a.d:x': pass });
    expect(both.killedBy).toEqual(['s/a.b:x']);
    expect(both.survived).toEqual(['s/a.d:x']);
  });

  test('has unexpected failures where a check fails that is not recorded', () => {
    const faulty = { 's/a.b': fail, 's/a.c': fail, 's/a.d': warn, 's/a.e': undecided };
    const {
      unexpected,
      otherFailures,
      undecided: open,
    } = judged(['s/a.b'], faulty, {
      recorded: ['s/a.d'],
    });
    expect(unexpected).toEqual([{ check: 's/a.c', from: 'pass', to: fail }]);
    expect(otherFailures).toEqual(['s/a.c', 's/a.d']);
    expect(open).toEqual(['s/a.e']);
  });

  test('misses a recorded failure, unless it comes in some runs only or a time-out hid it', () => {
    const faulty = {
      's/a.b': fail,
      's/a.c': pass,
      's/a.d': undecided,
      's/a.late': { ...undecided, cause: 'timeout' } as const,
      's/a.sometimes': pass,
    };
    const recorded = ['s/a.c', 's/a.d', 's/a.late', 's/a.not-judged'];
    const sound = { 's/a.not-judged': pass };
    const { missing } = judged(['s/a.b'], faulty, { recorded, sound });
    expect(missing).toEqual(['s/a.c', 's/a.d']);
    const seldom = judged(['s/a.b'], { ...faulty, 's/a.sometimes': fail });
    expect(seldom.unexpected).toEqual([]);
  });

  test('never explains an error of Touchstone itself', () => {
    const { unexpected } = judged(['s/a.b'], { 's/a.c': error }, { recorded: ['s/a.c'] });
    expect(unexpected.map(({ check }) => check)).toEqual(['s/a.c']);
  });

  test('of a MAY is noticed by a note', () => {
    const { killedBy } = judged(['s/a.b'], { 's/a.b': note }, { level: 'MAY' as never });
    expect(killedBy).toEqual(['s/a.b']);
  });
});

test('an id covers itself and the values of its row, and no id that only begins alike', () => {
  expect(covers(['s/a.b'], 's/a.b')).toBe(true);
  expect(covers(['s/a.b'], 's/a.b:x')).toBe(true);
  expect(covers(['s/a.b'], 's/a.bc')).toBe(false);
  expect(covers(['s/a.b:x'], 's/a.b:x.y')).toBe(true);
  expect(covers(['s/a.b:x'], 's/a.b:xy')).toBe(false);
});

test('a MUST that no fault turned red is named', () => {
  const killed = judged(['s/a.b'], { 's/a.b': fail });
  expect(unbroken(['s/a.b', 's/a.c'], [killed])).toEqual(['s/a.c']);
});
