import { type Given, givenIn, type Modifier, wholeNumber } from '../../kernel/cli/index.ts';
import { mostOfLoad, type Plan, type RunOptions } from '../../kernel/engine/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { UsageError } from '../../kernel/terminal/index.ts';
import { loadInWords } from './load-words.ts';

const group = 'How to run:';

const options = {
  underLoad: {
    flags: '--under-load <n>',
    help:
      'keep n ordinary generations of several users in flight meanwhile, each with a word of its own: every promise ' +
      'has to hold as without; the report says beside how many requests there was one',
    parse: wholeNumber(1, 1_000),
    group,
  },
  loadGenerations: {
    flags: '--load-generations <n>',
    help:
      'with --under-load: ask for n of them at most; default: as many as plan --under-load says, which is enough ' +
      'for a gateway whose generations take as long as other requests; a quick one may take more',
    parse: wholeNumber(1, 1e6),
    group,
  },
} as const;

type LoadOptions = Given<typeof options>;

/** `--under-load`: ordinary generations of several users are in flight during each run. */
export const load: Modifier = {
  options,
  isPlanned: true,
  examples: `
  touchstone run --target staging.yaml --smoke --under-load 4
      what breaks only beside other users: four generations of theirs in flight meanwhile`,
  assertUsable(given) {
    const { underLoad, loadGenerations } = givenIn(options, given);
    const { generations } = given;
    if (underLoad === undefined) {
      if (loadGenerations === undefined) return;
      throw new UsageError('--load-generations bounds what --under-load N asks for: add that.');
    }
    const most = generations === undefined ? undefined : mostOf({ loadGenerations }, generations);
    if (most !== undefined && most >= (generations ?? 0)) {
      throw new UsageError(
        `--generations ${generations} bounds the run and its load together, and --load-generations ${most} leaves ` +
          'nothing of it for the run.',
      );
    }
  },
  remarkOf({ traffic }) {
    const said = loadInWords(traffic);
    return said === null ? [] : [{ name: 'Under load', said }];
  },
  modify: (judge) => async (target, request) => {
    const own = givenIn(options, request.options);
    const { underLoad: inFlight, loadGenerations } = own;
    if (inFlight === undefined) return judge(target, request);
    const { generations: all, shareOf } = request;
    const bound = all === undefined ? loadGenerations : mostOf(own, all);
    const generations = all && all - (bound ?? 0);
    const planned = await judge(target, { ...request, generations });
    const most = bound === undefined ? undefined : shareOf(bound);
    const beside = loadOf(inFlight, most, await planned.plan(), target);
    const cost = {
      label: 'under load',
      text:
        `up to ${inFlight} ${inFlight === 1 ? 'generation' : 'generations'} in flight meanwhile, at most ` +
        `${beside.generations} more than the run asks for, of up to ${target.limits.maxOutputTokens} output ` +
        'tokens each (--load-generations N bounds them)',
      json: { load: beside },
    };
    return {
      ...planned,
      costs: [...planned.costs, cost],
      begin: (sending) => planned.begin({ ...sending, load: beside }),
    };
  },
};

/** Unless the user sets a limit, the load gets half of the budget. */
function mostOf({ loadGenerations }: LoadOptions, generations: number): number {
  return loadGenerations ?? Math.floor(generations / 2);
}

/** @throws {UsageError} when there is nothing to generate with, or less than one generation per round */
function loadOf(
  inFlight: number,
  most: number | undefined,
  plan: Plan,
  target: Target,
): NonNullable<RunOptions['load']> {
  const enough = mostOfLoad(plan, target, inFlight);
  if (enough === null) {
    throw new UsageError(
      '--under-load: no model of the target speaks a protocol with an output limit (Responses, Chat ' +
        'Completions, Messages, generative content), and others may come to any length.',
    );
  }
  const generations = most ?? enough;
  if (generations < 1) {
    throw new UsageError('--load-generations: there are fewer than one for each round.');
  }
  return { inFlight, generations };
}
