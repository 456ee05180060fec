import type { Variables } from '../wire/index.ts';
import { fieldName, type Path, type YamlDocument } from './document.ts';
import type { Problem } from './target-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface Substituted {
  readonly problems: readonly Problem[];
  /** Fields whose variables are not set, so that their values cannot be validated. */
  readonly unknown: ReadonlySet<string>;
  /** Values of environment variables. All of them count as secrets. */
  readonly values: ReadonlySet<string>;
  /** Values of the variables that remain in their texts, so that headers can be shown with `${NAME}`. */
  readonly variables: Variables;
}

const variable = /\$\{([^}]*)\}/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces `${NAME}` by the value of the environment variable, in every text of the document.
 *
 * @param needsKeys false if a placeholder may replace the value of a key
 */
export function substitute(
  document: YamlDocument,
  environment: Environment,
  needsKeys = true,
): Substituted {
  const problems: Problem[] = [];
  const unknown = new Set<string>();
  const values = new Set<string>();
  const variables: Record<string, string> = {};
  document.replaceTexts((text, path) => {
    if (!text.includes('${')) return null;
    const fail = (message: string): void => {
      problems.push(document.problem(path, message));
      unknown.add(fieldName(path));
    };
    if (text.replace(variable, '').includes('${')) {
      fail(`A \`\${\` is not closed: write \`\${NAME}\`.`);
      return null;
    }
    return text.replace(variable, (whole, name: string) => {
      if (!variableName.test(name)) {
        fail(`\`${whole}\` names no environment variable: write \`\${NAME}\`, without a default.`);
        return whole;
      }
      const value = environment[name];
      const stays = isShownAsWritten(path);
      if ((value === undefined || value === '') && (path.includes('keys') || stays) && !needsKeys) {
        variables[name] = `not-set-${name}`;
        return stays ? whole : `not-set-${name}`;
      }
      if (value === undefined || value === '') {
        const state = value === undefined ? 'not set' : 'empty';
        fail(
          `The environment variable ${name} is ${state}. Set it before the run: ${setIt(name, path)}`,
        );
        return whole;
      }
      values.add(value);
      if (!stays) return value;
      variables[name] = value;
      return whole;
    });
  });
  return { problems, unknown, values, variables };
}

/** True if variables remain in a text, because it is shown as written. */
function isShownAsWritten(path: Path): boolean {
  return path.includes('headers') || path.at(-1) === 'passphrase';
}

function setIt(name: string, path: Path): string {
  return `export ${name}='<${path.includes('keys') ? 'the key' : 'its value'}>'`;
}
