import type { Exchange } from '../../kernel/core/index.ts';
import { type Io, type Scenario, scenariosIn, suiteChecks } from '../../kernel/engine/index.ts';
import type { AsksLedger } from './history.ts';

/** Queries the ledger for a history's requests so far, in the same way as a run at its end. */
export async function askLedger(
  io: Io,
  sent: readonly Exchange[],
  { requests }: AsksLedger,
): Promise<readonly Exchange[]> {
  const addresses = io.target.probes.ledger.length;
  const looks: Promise<readonly Exchange[]>[] = [];
  const asking: Io = Object.assign(Object.create(io), {
    sent: async () => sent,
    probes: {
      ...io.probes,
      ledger(ids: readonly string[]) {
        if ((looks.length + 1) * addresses > requests) throw new Enough();
        const look = io.probes.ledger(ids);
        looks.push(look);
        return look;
      },
    },
  });
  try {
    for (const scenario of await ledgerScenarios()) await scenario.capture(asking, {});
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return (await Promise.all(looks)).flat();
}

/** Ends the ledger queries when their reserved requests are used up. The answers so far are judged. */
class Enough extends Error {}

/** Returns the scenarios that query the ledger in a run, on which the ledger's checks depend. */
async function ledgerScenarios(): Promise<readonly Scenario[]> {
  const resting = (await suiteChecks())
    .filter(({ everywhere }) => everywhere !== undefined)
    .flatMap(({ on }) => scenariosIn(on))
    .filter(({ last, needs }) => last && needs.probes?.includes('ledger') === true);
  return [...new Set(resting)];
}
