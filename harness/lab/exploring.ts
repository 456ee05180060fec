/**
 * Explores a gateway for the bench, in a process of its own, and prints what it took as JSON: once warm, for so many
 * histories; and the memory that is in use at a quarter of them and at the end.
 */
import { Command } from 'commander';
import { explore } from '../features/explore/index.ts';
import { wholeNumber } from '../kernel/cli/index.ts';
import { loadTarget, referenceTarget } from '../kernel/targets/index.ts';

/** Cost of exploring, for the process that explores. */
export interface ExploringTook {
  readonly acts: number;
  readonly requests: number;
  readonly finds: number;
  readonly unknown: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Megabytes in use, after a quarter of the histories and after all. */
  readonly quarterMb: number;
  readonly wholeMb: number;
}

const { target, histories, seed, atOnce } = new Command('exploring')
  .option('--target <file>', 'default: a reference gateway in this process')
  .option('--histories <n>', 'histories', wholeNumber(4), 200)
  .option('--at-once <n>', 'of them at the same time', wholeNumber(1), 4)
  .option('--seed <n>', 'of the histories', wholeNumber(0), 1)
  .parse()
  .opts<{ target?: string; histories: number; seed: number; atOnce: number }>();

/** Histories before measuring: at first, the compiler takes more time than the program. */
const warmUp = 100;

const started =
  target === undefined
    ? await referenceTarget()
    : { target: loadTarget(target), close: async () => undefined };
// A history that waits measures nothing.
const explored = {
  ...started.target,
  limits: { ...started.target.limits, consistencyMs: 0 },
};
const without = { generations: 1e9, requests: 1e9, ms: 3_600_000 };
const signal = new AbortController().signal;
const exploring = (number: number, from: number, at: (done: number) => void = () => undefined) =>
  explore({
    ...{ target: explored, seed: from, histories: number, atOnce, ...without, signal },
    onPerformed: ({ number: done, drawn }) => {
      if (drawn) at(done);
    },
  });

await exploring(Math.min(warmUp, histories), seed + 1_000_000);
const memory = { quarterMb: 0, wholeMb: 0 };
const cpu = process.cpuUsage();
const began = performance.now();
const { acts, requests, finds, unknown } = await exploring(histories, seed, (done) => {
  if (done === Math.floor(histories / 4)) memory.quarterMb = inUse();
  if (done === histories) memory.wholeMb = inUse();
});
const { user, system } = process.cpuUsage(cpu);
const took: ExploringTook = {
  ...{ acts, requests, finds: finds.length, unknown, ...memory },
  cpuMs: (user + system) / 1_000,
  wallMs: performance.now() - began,
};
await started.close();
process.stdout.write(`${JSON.stringify(took)}\n`);
process.exit();

function inUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
