import {
  type AxisRequirementId,
  type CheckDefinition,
  loadCatalogue,
} from '../../kernel/core/index.ts';
import { boundEach, type Check, register, type Scenario } from '../../kernel/engine/index.ts';
import {
  ExpectationFailed,
  Inconclusive,
  judgeEach,
  lostBecause,
  NothingToJudge,
} from '../../kernel/judge/index.ts';
import { type Join, pairs, routeInWords, type SidePair } from './play.ts';

/** Judges a requirement on one request and what the provider was asked for it. Throws if it does not hold. */
type JoinJudgement = (join: Join, name: string) => unknown;

/**
 * Binds a row of the catalogue whose axis names the protocols of both sides. One judgement serves all of them.
 *
 * ```ts
 * rule('provider/told.text', said, (join) => …);
 * ```
 *
 * With a second axis, only the requests of the case with that name are judged.
 *
 * @param only name and form of the requests that the row is about. Default: all
 */
export function rule(
  id: AxisRequirementId & `provider/${string}`,
  on: Scenario<readonly Join[]>,
  judge: JoinJudgement,
  only: Partial<Pick<Join, 'name' | 'form'>> = {},
): void {
  const bound = boundEach(
    id,
    (first, second) => {
      const pair = pairNamed(first);
      return { pair, value: typeof second === 'string' ? second : null };
    },
    loadCatalogue('both-sides'),
  );
  for (const [definition, { pair, value }] of bound) {
    const which = { ...only, ...(value === null ? {} : { name: value }) };
    register(checkOf(definition, on, (joins) => judged(joins, pair, which, judge)));
  }
}

function pairNamed(name: unknown): SidePair {
  const pair = (Object.keys(pairs) as SidePair[]).find((one) => one === name);
  if (pair === undefined) throw new Error(`No pair of protocols is called ${String(name)}`);
  return pair;
}

function checkOf(
  definition: CheckDefinition,
  on: Scenario<readonly Join[]>,
  judge: (joins: readonly Join[]) => unknown,
): Check {
  return { id: definition.id, definition, on, judge };
}

function judged(
  joins: readonly Join[],
  pair: SidePair,
  which: Partial<Pick<Join, 'name' | 'form'>>,
  judge: JoinJudgement,
): unknown {
  const own = joins.filter(
    ({ route, name, form }) =>
      route.pair === pair && name === (which.name ?? name) && form === (which.form ?? form),
  );
  if (own.length === 0) {
    const [front, back] = pairs[pair];
    throw new NothingToJudge(
      `the target file has no route from ${front} to ${back}, or nobody asked its provider: provider/routing.routed says which`,
    );
  }
  return judgeEach(
    own,
    ({ route, form, name }) => `${routeInWords(route)}, ${name}, ${form}`,
    (join) => judgedAtFront(join, () => judge(join, which.name ?? '')),
    { noun: 'request', needsAll: true },
  );
}

/** Shows a failure by the request at the front, which a reader can repeat. */
function judgedAtFront({ front }: Join, judge: () => unknown): unknown {
  const lost = lostBecause(front);
  if (lost !== '') throw new Inconclusive(`the answer of the gateway was lost${lost}`, front);
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof ExpectationFailed) || error.exchange?.about.side !== 'back') throw error;
    throw new ExpectationFailed(error.expected, error.actual, front);
  }
}

/** @throws {Inconclusive} if the provider was not asked, or refused the request: another row says so */
export function assumeAsked({ front, back }: Join): void {
  if (back.length === 0) {
    throw new Inconclusive('the gateway did not ask its provider', front);
  }
}
