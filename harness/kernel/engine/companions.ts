import type { Exchange } from '../core/index.ts';
import type { Secrets } from '../redaction/index.ts';
import type { Clock } from '../wire/index.ts';
import type { TargetRun } from './session.ts';

/** Something that listens beside a run, such as providers that Touchstone plays. */
interface Companion {
  close(): Promise<void>;
}

/** Means of a companion to record what others send to it. */
export interface CompanionMeans {
  readonly clock: Clock;
  readonly secrets: Secrets;
  record(exchange: Exchange): void;
}

/** Starts a companion for a run that sends. Null if its target needs none. */
type StartCompanion = (run: TargetRun, means: CompanionMeans) => Promise<Companion | null>;

const starts: StartCompanion[] = [];

/** Registers a companion of every run that sends. A suite registers the one that its scenarios need. */
export function accompany(start: StartCompanion): void {
  starts.push(start);
}

/** Starts the registered companions. */
export async function startCompanions(run: TargetRun, means: CompanionMeans): Promise<Companion> {
  const started: Companion[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((one) => one.close()));
  };
  try {
    for (const start of starts) {
      const one = await start(run, means);
      if (one !== null) started.push(one);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
