import { shelf } from '../proof/shelf.ts';
import type { ChoosingOptions, Defect, Named, Rated } from '../reference/index.ts';
import { findDefect, listDefects } from '../reference/mock/choosing.ts';
import { Refusal } from '../reference/refusal.ts';
import { UsageError } from '../terminal/failure.ts';

export interface FaultOptions {
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  /** Of those that say none themselves. */
  readonly faultRate: number;
  readonly seed: number;
}

/** The faults and variants of a command line, looked up, so that a wrong name is told at once. */
export async function chosenFaults({
  fault = [],
  variant = [],
  faultRate,
  seed,
}: FaultOptions): Promise<{
  readonly faults: ChoosingOptions;
  readonly defects: readonly Defect[];
}> {
  const always: readonly Rated[] = [
    ...fault.map((text) => rated('fault', text, faultRate)),
    ...variant.map((text) => rated('variant', text, 1)),
  ];
  const defects = await Promise.all(always.map(found));
  return { faults: { shelf, always, seed }, defects };
}

/** All that can be asked for, a line each. */
export async function faultList(): Promise<string> {
  const all = await listDefects(shelf);
  return all.map(({ kind, id, what }) => `${kind.padEnd(7)}  ${id}\n         ${what}\n`).join('');
}

/** `ID` or `ID@RATE`. */
function rated(kind: Named['kind'], text: string, usual: number): Rated {
  const [, id = text, written] = /^(.*)@([^@]*)$/.exec(text) ?? [];
  const rate = written === undefined ? usual : Number(written);
  if (written?.trim() === '' || !(rate >= 0 && rate <= 1)) {
    throw new UsageError(
      `--${kind} ${text}: expected a rate from 0 to 1 after @, as in ${id}@0.1.`,
    );
  }
  return { kind, id, rate };
}

async function found(named: Named): Promise<Defect> {
  try {
    return await findDefect(named, shelf);
  } catch (error) {
    if (error instanceof Refusal) throw new UsageError(`--${named.kind}: ${error.message}`);
    throw error;
  }
}
