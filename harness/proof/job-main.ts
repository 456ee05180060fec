import { exploreGateway } from './histories/explore-gateway.ts';
import type { FromJob, ToJob } from './job.ts';
import { judgeBatch } from './judge-batch.ts';

// One process of a proof: does what it is sent, one after the other.

const controller = new AbortController();

process.on('message', (message: ToJob) => {
  if (message.kind === 'stop') controller.abort();
  else void answer(message);
});
// A signal to the group of a terminal or of a job reaches every process; what it means is for the first of them to say.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

async function answer(task: Exclude<ToJob, { kind: 'stop' }>): Promise<void> {
  const { signal } = controller;
  try {
    if (task.kind === 'explore') {
      tell({ kind: 'explored', explored: await exploreGateway(task.one, signal) });
      return;
    }
    const { subjects, options } = task;
    tell({ kind: 'judged', verdicts: await judgeBatch(subjects, { ...options, signal }) });
  } catch (error) {
    tell({ kind: 'broke', stack: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
}

function tell(answer: FromJob): void {
  process.send?.(answer);
}
