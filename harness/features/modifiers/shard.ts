import { givenIn, type Modifier, type ShardNumber, shardNumber } from '../../kernel/cli/index.ts';
import { plan } from '../../kernel/engine/index.ts';
import type { Selection } from '../../kernel/recordings/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { UsageError } from '../../kernel/terminal/index.ts';
import { split } from './split.ts';

const options = {
  shard: {
    flags: '--shard <i/n>',
    help: 'run only shard i of n, to split a run over several machines; see touchstone merge',
    parse: shardNumber,
    group: 'What to judge:',
    isUnrepeated: true,
  },
} as const;

/** `--shard`: judges a part of the checks. The parts of one run share all random data, so that they can be merged. */
export const shard: Modifier = {
  options,
  examples: `
  touchstone run --target staging.yaml --shard 2/4 --json part-2.json
      the second of four shards; touchstone merge part-*.json merges their reports`,
  assertUsable(given) {
    const { shard: part } = givenIn(options, given);
    const others = Object.entries({ ...given }).filter(([name, value]) => whole.has(name) && value);
    if (part === undefined || others.length === 0) return;
    throw new UsageError(
      `--shard judges a part of one run: leave out ${others.map(([name]) => whole.get(name)).join(', ')}. ` +
        'To share rounds among machines, let each judge some, without --seed: each draws rounds of its own.',
    );
  },
  modify: (judge) => async (target, request) => {
    const { shard: part } = givenIn(options, request.options);
    if (part === undefined) return judge(target, request);
    const { index, of } = part;
    const { shareOf, seed = 1 } = request;
    const only = await shardOf(target, request.options.ids, part, request.only);
    const planned = await judge(target, {
      ...request,
      seed,
      only,
      shareOf: (all) => Math.floor(shareOf(all) / of) + (index <= shareOf(all) % of ? 1 : 0),
    });
    return {
      ...planned,
      begin: async (sending) => ({ ...(await planned.begin(sending)), shard: part }),
    };
  },
};

/** Options that need a whole run, by their names. */
const whole = new Map([
  ['repeat', '--repeat'],
  ['underLoad', '--under-load'],
]);

/**
 * The checks of one part of a run. The split depends only on the target, the requested ids and the suite, so all
 * parts agree on it. Checks that are judged everywhere belong to each part.
 *
 * @param within what to split, if it is less than the filters select
 * @throws {UsageError} when there are more parts than units to split
 */
async function shardOf(
  target: Target,
  filters: readonly string[],
  { index, of }: ShardNumber,
  within: Selection | undefined,
): Promise<Selection> {
  const planned = await plan(target, filters);
  const wanted = within === undefined ? null : new Set(within.ids);
  const checks = planned.checks.filter(({ id }) => wanted === null || wanted.has(id));
  const shards = split({ ...planned, checks }, of);
  const used = shards.filter(({ ids }) => ids.length > 0).length;
  const ids = shards[index - 1]?.ids ?? [];
  const own = new Set(ids);
  if (ids.length === 0) {
    throw new UsageError(
      `--shard ${index}/${of}: nothing is left for this part: ${used} parts have all there is. Split into fewer.`,
    );
  }
  const others = checks.filter(({ id }) => !own.has(id));
  const along = others.filter(({ everywhere }) => everywhere === true).map(({ id }) => id);
  return {
    ids: [...ids, ...along],
    others: within?.others ?? 'Not in any part of the run',
    elsewhere: others.map(({ id }) => id).filter((id) => !along.includes(id)),
    along,
    besides: index === 1 ? (within?.besides ?? []) : [],
  };
}
