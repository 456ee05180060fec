import { Command } from 'commander';
import { createColors } from 'picocolors';
import { type Catalogue, loadCatalogue } from '../core/catalogue.ts';
import type { Requirement } from '../core/requirement.ts';
import { basisInWords } from '../report/basis.ts';
import { wrap } from '../report/wrap.ts';
import { withDefaults } from '../target/defaults.ts';
import { type Terminal, wantsColour } from '../terminal/terminal.ts';
import { assertKnown } from './options/filters.ts';

interface ListOptions {
  readonly json?: boolean;
  readonly unchecked?: boolean;
  readonly uncovered?: boolean;
  readonly color: boolean;
}

/** `touchstone list`: the catalogue. */
export function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .summary('list what must hold')
    .description('Lists the requirements: id, level, what holds, and the source that says so.')
    .argument('[ids...]', 'only those whose id starts so: storage/responses, input/')
    .option('--unchecked', 'only those that no check can judge, with the reasons')
    .option('--uncovered', 'only checks that the catalogue wants and nobody has written')
    .option('--json', 'for programs')
    .option('--no-color', 'plain text; the NO_COLOR variable does the same')
    .addHelpText('after', examples)
    .action(async (ids: string[], options: ListOptions) => {
      const catalogue = loadCatalogue();
      assertKnown(ids, [
        ...catalogue.requirements.map(({ id }) => id),
        ...catalogue.checks.map(({ id }) => id),
      ]);
      if (options.uncovered === true) {
        const missing = await uncovered(catalogue, ids);
        terminal.stdout.write(
          options.json === true
            ? `${JSON.stringify(missing, null, 2)}\n`
            : [...missing, `${missing.length} checks are missing`, ''].join('\n'),
        );
        return;
      }
      const chosen = catalogue.requirements.filter(
        (row) => matches(row, ids) && (options.unchecked !== true || row.unchecked !== null),
      );
      terminal.stdout.write(
        options.json === true
          ? `${JSON.stringify(chosen, null, 2)}\n`
          : table(chosen, terminal, options.color),
      );
    });
}

/** The ids that have neither a check nor a recorded reason to have none. */
async function uncovered(catalogue: Catalogue, prefixes: readonly string[]): Promise<string[]> {
  const { boundChecks } = await import('../engine/run.ts');
  // Checks are collected for a target, though none is called.
  const nowhere = withDefaults(
    { regions: [{ name: 'none', baseUrl: 'http://127.0.0.1:9' }], keys: { owner: '' }, models: [] },
    'none',
  );
  const bound = await boundChecks(nowhere);
  return catalogue.checks
    .map(({ id }) => id)
    .filter((id) => !bound.has(id))
    .filter((id) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)));
}

/** By its own id, or by that of one of its checks. */
function matches({ id, axis }: Requirement, prefixes: readonly string[]): boolean {
  const ids = [id, ...(axis ?? []).map(({ value }) => `${id}:${value}`)];
  return (
    prefixes.length === 0 || prefixes.some((prefix) => ids.some((own) => own.startsWith(prefix)))
  );
}

function table(rows: readonly Requirement[], terminal: Terminal, colour: boolean): string {
  const colours = createColors(colour && wantsColour(terminal.stdout, terminal.environment));
  const width = Math.min(terminal.stdout.columns || 100, 120);
  const lines = rows.flatMap(({ id, level, text, basis, axis, unchecked }) => {
    const indented = (text: string): string[] =>
      wrap(text, width - 8).map((line) => `        ${line}`);
    return [
      `${level.padEnd(7)} ${colours.bold(id)}`,
      ...indented(text),
      ...(axis === null
        ? []
        : indented(`for each of: ${axesInWords(axis, level)}`).map(colours.dim)),
      ...basisInWords(basis).flatMap(indented).map(colours.dim),
      ...(unchecked === null ? [] : indented(`no check: ${unchecked}`).map(colours.yellow)),
      '',
    ];
  });
  const checks = rows
    .filter(({ unchecked }) => unchecked === null)
    .reduce((sum, { axis }) => sum + (axis?.length ?? 1), 0);
  return `${lines.join('\n')}\n${rows.length} requirements, ${checks} checks\n`;
}

/** `lookup, continue, cancel (SHOULD)` */
function axesInWords(axis: NonNullable<Requirement['axis']>, level: string): string {
  return axis
    .map((entry) => (entry.level === level ? entry.value : `${entry.value} (${entry.level})`))
    .join(', ');
}

const examples = `
Examples:
  touchstone list                   everything
  touchstone list storage/responses   what must hold for stored responses
  touchstone list --unchecked       what cannot be seen from outside, and why
  touchstone list --json            for programs`;
