import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { CommandError, codeFile, messageOf, UnfitFile } from '../../core/index.ts';

/** Limits of a thread that judges what a stranger gave. */
export interface JudgingLimits
  extends Readonly<Record<'processorSeconds' | 'heapMegabytes' | 'megabytes', number>> {}

/**
 * Judges a file of a stranger in a thread of `judging-worker.ts`, which is ended at its limits.
 *
 * @param here the same in this thread, for sources: Node 20 runs no TypeScript
 * @throws {UnfitFile} at a limit
 */
export async function judgedApart<T>(
  workerData: object,
  here: () => Promise<T>,
  { heapMegabytes, megabytes, processorSeconds }: JudgingLimits,
  module = codeFile('harness/judging-worker', '.js'),
): Promise<T> {
  if (!existsSync(module)) return here();
  // A thread that judges gains nothing from V8's usual 48 MB for young objects.
  const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 12 };
  const worker = new Worker(module, { workerData, execArgv: [], resourceLimits });
  const began = { processor: process.cpuUsage(), bytes: process.memoryUsage.rss() };
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const over = (what: string): void => reject(new UnfitFile(`It takes more than ${what}.`));
      worker.once('message', resolve).once('exit', () => over('its thread can do'));
      worker.once('error', (error) => {
        if (Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY')
          over(`${heapMegabytes} MB of memory`);
        // Between threads an error loses its class.
        else reject('exitCode' in error ? new CommandError(messageOf(error)) : error);
      });
      watch = setInterval(() => {
        const { user, system } = process.cpuUsage(began.processor);
        const seconds = (user + system) / 1_000_000;
        if (seconds > processorSeconds) over(`${processorSeconds} s of the processor`);
        const bytes = process.memoryUsage.rss() - began.bytes;
        if (bytes > megabytes * 2 ** 20) over(`${megabytes} MB of memory`);
      }, 100);
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
