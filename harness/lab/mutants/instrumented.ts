import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { rolldown } from 'rolldown';
import { packageRoot } from '../../kernel/core/index.ts';

/** One change of the reference gateway's own code. */
export interface Mutant {
  readonly id: string;
  /** File and line, such as `harness/reference/store.ts:41`. */
  readonly where: string;
  /** Operator of Stryker, such as `ConditionalExpression`. */
  readonly operator: string;
  /** The code before and after, each cut to one short line. */
  readonly change: string;
}

/** The reference gateway with all its mutants, of which one is active at most. */
export const instrumentedFile = join(packageRoot, 'reports', 'mutants', 'reference.mjs');

const quiet = {
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
  ...{ trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} },
};

/** Writes the reference gateway with a switch for each mutant to {@link instrumentedFile}, and returns the mutants. */
export async function instrumentReference(): Promise<readonly Mutant[]> {
  const folder = join(packageRoot, 'harness', 'reference');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|testing/.test(path))
    .map((path) => join(folder, path))
    .map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
  const options = { plugins: null, ignorers: [], excludedMutations: [] };
  const { files: changed, mutants } = await new Instrumenter(quiet).instrument(files, options);
  const codes = new Map(changed.map(({ name, content }) => [name, content]));
  const bundle = await rolldown({
    input: join(folder, 'index.ts'),
    platform: 'node',
    external: /^[a-z@]/,
    plugins: [
      {
        name: 'mutants',
        load: (id) => (codes.has(id) ? { code: codes.get(id) ?? '', moduleType: 'ts' } : null),
      },
    ],
  });
  await bundle.write({ file: instrumentedFile, codeSplitting: false });
  const sources = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  return mutants.map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => {
    const lines = (sources.get(fileName) ?? []).slice(start.line, end.line + 1);
    const last = lines.length - 1;
    const before = lines
      .map((line, at) =>
        line.slice(at === 0 ? start.column : 0, at === last ? end.column : undefined),
      )
      .join(' ');
    return {
      id,
      where: `${fileName.slice(packageRoot.length + 1)}:${start.line + 1}`,
      operator: mutatorName,
      change: `${short(before)} → ${short(replacement ?? '')}`,
    };
  });
}

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 57)}…`;
}
