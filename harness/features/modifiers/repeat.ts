import { givenIn, type Modifier, timeLeft, wholeNumber } from '../../kernel/cli/index.ts';
import type { RunResult } from '../../kernel/core/index.ts';
import { seedOf } from '../../kernel/drawn/index.ts';
import type { Plan, Progress } from '../../kernel/engine/index.ts';
import { RoundRecordings } from './round-recordings.ts';
import { Rounds, repeatedInWords } from './rounds.ts';

const options = {
  repeat: {
    flags: '--repeat <n>',
    help: 'judge n rounds, each with ids, words and prompts of its own: one verdict, and how often each check held; finds what breaks only at times',
    parse: wholeNumber(1, 1_000),
    group: 'What to judge:',
  },
} as const;

/**
 * `--repeat`: judges several rounds in sequence. Each sends new requests, with ids, words and prompts from a seed
 * of its own. The results are accumulated, and no round is kept.
 */
export const repeat: Modifier = {
  options,
  isPlanned: true,
  examples: `
  touchstone run --target staging.yaml access/owners --repeat 50
      what breaks once in a while: 50 rounds of these checks, with the rate at which each held`,
  assertUsable: () => undefined,
  remarkOf(result) {
    const said = repeatedInWords(result);
    return said === null ? [] : [{ name: 'Repeated', said }];
  },
  modify: (judge) => async (target, request) => {
    const { repeat: times } = givenIn(options, request.options);
    if (times === undefined) return judge(target, request);
    const { files, since, shareOf } = request;
    const { isShown = false, ...ofEach } = request;
    const { deadline } = ofEach.options;
    // The bounds of the command apply to all rounds together.
    const planned = await judge(target, {
      ...ofEach,
      files: { ...files, record: undefined, html: undefined },
      shareOf: (whole) => Math.floor(shareOf(whole) / times),
    });
    const recording = new RoundRecordings(files.record, isShown || files.html !== undefined);
    const costs = planned.costs.map((cost) => ({ ...cost, text: `in each round ${cost.text}` }));
    return {
      ...planned,
      times: times * planned.times,
      said: planned.said.map((line) => `In each round: ${line}`),
      costs: [costOfRounds(await planned.plan(), times), ...costs],
      recording,
      async begin(sending) {
        const { progress, signal } = sending;
        const rounds = new Rounds(times);
        for (let number = 1; number <= times; number++) {
          const update = (seen: Progress): void =>
            progress.update({ ...seen, round: { number, of: times } });
          const round = await planned.begin({
            ...sending,
            seed: roundSeed(planned.seed, number),
            recording: recording.round(number),
            progress: { ...progress, update },
          });
          await recording.keep(round, rounds.add(round));
          const isOver = deadline !== undefined && timeLeft(deadline, since) <= 0;
          if (signal.aborted || isOver || decidedNothing(round)) break;
        }
        return rounds.result;
      },
    };
  },
};

function costOfRounds(plan: Plan, times: number) {
  const { requests, generations, expectedGenerations, outputTokens } = plan;
  const each = (count: number): string => `${times} × ${count} = ${times * count}`;
  return {
    label: 'rounds',
    text:
      `${each(expectedGenerations)} generations at a right gateway, at most ${each(generations)} at any, ` +
      `${each(requests)} requests, ${each(outputTokens)} output tokens`,
    json: {
      rounds: times,
      allRounds: {
        requests: times * requests,
        generations: times * generations,
        expectedGenerations: times * expectedGenerations,
        outputTokens: times * outputTokens,
      },
    },
  };
}

/** The first round equals a run with this seed. */
function roundSeed(seed: number, number: number): number {
  return number === 1 ? seed : seedOf(seed, 'round', String(number)) >>> 1;
}

/** True if a round decided nothing: a gateway in that state is not judged again. */
function decidedNothing({ counts }: RunResult): boolean {
  return counts.pass + counts.fail + counts.warn + counts.note === 0;
}
