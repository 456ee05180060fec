import { cutLine } from '../core/index.ts';
import type { Variables } from '../wire/index.ts';
import { withDefaults } from './defaults.ts';
import type { Path, Places } from './document.ts';
import { keepSecrets } from './keep-secrets.ts';
import { matchesSchema, type Quote, schemaProblems } from './schema-rules.ts';
import { semanticProblems } from './semantic-rules.ts';
import type { Target } from './target.ts';
import { type Problem, TargetError } from './target-error.ts';

interface Description {
  /** Source of the description: the path of a file, or `the command line`. */
  readonly source: string;
  /** Name of the target if the description has none. */
  readonly fallbackName: string;
  readonly data: unknown;
  readonly places: Places;
  /** Problems that were found earlier. */
  readonly problems: readonly Problem[];
  /** Fields that cannot be validated further. */
  readonly unknown: ReadonlySet<string>;
  /** Values that no message may show. */
  readonly secrets: ReadonlySet<string>;
  /** Values of the variables that remain in texts. */
  readonly variables: Variables;
}

/** Returns the target of a valid description. @throws {TargetError} with all problems */
export function validated(description: Description): Target {
  const { source, data, places, unknown, variables } = description;
  const quote = quoteExcept(description.secrets);
  const problems = [
    ...description.problems,
    ...schemaProblems(data, places, quote).filter(({ field }) => !unknown.has(field)),
  ];
  // A problem found by the schema takes precedence over a semantic one of its field.
  const told = new Set([...unknown, ...problems.map(({ field }) => field)]);
  problems.push(
    ...semanticProblems(data, places, quote, variables).filter(({ field }) => !told.has(field)),
  );
  if (problems.length > 0 || !matchesSchema(data)) throw new TargetError(source, problems);
  const target = withDefaults(data, description.fallbackName, variables);
  keepSecrets(target);
  return target;
}

/** Quotes texts that may be shown: no key, no address with a password, nothing from the environment. */
function quoteExcept(secrets: ReadonlySet<string>): Quote {
  return (text: string, path: Path) => {
    const hidden =
      path.includes('keys') ||
      path[0] === 'credentials' ||
      path.includes('headers') ||
      path.at(-1) === 'passphrase' ||
      /\/\/[^/]*@/.test(text) ||
      [...secrets].some((secret) => text.includes(secret));
    if (hidden) return 'This value (not shown)';
    return `"${cutLine(text, 60)}"`;
  };
}
