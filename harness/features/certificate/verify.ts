import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { codeFile, messageOf } from '../../kernel/core/index.ts';
import type { Demands } from './inspect.ts';
import { judgedBundle, unjudged, type Verification } from './judged-bundle.ts';

/** Limits of one bundle. Those of a whole run take some seconds, and less than 300 MB. */
const usual = { processorSeconds: 60, seconds: 600, heapMegabytes: 512, megabytes: 1_024 };

/** Time between two looks at processor and memory, in milliseconds. */
const everyMs = 100;

/** Verifies a bundle in a thread of its own, which is ended at its limits. No request is sent. */
export async function verifyBundle(
  folder: string,
  demands: Demands,
  less: Partial<typeof usual> = {},
  module = codeFile('harness/verify-worker', '.js'),
): Promise<Verification> {
  const limits = { ...usual, ...less };
  const full = unjudged(`it takes more than ${limits.heapMegabytes} MB of memory`);
  const time = `${limits.processorSeconds} s of the processor, or ${limits.seconds} s`;
  const slow = unjudged(`it takes more than ${time}`);
  // Node 20 runs no TypeScript, so sources run in this thread.
  if (!existsSync(module)) return judgedBundle(folder, demands);
  const worker = new Worker(module, {
    workerData: { folder, demands },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
  });
  const began = { at: Date.now(), processor: process.cpuUsage(), bytes: process.memoryUsage.rss() };
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Verification>((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (error) => {
        const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        const why = `it cannot be read: ${messageOf(error)}`;
        resolve(isFull ? full : { level: null, problems: [why], bundle: null });
      });
      worker.once('exit', () => resolve(unjudged('the thread that judges it has ended')));
      watch = setInterval(() => {
        const { user, system } = process.cpuUsage(began.processor);
        const used = (user + system) / 1_000_000;
        if (used > limits.processorSeconds || Date.now() - began.at > 1_000 * limits.seconds) {
          resolve(slow);
        }
        const bytes = process.memoryUsage.rss() - began.bytes;
        if (bytes > limits.megabytes * 2 ** 20) resolve(full);
      }, everyMs);
    });
  } finally {
    clearInterval(watch);
    worker.removeAllListeners();
    await worker.terminate();
  }
}
