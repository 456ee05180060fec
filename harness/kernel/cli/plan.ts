import { Command } from 'commander';
import { loadCatalogue, streamingProtocols } from '../core/index.ts';
import { arrayAt, designAt, type Plan, planBounds } from '../engine/index.ts';
import { type Block, counted, fact, paragraph, printed, withFacts } from '../report/index.ts';
import type { Target } from '../targets/index.ts';
import { interruptible, type Terminal } from '../terminal/index.ts';
import { type ChosenTarget, loadModifiers, modified } from './feature.ts';
import { planDocument, planSection } from './judging/client-plan.ts';
import { judge, requestOf } from './judging/judge.ts';
import { obstacleBlocks } from './judging/obstacle-blocks.ts';
import type { PlannedRun } from './judging/planned-run.ts';
import { isLimited } from './options/budget.ts';
import { chooseTarget } from './options/choose-target.ts';
import { declare, type Given } from './options/declared.ts';
import { assertKnown } from './options/filters.ts';
import { loadTargets } from './options/load-targets.ts';
import { optionGroups, type RunCommandOptions, runTable } from './options/run-table.ts';
import { usualTarget } from './options/usual-target.ts';

/** Makes `touchstone plan`, which prints the cost of a run and the checks that it cannot test. */
export async function planCommand(terminal: Terminal): Promise<Command> {
  const command = new Command('plan')
    .summary('show what a run would send and cost')
    .description(
      'Shows what a run against a target would send at most, and which checks could not be tested and why. ' +
        'Nothing is sent, but for a gateway without a target file: it is looked at as by `init`, free of charge, and what ' +
        'only a generation shows is taken to be served.',
    )
    .argument(
      '[ids...]',
      'which checks: id prefixes (storage/responses, input/), or all of a protocol (@messages)',
    );
  const { inlineTarget, budget } = optionGroups;
  declare(command, runTable, ['target', ...inlineTarget, 'thorough', ...budget]);
  const modifiers = (await loadModifiers()).filter(({ isPlanned }) => isPlanned);
  for (const { options } of modifiers) declare(command, options);
  return command
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (ids: string[], given: Given<typeof runTable> & { readonly json?: boolean }) => {
      assertKnown(
        ids,
        loadCatalogue('both-sides').checks.map(({ id }) => id),
      );
      const { json = false, ...rest } = given;
      const options = { ...rest, ids, again: null, since: performance.now() };
      for (const modifier of modifiers) modifier.assertUsable(options);
      const { signal, release } = interruptible(terminal, () => {});
      const targets = await chosen(options, terminal, signal);
      try {
        const plans: Planned[] = [];
        for (const { target } of targets) {
          const planned = await modified(judge)(target, requestOf(options, {}, 0));
          plans.push({ ...planned, target, options, plan: await planned.plan() });
        }
        const { stdout } = terminal;
        stdout.write(
          json
            ? jsonOf(plans)
            : printed(planDocument(allBlocks(plans)), {
                colour: false,
                width: stdout.columns || 100,
              }),
        );
      } finally {
        release();
        for (const { close } of targets) await close();
      }
    });
}

interface Planned extends Pick<PlannedRun, 'said' | 'costs' | 'times'> {
  readonly target: Target;
  readonly options: RunCommandOptions;
  readonly plan: Plan;
}

async function chosen(
  options: RunCommandOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<readonly ChosenTarget[]> {
  const { target: files = [], ...rest } = options;
  const [file = usualTarget(options, 'reference', terminal)] = files;
  if (files.length > 1) {
    const loaded = await loadTargets(files, rest, terminal, signal);
    return loaded.map(({ target }) => ({ target, close: () => Promise.resolve() }));
  }
  return [await chooseTarget({ ...rest, target: file }, terminal, signal, 'presumed')];
}

/** Returns the plan as JSON, or several plans as a list with the names of their targets. */
function jsonOf(plans: readonly Planned[]): string {
  const all = plans.map(({ target, plan, costs }) => {
    const { cells, possible, unreachable, covered, coveredReasons } = designAt(target);
    const storedActs = {
      ...{ tried: cells.length, possible, reasons: coveredReasons() },
      ...{ pairs: covered(2), triples: covered(3) },
      notTried: Object.fromEntries(unreachable),
    };
    const all = { ...plan, storedActs, features: featuresAt(target) };
    return Object.assign(all, ...costs.map(({ json }) => json));
  });
  const value =
    plans.length === 1
      ? all[0]
      : plans.map(({ target }, n) => ({ target: target.name, ...all[n] }));
  return `${JSON.stringify(value, null, 2)}\n`;
}

function allBlocks(plans: readonly Planned[]): readonly Block[] {
  const each = plans.flatMap(blocksOf);
  if (plans.length === 1) return each;
  const sum = (of: (plan: Plan) => number): number =>
    plans.reduce((total, { plan, times }) => total + times * of(plan), 0);
  const most = [
    `${sum(({ requests }) => requests)} requests`,
    `${sum(({ generations }) => generations)} generations`,
    `${sum(({ outputTokens }) => outputTokens)} output tokens`,
  ];
  const unlimited = besides(sum(({ unlimitedGenerations }) => unlimitedGenerations));
  const all = `All ${plans.length} targets: at most ${most.join(', ')}${unlimited}.`;
  return [...each, paragraph(all)];
}

function blocksOf({ plan, target, said, options, costs }: Planned): readonly Block[] {
  const again = isLimited(options)
    ? options.smoke === true
      ? 'only what costs nothing'
      : 'within these generations'
    : 'at most as much once more';
  const { checks, requests, expectedRequests, waitingRequests, generations, longestChain } = plan;
  const { expectedGenerations, outputTokens, unlimitedGenerations } = plan;
  const facts = withFacts([
    {
      name: 'requests',
      lines: [
        `${expectedRequests} at a gateway that answers at once, at most ${requests}`,
        ...(waitingRequests === 0
          ? []
          : [
              `and ${waitingRequests} that cost nothing, where stored responses show late (limits.consistencyMs)`,
            ]),
        ...(requests === 0
          ? []
          : [
              `and ${planBounds(plan, target).replacements} in the place of those whose connection breaks`,
            ]),
      ],
    },
    fact('generations', `${expectedGenerations} at a right gateway, at most ${generations} at any`),
    {
      name: 'output tokens',
      lines: [
        `at most ${outputTokens}${besides(unlimitedGenerations)}`,
        ...(unlimitedGenerations === 0
          ? []
          : ['(compaction, System One, and requests with no or an invalid limit)']),
      ],
    },
    fact('longest chain', `${longestChain} requests, each after the previous one`),
    fact('least time', leastTime(plan, target)),
    fact(
      'deadline',
      `nothing is sent after ${Math.ceil(planBounds(plan, target).deadlineMs / 60_000)} min, unless --deadline says otherwise`,
    ),
    fact('asked again', `at the end, what the gateway puts off (429, a lockout): ${again}`),
    ...costs.map(({ label, text }) => fact(label, text)),
  ]);
  const before = said.length === 0 ? [] : [...said.map((text) => paragraph(text)), paragraph('')];
  return [
    planSection(target.name, checks, [...before, facts]),
    paragraph(''),
    ...designBlocks(target),
    ...obstacleBlocks(checks, 'Untestable, until added to the target file:'),
  ];
}

/** Returns the minimum time that the configured rates allow for the requests of a plan: the expected, and the most. */
function leastTime(plan: Plan, target: Target): string | null {
  const { expectedMs, mostMs } = planBounds(plan, target);
  if (expectedMs === null || mostMs === null) return null;
  const limits = (['requestsPerSecond', 'hostilePerSecond'] as const).flatMap((name) => {
    const limit = target.limits[name];
    return limit === null ? [] : [`${name}: ${limit}`];
  });
  return (
    `${Math.ceil(expectedMs / 1_000)} s at a gateway that answers at once and shows no load, ` +
    `${Math.ceil(mostMs / 1_000)} s for the most requests by ${limits.join(' and ')}`
  );
}

/** Returns the pairs of features of generation requests, over all protocols. */
function featuresAt(target: Target) {
  const arrays = streamingProtocols.map((protocol) => arrayAt(protocol, target));
  const sum = (of: (array: (typeof arrays)[number]) => number): number =>
    arrays.reduce((total, array) => total + of(array), 0);
  return {
    pairs: sum(({ pairs }) => pairs.length),
    tried: sum(({ pairs, untried }) => pairs.length - untried.length),
    requests: sum(({ rows }) => rows.length),
    added: sum(({ rows }) => rows.filter(({ carrier }) => carrier === null).length),
    left: arrays.flatMap(({ left }) => [...left].map(([name, why]) => ({ name, why }))),
  };
}

/** Tells how many acts and pairs of features are tried. The JSON has those that are not, with the reasons. */
function designBlocks(target: Target): readonly Block[] {
  const { cells, subjects, possible } = designAt(target);
  const { pairs, tried, requests } = featuresAt(target);
  const stores = target.models.some(({ protocols }) => protocols.includes('responses'));
  const acts =
    `Stored responses: ${cells.length} of ${possible} ways to look up, continue, cancel or delete one are tried, on ` +
    `${counted(subjects.length, 'response')}.`;
  const features =
    `Features of a request (mode, tools, limit, size …): ${tried} of ${counted(pairs, 'pair')} are tried, in ` +
    `${counted(requests, 'request')}.`;
  return [...(stores ? [paragraph(acts)] : []), paragraph(features), paragraph('')];
}

/** Returns a note on generations without a limit, for example of compaction and System One. */
function besides(unlimited: number): string {
  if (unlimited === 0) return '';
  return `, not counting ${counted(unlimited, 'generation')} without a limit`;
}

const examples = `
Examples:
  touchstone plan --target staging.yaml
      what a run would send and cost, and what could not be tested; sends nothing
  touchstone plan --target staging.yaml --generations 25
      what a run on a budget would do`;
