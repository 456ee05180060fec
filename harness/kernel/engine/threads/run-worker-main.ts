import { parentPort } from 'node:worker_threads';
import { run } from '../run.ts';
import type { FromWorker, SentOptions, ToWorker } from './run-worker.ts';

// One judging thread: judges the targets that it is sent, one after another.

let stop = new AbortController();

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'stop') stop.abort();
  else void runHere(message.options);
});

async function runHere(options: SentOptions): Promise<void> {
  stop = new AbortController();
  try {
    const result = await run({
      ...options,
      signal: stop.signal,
      onProgress: (progress) => tell({ kind: 'progress', progress }),
      onUnrecorded: (why) => tell({ kind: 'unrecorded', why }),
    });
    tell({ kind: 'done', result });
  } catch (error) {
    tell({ kind: 'broke', error });
  }
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}
