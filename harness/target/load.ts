import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { withDefaults } from './defaults.ts';
import { type Path, parseYaml, type YamlDocument } from './document.ts';
import { type Environment, substitute } from './environment.ts';
import { senseProblems } from './sense.ts';
import { hasShape, type Quote, shapeProblems } from './shape.ts';
import type { Target } from './target.ts';
import { type Problem, TargetError } from './target-error.ts';

/**
 * Reads a target file.
 *
 * @throws {TargetError} with everything that is wrong with it, where, and what was meant; it quotes
 *   no key and nothing that came out of the environment
 */
export function loadTarget(path: string, environment: Environment = process.env): Target {
  return readTarget(textOf(path), path, environment);
}

/** Reads the text of a target file. `path` names it in errors. @throws {TargetError} */
export function readTarget(text: string, path: string, environment: Environment): Target {
  const parsed = parseYaml(text);
  if (!parsed.ok) throw new TargetError(path, [parsed.problem]);
  const { document } = parsed;
  const { problems, unknown, values } = substitute(document, environment);
  const data = plainValue(document, path);
  const quote = quoteExcept(values);
  const found: Problem[] = [
    ...problems,
    ...shapeProblems(data, document, quote).filter(({ field }) => !unknown.has(field)),
  ];
  // The schema knows better what is wrong with a field than what makes sense of it.
  const told = new Set([...unknown, ...found.map(({ field }) => field)]);
  found.push(...senseProblems(data, document, quote).filter(({ field }) => !told.has(field)));
  if (found.length > 0 || !hasShape(data)) throw new TargetError(path, found);
  return withDefaults(data, basename(path).replace(/\.ya?ml$/, ''));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new TargetError(path, [{ place: null, field: '', message: unreadable(code) }]);
  }
}

function unreadable(code: unknown): string {
  switch (code) {
    case 'ENOENT':
      return (
        'There is no such file. Name one with --target FILE, or test without a file: ' +
        '--base-url URL --model ID.'
      );
    case 'EISDIR':
      return 'This is a folder: name the file in it.';
    case 'EACCES':
      return 'This file may not be read: see its permissions.';
    default:
      return `This file cannot be read (${String(code)}).`;
  }
}

function plainValue(document: YamlDocument, path: string): unknown {
  try {
    return document.value() ?? {};
  } catch {
    const message = 'Its `*aliases` make it grow beyond measure: write the values out.';
    throw new TargetError(path, [{ place: null, field: '', message }]);
  }
}

/** Quotes what may be shown: no key, no address with a password, nothing from the environment. */
function quoteExcept(secrets: ReadonlySet<string>): Quote {
  return (text: string, path: Path) => {
    const hidden =
      path[0] === 'keys' ||
      path[0] === 'credentials' ||
      /\/\/[^/]*@/.test(text) ||
      [...secrets].some((secret) => text.includes(secret));
    if (hidden) return 'This value (not shown)';
    const line = text.replace(/\s+/g, ' ');
    return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
  };
}
