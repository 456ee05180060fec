import {
  type ChoosingOptions,
  type Defect,
  findDefect,
  type Named,
  type Rated,
  Refusal,
} from '../reference/index.ts';
import { shelf } from './shelf.ts';

/** Error for a fault or a variant that does not exist, or an invalid rate. */
export class UnknownFault extends Error {
  override readonly name = 'UnknownFault';
}

interface WantedFaults {
  /** Syntax `ID`, or `ID@RATE`. */
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  /** Rate of the faults that do not set one themselves. Default 1. */
  readonly rate?: number;
  readonly seed?: number;
}

/**
 * Loads the faults and variants of a mock, so that a wrong name is reported at once.
 *
 * @throws {UnknownFault} with similar names
 */
export async function chosenFaults({
  fault = [],
  variant = [],
  rate = 1,
  seed = 1,
}: WantedFaults): Promise<{
  readonly faults: ChoosingOptions;
  readonly defects: readonly Defect[];
}> {
  const always: readonly Rated[] = [
    ...fault.map((text) => rated('fault', text, rate)),
    ...variant.map((text) => rated('variant', text, 1)),
  ];
  const defects = await Promise.all(always.map(found));
  return { faults: { shelf, always, seed }, defects };
}

function rated(kind: Named['kind'], text: string, usual: number): Rated {
  const [, id = text, written] = /^(.*)@([^@]*)$/.exec(text) ?? [];
  const rate = written === undefined ? usual : Number(written);
  if (written?.trim() === '' || !(rate >= 0 && rate <= 1)) {
    throw new UnknownFault(
      `${kind} ${text}: expected a rate from 0 to 1 after @, as in ${id}@0.1.`,
    );
  }
  return { kind, id, rate };
}

async function found(named: Named): Promise<Defect> {
  try {
    return await findDefect(named, shelf);
  } catch (error) {
    if (error instanceof Refusal) throw new UnknownFault(error.message);
    throw error;
  }
}
