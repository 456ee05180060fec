import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';
import { faults } from '../../proof/faults/index.ts';
import { withoutCounts } from './page.ts';
import { recordRun } from './recorded-run.ts';

/** The fault of the gateway in the picture: one that a reader understands at a glance. */
const faultId = 'owners.any-user-lookup';

/** Columns of the terminal: few, so that it can be read on a phone, too. */
export const width = 74;

export const title =
  'A run against a gateway that gives any user what another has stored: checks fail for one cause, with the request that shows it, and the verdict is nonconformant. The same run when that is fixed: conformant.';

/** Content of the README's picture: a run against a gateway with one fault, and one after it is fixed. */
export async function readmeRun(): Promise<string> {
  const defect = faults.find(({ id }) => id === faultId);
  if (defect === undefined) throw new Error(`There is no fault ${faultId} any more: show another.`);
  const failing = await recordRun({ defect, quiet: false, width });
  const fixed = await recordRun({ quiet: true, width });
  const { dim, bold } = createColors(true);
  return [
    `${dim('$')} ${bold('npx gateway-touchstone run --target staging.yaml')}`,
    withoutTheLesser(failing, dim('⋮')),
    `${dim('$')} ${bold('npx gateway-touchstone run --target staging.yaml -q')} ${dim('# when it is fixed')}`,
    fixed,
  ].join('\n');
}

/** Leaves out what stands between the failures and the verdict: what is not offered, and notes. */
function withoutTheLesser(screen: string, mark: string): string {
  const lines = screen.split('\n');
  const from = lines.findIndex((line) => line.includes('  source    '));
  const to = lines.findIndex((line) => line.startsWith('───'));
  if (from === -1 || to < from) throw new Error(`No failure and verdict in:\n${screen}`);
  return [...lines.slice(0, from + 1), '', mark, '', ...lines.slice(to)].join('\n');
}

/**
 * True if a picture still shows what a run prints, apart from values of the moment: colours, addresses,
 * ids, times, and the number of requests, which varies with the polls.
 */
export function isFresh(
  kept: string,
  now: string,
  { keepCounts }: { readonly keepCounts: boolean },
): boolean {
  const compared = (screen: string): string =>
    keepCounts ? withoutCounts(withoutTheMoment(screen)) : withoutTheMoment(screen);
  return compared(kept) === compared(now);
}

function withoutTheMoment(screen: string): string {
  return stripVTControlCharacters(screen)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '…')
    .replaceAll(/(?<=resp_)[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replaceAll(/\d+(?= requests)/g, '…')
    .replaceAll(/(?<= in )\d+\.\d(?= s)/g, '…');
}
