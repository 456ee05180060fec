import { dialectNames } from '../dialect.ts';
import { keyRoles } from '../keys.ts';
import {
  canDecide,
  expressionIn,
  many,
  type OneOrMore,
  type Rule,
  type Script,
  type When,
  type Words,
} from './script.ts';

interface Unreached {
  /** Index of the rule, from 0; the index after the last rule means `otherwise`. */
  readonly index: number;
  /** Earlier rules that match every request for this rule; empty if the rule itself matches none. */
  readonly behind: readonly number[];
}

/**
 * Returns the rules that no request reaches, and only those that are certain. A rule with limited `times` shadows
 * nothing, and a regular expression shadows only an identical one.
 */
export function unreached({ rules, otherwise }: Script): readonly Unreached[] {
  const all: readonly Rule[] = [...rules, ...(otherwise === undefined ? [] : [otherwise])];
  return all.flatMap((rule, index) => {
    const before = all.slice(0, index).filter(({ times }) => times === undefined);
    const kinds = kindsFor(rule, before);
    if (kinds === null) return [];
    const behind = new Set<number>();
    for (const kind of kinds) {
      const taking = before.find((one) => takes(one, kind));
      if (taking === undefined) return [];
      behind.add(all.indexOf(taking));
    }
    return [{ index, behind: [...behind].sort((a, b) => a - b) }];
  });
}

/** Maximum number of kinds, far above that of any handwritten script. */
const mostKinds = 5_000;

/** Common properties of a kind of request. `null` stands for any value that no rule names. */
interface Kind {
  readonly protocol: string | null;
  readonly model: string | null;
  readonly key: string | null;
  readonly user: string | null;
  readonly stream: boolean | null;
  /** Words that every such request contains. */
  readonly says: Words | null;
  readonly system: Words | null;
  readonly turn: number | null;
  readonly tool: string | null;
  /** True if the last turn is the result of a call, or words in that result; null if unknown. */
  readonly toolResult: boolean | Words | null;
}

const anything: Kind = {
  protocol: null,
  model: null,
  key: null,
  user: null,
  stream: null,
  says: null,
  system: null,
  turn: null,
  tool: null,
  toolResult: null,
};

/**
 * Returns the kinds of requests that together cover everything that a rule matches; null if they are too many. A
 * property that the rule leaves open is split by the values of earlier rules.
 */
function kindsFor(rule: Rule, before: readonly Rule[]): readonly Kind[] | null {
  const { when = {} } = rule;
  const divided = <Name extends keyof When, T>(name: Name, values: readonly T[]) =>
    before.some((one) => one.when?.[name] !== undefined) ? values : [null];
  const axes: { readonly [Name in keyof Kind]: readonly Kind[Name][] } = {
    protocol: each(when.protocol) ?? dialectNames.filter((name) => name !== 'models'),
    model: each(when.model) ?? [null],
    key: each(when.key) ?? divided('key', [...keyRoles, null]),
    user: each(when.user) ?? [null],
    stream: each(when.stream) ?? divided('stream', [true, false]),
    says: each(when.says) ?? [null],
    system: each(when.system) ?? [null],
    turn: each(when.turn) ?? [null],
    tool: each(when.tool) ?? [null],
    toolResult: each(when.toolResult) ?? divided('toolResult', [true, false]),
  };
  const count = Object.values(axes).reduce((product, { length }) => product * length, 1);
  if (count > mostKinds) return null;
  let kinds: readonly Kind[] = [anything];
  for (const [name, values] of Object.entries(axes)) {
    kinds = kinds.flatMap((kind) => values.map((value) => ({ ...kind, [name]: value })));
  }
  return kinds.filter((kind) => canFit(rule, kind));
}

/** True if a rule may answer some request of a kind. System One has a single turn, and no tools. */
function canFit(rule: Rule, { protocol, tool, toolResult }: Kind): boolean {
  if (protocol !== 'systemone') return true;
  return canDecide(rule) && tool === null && (toolResult === null || toolResult === false);
}

function takes(rule: Rule, kind: Kind): boolean {
  const { when = {} } = rule;
  const isAmong = (value: string | null, wanted: OneOrMore<string> | undefined): boolean =>
    wanted === undefined || (value !== null && many(wanted).includes(value));
  const tells = (words: Words | null, wanted: OneOrMore<Words> | undefined): boolean =>
    wanted === undefined || (words !== null && many(wanted).some((one) => occursIn(one, words)));
  const { toolResult } = when;
  return (
    (kind.protocol !== 'systemone' || canDecide(rule)) &&
    isAmong(kind.protocol, when.protocol) &&
    isAmong(kind.model, when.model) &&
    isAmong(kind.key, when.key) &&
    isAmong(kind.user, when.user) &&
    (when.stream === undefined || when.stream === kind.stream) &&
    tells(kind.says, when.says) &&
    tells(kind.system, when.system) &&
    (when.turn === undefined || when.turn === kind.turn) &&
    (when.tool === undefined || when.tool === kind.tool) &&
    (typeof toolResult === 'boolean'
      ? kind.toolResult !== null && (kind.toolResult !== false) === toolResult
      : tells(typeof kind.toolResult === 'boolean' ? null : kind.toolResult, toolResult))
  );
}

/** Returns the values of a condition; undefined without a condition. */
function each<T extends string | number | boolean | RegExp>(
  wanted: OneOrMore<T> | undefined,
): readonly T[] | undefined {
  return wanted === undefined || isList(wanted) ? wanted : [wanted];
}

function isList<T>(wanted: OneOrMore<T>): wanted is readonly T[] {
  return Array.isArray(wanted);
}

/** True if words occur wherever others do. */
function occursIn(words: Words, others: Words): boolean {
  const [one, other] = [words, others].map((text) =>
    typeof text === 'string' ? (expressionIn(text) ?? text.toLowerCase()) : text,
  );
  if (typeof one === 'string' && typeof other === 'string') return other.includes(one);
  return one instanceof RegExp && other instanceof RegExp && String(one) === String(other);
}
