import { describe, expect, test } from 'vitest';
import type { CheckDefinition, Level } from '../core/requirement.ts';
import { idFrom } from '../core/testing.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { expect as expectExchange } from '../judge/expect.ts';
import { ExpectationFailed, Inconclusive, NothingToJudge } from '../judge/failure.ts';
import { judgeEach } from '../judge/points.ts';
import { type Judgement, judge } from './judge.ts';
import type { Outcome } from './outcome.ts';
import { answered, targetAt } from './testing.ts';

const target = targetAt('http://127.0.0.1:1');

function definition(level: Level): CheckDefinition {
  return {
    id: 'rules/test.row',
    level,
    value: null,
    basis: { citations: [], judgement: 'Here.' },
    requirement: {
      id: 'rules/test.row',
      level,
      text: 'It holds.',
      basis: { citations: [], judgement: 'Here.' },
      axis: null,
      judges: 'gateway',
      unchecked: null,
    },
  };
}

const first = answered('{"a":1}', { id: idFrom('test#main/0') });
const last = answered('{"b":2}', { id: idFrom('test#main/1') });
const captured: Outcome<string> = { kind: 'captured', captured: 'it', exchanges: [first, last] };

function verdict(
  judgement: Judgement<string>,
  { level = 'MUST', outcome = captured }: { level?: Level; outcome?: Outcome<string> } = {},
): CheckVerdict {
  return judge(definition(level), outcome, judgement, target);
}

describe('a judgement', () => {
  test('that returns is a pass, and gets what was captured and the target', () => {
    let seen: unknown;
    const passed = verdict((it, bench) => {
      seen = [it, bench.target.name];
    });
    expect(passed).toEqual({ state: 'pass' });
    expect(seen).toEqual(['it', 'test']);
  });

  test.each([
    ['MUST', 'fail'],
    ['SHOULD', 'warn'],
    ['MAY', 'note'],
  ] as const)('whose expectation does not hold, of a %s, is a %s', (level, state) => {
    const failed = verdict(
      () => {
        throw new ExpectationFailed('one', 'two', first);
      },
      { level },
    );
    expect(failed).toMatchObject({ state, expected: 'one', actual: 'two' });
    expect(failed).toHaveProperty('evidence.exchange', 'test#main/0');
    expect(failed).toHaveProperty('evidence.curl', expect.stringContaining('curl'));
  });

  test('shows the last exchange when the expectation names none', () => {
    const failed = verdict(() => {
      throw new ExpectationFailed('one', 'two');
    });
    expect(failed).toHaveProperty('evidence.exchange', 'test#main/1');
  });

  test('at many points says at how many, whether or not it holds', () => {
    const at = (points: readonly boolean[]) => () =>
      judgeEach(points, String, (holds) => {
        if (!holds) throw new ExpectationFailed('one', 'two', first);
      });
    expect(verdict(at([true, true]))).toEqual({ state: 'pass', points: { judged: 2, broken: 0 } });
    expect(verdict(at([true, false]))).toMatchObject({
      state: 'fail',
      actual: 'two (in 1 of 2 points: false)',
      points: { judged: 2, broken: 1 },
    });
  });

  test('that is undecided is inconclusive, at every level', () => {
    for (const level of ['MUST', 'SHOULD', 'MAY'] as const) {
      const undecided = verdict(
        () => {
          throw new Inconclusive('busy', first);
        },
        { level },
      );
      expect(undecided).toMatchObject({
        state: 'inconclusive',
        cause: 'prerequisite',
        reason: 'busy',
        evidence: { exchange: 'test#main/0' },
      });
    }
  });

  test('of an overloaded gateway is inconclusive by its own expectations', () => {
    const busy = answered('{}', {
      response: { status: 503, headers: [], body: Buffer.from('{}'), chunks: [], complete: true },
    });
    const undecided = verdict(() => expectExchange(busy).toBeServed());
    expect(undecided.state).toBe('inconclusive');
  });

  test('that finds nothing to judge is not applicable, never a pass', () => {
    const nothing = verdict(() => {
      throw new NothingToJudge('no tools in the answer');
    });
    expect(nothing).toEqual({ state: 'not-applicable', reason: 'no tools in the answer' });
  });

  test('that notes what it saw is a note; the first one counts', () => {
    const noted = verdict((_, { note }) => {
      note('a thing', first);
      note('another');
    });
    expect(noted).toMatchObject({
      state: 'note',
      expected: 'It holds.',
      actual: 'a thing',
      evidence: { exchange: 'test#main/0' },
    });
  });

  test.each([
    ['a TypeError', new TypeError('x is not a function')],
    ['an AssertionError of Vitest', vitestError()],
    ['a thing that is no error', 'a string'],
  ])('that throws %s is an internal error, with the place where it broke', (_, thrown) => {
    const broken = verdict(() => {
      throw thrown;
    });
    expect(broken.state).toBe('error');
    const reason = 'reason' in broken ? broken.reason : '';
    expect(reason).toContain(thrown instanceof Error ? (thrown.stack ?? 'no stack') : 'a string');
  });
});

describe('without a capture the judgement is not asked', () => {
  const never: Judgement<string> = () => {
    throw new Error('asked');
  };

  test('not applicable, with the reason', () => {
    const outcome: Outcome<string> = { kind: 'not-applicable', reason: 'because' };
    expect(verdict(never, { outcome })).toEqual({ state: 'not-applicable', reason: 'because' });
  });

  test('untestable, with what the target file lacks', () => {
    const lack = { reason: 'because', gap: { kind: 'key', names: ['otherUser'] } } as const;
    const outcome: Outcome<string> = { kind: 'untestable', ...lack };
    expect(verdict(never, { outcome })).toEqual({ state: 'untestable', ...lack });
  });

  test('inconclusive, with the exchange that failed', () => {
    const outcome: Outcome<string> = {
      kind: 'inconclusive',
      cause: 'prerequisite',
      reason: 'because',
      exchange: first,
      exchanges: [],
    };
    expect(verdict(never, { outcome })).toMatchObject({
      state: 'inconclusive',
      cause: 'prerequisite',
      reason: 'because',
      evidence: { exchange: 'test#main/0', outcome: '200' },
    });
  });

  test('a fault of ours in the scenario', () => {
    const outcome: Outcome<string> = { kind: 'error', error: new Error('broke'), exchanges: [] };
    const broken = verdict(never, { outcome });
    expect(broken).toMatchObject({ state: 'error', reason: expect.stringContaining('broke') });
  });
});

function vitestError(): unknown {
  try {
    expect(1).toBe(2);
  } catch (error) {
    return error;
  }
  return undefined;
}
