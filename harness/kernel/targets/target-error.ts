import { budgets, CommandError, readForeign, whyUnreadable } from '../core/index.ts';

/** One problem of a target file. Its text quotes no secret. */
export interface Problem {
  /** Position, counted from 1. Null if the problem has no place in the file. */
  readonly place: { readonly line: number; readonly column: number } | null;
  /** Path of the field: `models[0].supports[2]`. Empty for the file as a whole. */
  readonly field: string;
  readonly message: string;
  /** Source of the field if it is not the description of the target: the environment. */
  readonly source?: string;
}

/** Maximum number of problems in the text of an error. */
const mostTold = 100;

/** The target cannot be used as described. The command exits with 3. */
export class TargetError extends CommandError {
  override readonly name = 'TargetError';
  readonly problems: readonly Problem[];

  /** @param source path of the file, or another source of the description */
  constructor(source: string, problems: readonly Problem[]) {
    const sorted = [...problems].sort(byPlace);
    const count = sorted.length === 1 ? 'a problem' : `${sorted.length} problems`;
    const lines = sorted.slice(0, mostTold).map((problem) => told(source, problem));
    if (sorted.length > mostTold) lines.push(`… and ${sorted.length - mostTold} more`);
    const [whole = source, ...others] = new Set(sorted.map((problem) => problem.source ?? source));
    super(`${others.length === 0 ? whole : source} has ${count}:\n\n${lines.join('\n\n')}`);
    this.problems = sorted;
  }
}

/**
 * One problem in two lines: its place, and its message.
 *
 * @param source as for {@link TargetError}
 */
export function told(source: string, problem: Problem): string {
  return `${heading(source, problem)}\n  ${problem.message}`;
}

function heading(described: string, { place, field, source = described }: Problem): string {
  const where = place === null ? source : `${source}:${place.line}:${place.column}`;
  return field === '' ? where : `${where}  ${field}`;
}

function byPlace(a: Problem, b: Problem): number {
  const line = (a.place?.line ?? 0) - (b.place?.line ?? 0);
  return line === 0 ? (a.place?.column ?? 0) - (b.place?.column ?? 0) : line;
}

/** Reads the text of a file in YAML. @param whenMissing further advice @throws {TargetError} */
export function yamlText(path: string, whenMissing = ''): string {
  try {
    return readForeign(path, budgets.small);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = `${whyUnreadable(error)}${isMissing ? whenMissing : ''}`;
    throw new TargetError(path, [{ place: null, field: '', message }]);
  }
}
