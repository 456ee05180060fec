import { parentPort, workerData } from 'node:worker_threads';

// A thread that judges one bundle, and may be ended at any time.

await import('./features.ts');
const { judgedBundle } = await import('./features/certificate/index.ts');
parentPort?.postMessage(await judgedBundle(workerData.folder, workerData.demands));
