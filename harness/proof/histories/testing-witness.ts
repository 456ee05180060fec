import { judgeOf } from '../../features/explore/judge-history.ts';
import { performIn } from '../../features/explore/perform-in.ts';
import type { Violation } from '../../features/explore/violation.ts';
import { worldOf } from '../../features/explore/world.ts';
import { LiveRun } from '../../kernel/engine/live-run.ts';
import { Traffic } from '../../kernel/engine/traffic.ts';
import { Recorder } from '../../kernel/recordings/recorder.ts';
import { startSubject } from '../subject.ts';
import type { HistoryFault } from './history-fault.ts';
import { historyOf } from './witness.ts';

/** Performs the witness of a fault, at most `times` times, until it shows a violation. Returns the violations. */
export async function witnessed(
  { id, witness }: HistoryFault,
  times: number,
): Promise<readonly Violation[]> {
  const gateway = { kind: 'history', id } as const;
  const { target, close } = await startSubject({ id, gateway, selected: null });
  const limits = { ...target.limits, consistencyMs: 0 };
  const { signal: stop } = new AbortController();
  const run = new LiveRun({
    ...{ target: { ...target, limits }, seed: 1, runId: 'witness', stop },
    ...{ traffic: new Traffic(), recorder: new Recorder(null) },
  });
  const world = worldOf(target);
  try {
    const judge = await judgeOf(target);
    for (let time = 1; time <= times; time++) {
      const sent = await performIn(run, `witness/${time}`, historyOf(witness, world));
      const violations = judge.violationsIn(sent).filter(({ level }) => level === 'MUST');
      if (violations.length > 0) return violations;
    }
    return [];
  } finally {
    await close();
  }
}
