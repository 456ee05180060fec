import { parentPort, workerData } from 'node:worker_threads';

// A thread that judges one bundle or recording, and may be ended at any time.

await import('./features.ts');
const { bundle, demands, recording, options } = workerData;
const { judgedBundle } = await import('./features/certificate/index.ts');
const { rejudgeAny } = await import('./kernel/cli/index.ts');
const judged =
  bundle === undefined ? rejudgeAny(recording, options) : judgedBundle(bundle, demands);
parentPort?.postMessage(await judged);
