import { describe, expect, test } from 'vitest';
import { ExpectationFailed, Inconclusive, NothingToJudge } from './failure.ts';
import { JudgedPoints, judgeByFirst, judgeEach, type PointsOptions } from './points.ts';

const failing = () => {
  throw new ExpectationFailed('one', 'two');
};
const undecided = () => {
  throw new Inconclusive('it decides nothing');
};
const lacking = () => {
  throw new NothingToJudge('it has nothing');
};
const holding = () => {};

function judged(judgements: readonly (() => void)[], options: PointsOptions = {}): unknown {
  try {
    const points = [...judgements.entries()];
    return judgeEach(
      points,
      ([index]) => `p${index}`,
      ([, judgement]) => judgement(),
      options,
    );
  } catch (error) {
    return error;
  }
}

describe('judged at many points, a requirement', () => {
  test('holds where it holds at each, and says at how many', () => {
    expect(judged([holding, holding])).toEqual(new JudgedPoints({ judged: 2, broken: 0 }));
  });

  test('is broken where it is at one, which is named', () => {
    expect(judged([holding, failing, failing], { noun: 'act' })).toMatchObject({
      name: 'ExpectationFailed',
      expected: 'one',
      actual: 'two (in 2 of 3 acts: p1, p2)',
      points: { judged: 3, broken: 2 },
    });
  });

  test('names three of many', () => {
    expect(judged([failing, failing, failing, failing])).toMatchObject({
      actual: 'two (in 4 of 4 points: p0, p1, p2, …)',
    });
  });

  test('leaves out what decides nothing, unless all are needed', () => {
    const some = [holding, undecided, lacking];
    expect(judged(some)).toEqual(new JudgedPoints({ judged: 1, broken: 0 }));
    expect(judged(some, { needsAll: true })).toBeInstanceOf(Inconclusive);
    expect(judged([failing, undecided], { needsAll: true })).toBeInstanceOf(ExpectationFailed);
  });

  test('is undecided, or has nothing to judge, where no point was judged', () => {
    expect(judged([lacking, undecided])).toBeInstanceOf(Inconclusive);
    expect(judged([lacking])).toBeInstanceOf(NothingToJudge);
    expect(judged([])).toBeInstanceOf(NothingToJudge);
  });

  test('says why there was nothing to judge', () => {
    expect(judged([lacking, lacking])).toMatchObject({ message: 'it has nothing' });
    expect(judged([], { noun: 'act' })).toMatchObject({
      message: 'there is no act that it applies to',
    });
  });

  test('lets through what is no judgement', () => {
    const broken = () => {
      throw new TypeError('ours');
    };
    expect(judged([broken])).toBeInstanceOf(TypeError);
  });
});

describe('judged by the first evidence that decides, a requirement', () => {
  test.each([
    [[holding, failing], undefined],
    [[undecided, lacking, holding], undefined],
    [[lacking, failing], ExpectationFailed],
    [[lacking, undecided], Inconclusive],
    [[undecided, lacking], NothingToJudge],
  ] as const)('%#', (evidence, thrown) => {
    const judge = () => judgeByFirst(...evidence);
    if (thrown === undefined) expect(judge).not.toThrow();
    else expect(judge).toThrow(thrown);
  });
});
