import { budgetsAt } from '../../kernel/cli/index.ts';
import { referenceTarget } from '../../kernel/targets/index.ts';
import { table } from './table.ts';

/** Generations that the page shows; and then all. */
const budgets = [5, 10, 25, 50, 100] as const;

const rows = await budgetRows();

/** Share of faults that a run notices for a number of generations, at a gateway that offers everything. */
export function budgetTable(): string {
  return table(['`--generations`', 'served by a right gateway', 'checks', 'notices'], rows, [
    'left',
    'right',
    'right',
    'left',
  ]);
}

async function budgetRows(): Promise<string[][]> {
  const { target, close } = await referenceTarget();
  await close();
  const cuts = await budgetsAt(target, budgets);
  const all = cuts.at(-1)?.plan.checks.length ?? 0;
  return cuts.map(({ plan: { checks, expectedGenerations }, notices }, index) => [
    String(budgets[index] ?? 'without'),
    String(expectedGenerations),
    `${checks.length} of ${all}`,
    notices.replace(' of the planted faults', ''),
  ]);
}
