import type { ScriptReader } from '../../reference/index.ts';
import { expressionIn, type Outcome, type Script } from '../../reference/mock/script.ts';
import { unreached } from '../../reference/mock/unreached.ts';
import { asList, asObject } from '../core/index.ts';
import { fieldName, type Path, type Places, parseYaml, type YamlDocument } from './document.ts';
import { problemsIn, validatorOf } from './schema-rules.ts';
import { type Problem, TargetError, told, yamlText } from './target-error.ts';

const validator = validatorOf<Script>('script.schema.json');

/** Called for a script that is valid, but surely not as intended. */
type Warn = (warning: string) => void;

const warnProcess: Warn = (warning) => process.emitWarning(warning, 'ScriptWarning');

/**
 * Reads the script of a mock.
 *
 * @param warn called with each unreachable rule and its place. Default: a warning of the process
 * @throws {TargetError} with all problems and their places
 */
export function loadScript(path: string, warn: Warn = warnProcess): Script {
  return parseScript(yamlText(path), path, warn);
}

/** @param path names it in errors and warnings @throws {TargetError} */
export function parseScript(text: string, path: string, warn: Warn): Script {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new TargetError(path, [parsed.problem]);
  const { document } = parsed;
  const data = document.value() ?? {};
  const validate = validator();
  if (validate(data)) {
    const problems = problemsWithin(data, document);
    if (problems.length > 0) throw new TargetError(path, problems);
    for (const problem of unreachedRules(data, document)) warn(told(path, problem));
    return data;
  }
  // An `if` error only repeats the errors within its `then` or `else`.
  const errors = validate.errors?.filter(({ keyword }) => keyword !== 'if') ?? [];
  const quote = (value: string): string => JSON.stringify(value);
  throw new TargetError(
    path,
    problemsIn({ errors, schema: validate.schema }, 'a script', document, quote),
  );
}

/** Reads a script that is sent to a mock. @throws {TargetError} */
export const readSentScript: ScriptReader = (text) => {
  const warnings: string[] = [];
  const script = parseScript(text, 'The script', (warning) => void warnings.push(warning));
  return { script, warnings };
};

/** Validates a script from code that may not have been type-checked. @throws {TargetError} */
export function checkedScript(script: Script): Script {
  const text = JSON.stringify(script, (_, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  try {
    parseScript(text, 'The script', () => undefined);
    for (const problem of unreachedRules(script, nowhere)) warnProcess(told('The script', problem));
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    // A script that is built in code has no lines.
    const problems = error.problems.map((problem) => ({ ...problem, place: null }));
    throw new TargetError('The script', problems);
  }
  return script;
}

const longestExpression = 1_000;

/** Groups of mutually exclusive members of an outcome. Text may accompany calls. */
const alternatives = [
  ['text', 'pieces', 'value', 'error'],
  ['call', 'calls', 'error'],
  ['cut', 'stall', 'reset'],
];

/** Returns the problems that a schema cannot express. */
function problemsWithin({ rules, otherwise }: Script, document: YamlDocument): Problem[] {
  const outcomes: readonly (readonly [Path, Outcome])[] = [
    ...rules.map((rule, index) => [['rules', index], rule] as const),
    ...(otherwise === undefined ? [] : [[['otherwise'], otherwise] as const]),
  ];
  return [
    ...outcomes.flatMap(([path, outcome]) => severalOf(path, outcome, document)),
    ...rules.flatMap(({ when }, index) =>
      (['says', 'system', 'toolResult'] as const).flatMap((name) =>
        brokenExpressions(asObject(when)[name], ['rules', index, 'when', name], document),
      ),
    ),
  ];
}

/** Places of a script that is built in code and has no lines. */
const nowhere: Pick<Places, 'problem'> = {
  problem: (path, message) => ({ place: null, field: fieldName(path), message }),
};

function unreachedRules(script: Script, document: Pick<Places, 'problem'>): Problem[] {
  const pathOf = (index: number): Path =>
    index < script.rules.length ? ['rules', index] : ['otherwise'];
  return unreached(script).map(({ index, behind }) => {
    const first = behind.map((at) => {
      const { place, field } = document.problem(pathOf(at), '');
      return place === null ? field : `${field} in line ${place.line}`;
    });
    const why =
      first.length === 0
        ? 'nothing is asked that it could answer: System One has no texts, no calls and no tools'
        : `whatever fits it fits ${first.join(' or ')} before it`;
    return document.problem(pathOf(index), `No request reaches this: ${why}.`);
  });
}

function severalOf(path: Path, outcome: Outcome, document: YamlDocument): Problem[] {
  const problems = new Map<string, Problem>();
  const given: readonly string[] = Object.keys(outcome).filter(
    // A late error follows a part of the answer.
    (name) => !(name === 'error' && 'after' in asObject(outcome.error)),
  );
  for (const names of alternatives) {
    const [first, ...more] = names.filter((name) => given.includes(name));
    for (const name of more) {
      const message = `There is \`${first}\` already: choose one of them.`;
      problems.set(name, document.problemWithKey([...path, name], message));
    }
  }
  return [...problems.values()];
}

function brokenExpressions(words: unknown, path: Path, document: YamlDocument): Problem[] {
  const texts: readonly (readonly [Path, unknown])[] = Array.isArray(words)
    ? asList(words).map((word, index) => [[...path, index], word] as const)
    : [[path, words]];
  return texts.flatMap(([place, word]) => {
    try {
      const pattern = typeof word === 'string' ? expressionIn(word) : null;
      if (pattern === null || pattern.source.length <= longestExpression) return [];
      return [
        document.problem(place, `The expression is longer than ${longestExpression} characters.`),
      ];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [document.problem(place, `${why}.`)];
    }
  });
}
