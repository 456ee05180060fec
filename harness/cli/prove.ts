import { Command } from 'commander';
import { exitCodes } from '../spec/verdict.ts';
import { UsageError } from './failure.ts';
import { interruptible } from './interruption.ts';
import { collect, wholeNumber } from './option-values.ts';
import type { Terminal } from './terminal.ts';

interface ProveOptions {
  readonly fault?: readonly string[];
  readonly seed: number;
  readonly batch: number;
  readonly window: number;
  readonly whole?: boolean;
}

/** `touchstone prove`: shows that every check can fail, and that none blames what is right. */
export function proveCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('prove')
    .summary('prove the suite against faulty gateways')
    .description(
      'Judges reference gateways with one known fault each. Whatever a fault breaks must fail, and\n' +
        'nothing else may. Exits with 1 where that is not so.',
    )
    .option('--fault <id>', 'only this one, with its failures in full; may be repeated', collect)
    .option('--seed <n>', 'the seed of all random data', wholeNumber(0), 1)
    .option('--whole', 'judge every fault by every check, not only the first of each kind')
    .option('--batch <n>', 'gateways that are started together', wholeNumber(1), 60)
    .option('--window <n>', 'gateways that each of two workers calls at once', wholeNumber(1), 3)
    .action(async (options: ProveOptions) => {
      exit(await proveFaults(options, terminal));
    });
}

async function proveFaults(options: ProveOptions, terminal: Terminal): Promise<number> {
  const { faults } = await import('../reference/faults/index.ts');
  const { prove } = await import('../prove/prove.ts');
  const { printFault, printProof } = await import('../prove/print.ts');
  const asked = options.fault;
  const chosen = asked === undefined ? faults : faults.filter(({ id }) => asked.includes(id));
  for (const id of asked ?? []) {
    if (!faults.some((fault) => fault.id === id)) {
      const near = faults.filter((fault) => fault.id.includes(id.split('.')[0] ?? id));
      throw new UsageError(
        `There is no fault "${id}".${near.length === 0 ? '' : ` Near it: ${near.map((one) => one.id).join(', ')}.`}`,
      );
    }
  }
  const say = (line: string): void => void terminal.stderr.write(`${line}\n`);
  const { signal, release } = interruptible(terminal, say);
  try {
    const { seed, batch, window, whole = asked !== undefined } = options;
    const onJudged = (done: number): void => say(`${done} of ${chosen.length + 1} gateways judged`);
    const proof = await prove(chosen, { seed, batch, window, whole, signal, onJudged });
    if (asked !== undefined) {
      for (const line of proof.matrix) {
        terminal.stdout.write(
          `${printFault(line, proof.verdicts.get(line.fault.id) ?? new Map())}\n`,
        );
      }
    }
    terminal.stdout.write(printProof(proof));
    const wrong =
      proof.unbroken.length > 0 ||
      proof.matrix.length < chosen.length ||
      proof.matrix.some(({ survived, bystanders }) => survived.length + bystanders.length > 0);
    return wrong ? exitCodes.nonconformant : exitCodes.conformant;
  } finally {
    release();
  }
}
