import type { FromJob, ToJob } from './job.ts';
import { judgeBatch } from './judge-batch.ts';

// One process of a proof: judges the batches that it is sent, one after the other.

const controller = new AbortController();

process.on('message', (message: ToJob) => {
  if (message.kind === 'stop') controller.abort();
  else void answer(message);
});
// Ctrl-C reaches every process of a terminal; what it means is for the first of them to say.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

async function answer({ subjects, options }: Extract<ToJob, { kind: 'batch' }>): Promise<void> {
  try {
    const verdicts = await judgeBatch(subjects, { ...options, signal: controller.signal });
    tell({ kind: 'judged', verdicts });
  } catch (error) {
    tell({ kind: 'broke', stack: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
}

function tell(answer: FromJob): void {
  process.send?.(answer);
}
