import { Command } from 'commander';
import {
  type Catalogue,
  expand,
  isAskedFor,
  loadCatalogue,
  type Requirement,
  searchRequirements,
  sides,
} from '../core/index.ts';
import {
  aside,
  type Block,
  basisInWords,
  counted,
  type ListItem,
  paragraph,
  printed,
  strong,
  toned,
} from '../report/index.ts';
import { type Terminal, UsageError, wantsColour } from '../terminal/index.ts';
import { assertKnown } from './options/filters.ts';

interface ListOptions {
  readonly json?: boolean;
  readonly unchecked?: boolean;
  readonly uncovered?: boolean;
  readonly color: boolean;
}

/** Makes `touchstone list`, which prints the catalogue. */
export function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .summary('list and search the requirements')
    .description(
      'Lists the requirements: id, level, what must hold, and the clause or source it comes from.',
    )
    .argument(
      '[text...]',
      'id prefixes (storage/responses, input/), or else words of an id, a sentence or a source',
    )
    .option('--unchecked', 'only requirements that no check can judge, with the reasons')
    .option('--uncovered', 'only checks of the catalogue that are not implemented')
    .option('--json', 'print JSON')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (args: string[], options: ListOptions) => {
      const catalogue = loadCatalogue();
      const found = select(catalogue, args);
      if (options.uncovered === true) {
        const missing = await uncovered(found);
        terminal.stdout.write(
          options.json === true
            ? `${JSON.stringify(missing, null, 2)}\n`
            : [...missing, `${counted(missing.length, 'check')} missing`, ''].join('\n'),
        );
        return;
      }
      const chosen = found.filter((row) => options.unchecked !== true || row.unchecked !== null);
      terminal.stdout.write(
        options.json === true
          ? `${JSON.stringify(chosen, null, 2)}\n`
          : table(chosen, terminal, options.color),
      );
    });
}

/**
 * Selects rows by id prefixes if all arguments are prefixes, or else by words.
 *
 * @throws {UsageError} if nothing is found
 */
function select({ requirements, checks }: Catalogue, args: readonly string[]): Requirement[] {
  const ids = [...requirements.map(({ id }) => id), ...checks.map(({ id }) => id)];
  const isPrefix = (arg: string): boolean => ids.some((id) => isAskedFor(id, arg));
  if (args.every(isPrefix)) return requirements.filter((row) => matches(row, args));
  const query = args.join(' ');
  const found = args.some(looksLikeId) ? [] : searchRequirements(requirements, query);
  if (found.length > 0) return found;
  // The error for a mistyped id suggests similar ones.
  assertKnown(args, ids);
  throw new UsageError(`No requirement matches "${query}".`);
}

/** True for `storage/respnses`, and false for `/v1/models` or `store`. */
function looksLikeId(text: string): boolean {
  return /^(@|[a-z-]+\/)\S*$/.test(text);
}

/** Returns the checks that are not implemented. */
async function uncovered(requirements: readonly Requirement[]): Promise<string[]> {
  const { suiteChecks } = await import('../engine/index.ts');
  const all = await Promise.all(sides.map((side) => suiteChecks(side)));
  const bound = new Set(all.flat().map(({ id }) => id));
  return requirements
    .filter(({ unchecked }) => unchecked === null)
    .flatMap(expand)
    .map(({ id }) => id)
    .filter((id) => !bound.has(id));
}

/** True if a prefix matches the id of a requirement, or of one of its checks. */
function matches({ id, axis }: Requirement, prefixes: readonly string[]): boolean {
  const ids = [id, ...(axis ?? []).map(({ value }) => `${id}:${value}`)];
  return (
    prefixes.length === 0 || prefixes.some((prefix) => ids.some((own) => isAskedFor(own, prefix)))
  );
}

function table(rows: readonly Requirement[], { stdout, environment }: Terminal, colour: boolean) {
  const entries = rows.flatMap(({ id, level, text, basis, axis, unchecked }): readonly Block[] => {
    const each = axis === null ? [] : [`for each of: ${axesInWords(axis, level)}`];
    const item: ListItem = {
      sign: level.padEnd(7),
      text: strong(id),
      below: [
        text,
        ...[...each, ...basisInWords(basis)].map(aside),
        ...(unchecked === null ? [] : [toned('warn', `no check: ${unchecked}`)]),
      ],
    };
    return [{ block: 'list', items: [item] }, paragraph('')];
  });
  const checks = rows
    .filter(({ unchecked }) => unchecked === null)
    .reduce((sum, { axis }) => sum + (axis?.length ?? 1), 0);
  const sum = `${counted(rows.length, 'requirement')}, ${counted(checks, 'check')}`;
  const blocks = [...entries, paragraph(sum)];
  return printed(
    { kind: 'requirements', title: 'Requirements', conclusion: null, blocks },
    { colour: colour && wantsColour(stdout, environment), width: stdout.columns || 100 },
  );
}

/** Returns `lookup, continue, cancel (SHOULD)`. */
function axesInWords(axis: NonNullable<Requirement['axis']>, level: string): string {
  return axis
    .map((entry) => (entry.level === level ? entry.value : `${entry.value} (${entry.level})`))
    .join(', ');
}

const examples = `
Examples:
  touchstone list                             everything
  touchstone list storage/responses           what must hold for stored responses
  touchstone list background requires store   by words of its id, its sentence or its sources
  touchstone list RESP-9                      what a clause of the specification asks for
  touchstone list --unchecked                 what cannot be seen from outside, and why
  touchstone list --json                      for programs`;
