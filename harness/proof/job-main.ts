import { exploreGateway } from './histories/explore-gateway.ts';
import type { FromJob, ToJob } from './job.ts';
import { judgeBatch } from './judge-batch.ts';

// Main module of a proving process: performs its tasks one after another.

const controller = new AbortController();

process.on('message', (message: ToJob) => {
  if (message.kind === 'stop') controller.abort();
  else void answer(message);
});
// A signal to the process group of a terminal or of a job reaches every process, but only the parent process
// decides how to react.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

async function answer(task: Exclude<ToJob, { kind: 'stop' }>): Promise<void> {
  const { signal } = controller;
  try {
    if (task.kind === 'explore') {
      answerParent({ kind: 'explored', explored: await exploreGateway(task.one, signal) });
      return;
    }
    const { subjects, options } = task;
    answerParent({ kind: 'judged', verdicts: await judgeBatch(subjects, { ...options, signal }) });
  } catch (error) {
    answerParent({
      kind: 'broke',
      stack: error instanceof Error ? (error.stack ?? '') : String(error),
    });
  }
}

function answerParent(answer: FromJob): void {
  process.send?.(answer);
}
