import { Command } from 'commander';
import { exitCodes } from '../spec/verdict.ts';
import { nearest } from '../target/nearest.ts';
import { UsageError } from './failure.ts';
import { interruptible } from './interruption.ts';
import { collect, wholeNumber } from './option-values.ts';
import type { Terminal } from './terminal.ts';

interface ProveOptions {
  readonly fault?: readonly string[];
  readonly variants?: boolean;
  readonly nullTargets?: boolean;
  readonly steady?: boolean;
  readonly variant?: readonly string[];
  readonly seed: number;
  readonly batch: number;
  readonly window: number;
  readonly jobs?: number | undefined;
  readonly whole?: boolean;
}

/** `touchstone prove`: shows that every check can fail, and that none blames what is right. */
export function proveCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('prove')
    .summary('prove the suite against faulty gateways')
    .description(
      'Judges reference gateways with one known fault each. Whatever a fault breaks must fail, and ' +
        'nothing else may. Exits with 1 where that is not so.',
    )
    .option('--fault <id>', 'only this one, with its failures in full; may be repeated', collect)
    .option('--variants', 'only the legal differences, under which everything must stay green')
    .option('--null-targets', 'only servers that are no gateway, which must earn nothing')
    .option('--steady', 'only that order, chance and pace change no verdict')
    .option('--variant <id>', 'only this legal difference; may be repeated', collect)
    .option('--seed <n>', 'the seed of all random data', wholeNumber(0), 1)
    .option(
      '--whole',
      'judge every fault by every check, not only the first of each kind; with --steady, under every combination',
    )
    .option('--batch <n>', 'gateways that are started together', wholeNumber(1), 60)
    .option('--window <n>', 'gateways that each process calls at once', wholeNumber(1), 3)
    .option(
      '--jobs <n>',
      'processes that judge beside one another (default: one for each core, 4 at most)',
      wholeNumber(1),
    )
    .action(async (options: ProveOptions) => {
      const differences = options.variants === true || options.variant !== undefined;
      const prove = differences
        ? proveVariants
        : options.nullTargets === true
          ? proveNullTargets
          : options.steady === true
            ? proveSteady
            : proveFaults;
      exit(await prove(options, terminal));
    });
}

async function proveFaults(options: ProveOptions, terminal: Terminal): Promise<number> {
  const { faults } = await import('../reference/faults/index.ts');
  const { prove } = await import('../prove/prove.ts');
  const { printFault, printProof } = await import('../prove/print.ts');
  const asked = options.fault;
  const chosen = named(faults, asked, 'fault');
  const say = (line: string): void => void terminal.stderr.write(`${line}\n`);
  const { signal, release } = interruptible(terminal, say);
  try {
    const { seed, batch, window, jobs, whole = asked !== undefined } = options;
    const onJudged = (done: number): void => say(`${done} of ${chosen.length + 1} gateways judged`);
    const proof = await prove(chosen, { seed, batch, window, jobs, whole, signal, onJudged });
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

async function proveVariants(options: ProveOptions, terminal: Terminal): Promise<number> {
  const { allVariants, tolerate } = await import('../prove/tolerate.ts');
  const { printTolerations, toleratedWell } = await import('../prove/print.ts');
  const chosen = named(allVariants, options.variant, 'variant');
  const say = (line: string): void => void terminal.stderr.write(`${line}\n`);
  const { signal, release } = interruptible(terminal, say);
  try {
    const { seed, batch, window, jobs } = options;
    const onJudged = (done: number): void => say(`${done} of ${chosen.length + 1} gateways judged`);
    const tolerations = await tolerate(chosen, { seed, batch, window, jobs, signal, onJudged });
    terminal.stdout.write(printTolerations(tolerations));
    const well = tolerations.length === chosen.length && tolerations.every(toleratedWell);
    return well ? exitCodes.conformant : exitCodes.nonconformant;
  } finally {
    release();
  }
}

async function proveNullTargets(options: ProveOptions, terminal: Terminal): Promise<number> {
  const { judgeNullTargets } = await import('../prove/null-targets.ts');
  const { earnedNothing, printEarned } = await import('../prove/print.ts');
  const say = (line: string): void => void terminal.stderr.write(`${line}\n`);
  const { signal, release } = interruptible(terminal, say);
  try {
    const { seed, batch, window, jobs } = options;
    const earned = await judgeNullTargets({ seed, batch, window, jobs, signal });
    terminal.stdout.write(printEarned(earned));
    const well = earned.length > 0 && earned.every(earnedNothing);
    return well ? exitCodes.conformant : exitCodes.nonconformant;
  } finally {
    release();
  }
}

async function proveSteady(options: ProveOptions, terminal: Terminal): Promise<number> {
  const { isSteady, steady } = await import('../prove/steady.ts');
  const { printSteadiness } = await import('../prove/print.ts');
  const say = (line: string): void => void terminal.stderr.write(`${line}\n`);
  const { signal, release } = interruptible(terminal, say);
  try {
    const { seed, batch, window, jobs, whole = false } = options;
    const judged = await steady({ seed, batch, window, jobs, whole, signal });
    terminal.stdout.write(printSteadiness(judged));
    return judged.every(isSteady) ? exitCodes.conformant : exitCodes.nonconformant;
  } finally {
    release();
  }
}

/** The defects with these ids; all, when none is asked for. @throws {UsageError} with ids near it */
function named<D extends { readonly id: string }>(
  all: readonly D[],
  asked: readonly string[] | undefined,
  noun: string,
): readonly D[] {
  for (const id of asked ?? []) {
    if (all.some((one) => one.id === id)) continue;
    const near = nearest(id, new Set(all.map((one) => one.id)), 5);
    throw new UsageError(
      `There is no ${noun} "${id}".${near.length === 0 ? '' : ` Did you mean ${near.join(', or ')}?`}`,
    );
  }
  return asked === undefined ? all : all.filter(({ id }) => asked.includes(id));
}
