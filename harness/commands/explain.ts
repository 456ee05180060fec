import { Command } from 'commander';
import { loadCatalogue } from '../core/catalogue.ts';
import { basisInWords } from '../report/basis.ts';
import { counted } from '../report/tally.ts';
import { withDefaults } from '../target/defaults.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { assertKnown } from './options/filters.ts';

/** `touchstone explain`: one requirement, what it is judged on, and how it is known to be able to fail. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .summary('explain a requirement')
    .description(
      'Explains requirements: what holds, which source says so, on which requests it is judged, and ' +
        'the planted faults that prove that the check can fail.',
    )
    .argument('<ids...>', 'the beginning of an id: storage/responses.lookup-served')
    .action(async (ids: string[]) => {
      const catalogue = loadCatalogue();
      assertKnown(
        ids,
        catalogue.checks.map(({ id }) => id),
      );
      const { plan } = await import('../engine/run.ts');
      const { faults } = await import('../proof/faults/index.ts');
      const { covers } = await import('../proof/matrix.ts');
      // The checks are collected for a target, though none is called.
      const nowhere = withDefaults(
        {
          regions: [{ name: 'none', baseUrl: 'http://127.0.0.1:9' }],
          keys: { owner: 'not-used-here' },
          models: [],
        },
        'none',
      );
      const planned = new Map((await plan(nowhere, ids)).checks.map((check) => [check.id, check]));
      for (const { id, requirement, level, basis } of catalogue.select(ids)) {
        const { judgedOn = [], scenarios = [] } = planned.get(id) ?? {};
        const proofs = faults.filter(({ breaks }) => covers(breaks, id));
        const lines = [
          `${id} (${level})`,
          `  ${requirement.text.replaceAll('\n', ' ')}`,
          ...basisInWords(basis).map(
            (line, index) => `  ${index === 0 ? 'source ' : '       '}  ${line}`,
          ),
          ...scenarios.map(({ name, requests, generations }, index) => {
            const label = index < judgedOn.length ? 'judged on' : '    after';
            return `  ${label} ${name}: ${counted(requests, 'request')}, ${counted(generations, 'generation')}`;
          }),
          ...proofs.map((fault) => `  broken by ${fault.id}: ${fault.what}`),
        ];
        terminal.stdout.write(`${lines.join('\n')}\n\n`);
      }
    });
}
