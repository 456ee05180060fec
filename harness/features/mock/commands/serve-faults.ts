import { UsageError } from '../../../kernel/terminal/index.ts';
import { chosenFaults, UnknownFault } from '../../../proof/chosen-faults.ts';
import { shelf } from '../../../proof/shelf.ts';
import { listDefects } from '../../../reference/index.ts';

export interface FaultOptions {
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  readonly faultRate: number;
  readonly seed: number;
}

/** The faults and variants of a command line. @throws {UsageError} */
export async function faultsOf({
  faultRate,
  ...wanted
}: FaultOptions): ReturnType<typeof chosenFaults> {
  try {
    return await chosenFaults({ ...wanted, rate: faultRate });
  } catch (error) {
    if (error instanceof UnknownFault) throw new UsageError(error.message);
    throw error;
  }
}

export async function faultList(): Promise<string> {
  const all = await listDefects(shelf);
  return all.map(({ kind, id, what }) => `${kind.padEnd(7)}  ${id}\n         ${what}\n`).join('');
}
