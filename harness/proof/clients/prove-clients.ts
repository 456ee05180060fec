import { runClient } from '../../client/run-client.ts';
import { fixture } from '../../core/package-root.ts';
import { type Protocol, protocols } from '../../core/protocol.ts';
import type { RunResult } from '../../core/result.ts';

/** Long enough for an impatient client, and short enough for a proof. */
const holdMs = 2_500;

/**
 * Judges the small client with some of its defects.
 *
 * @param filters id prefixes; empty: everything
 */
export function judgeFaultyClient(
  defects: readonly string[],
  {
    tasks = true,
    speaks = protocols,
    filters = [],
  }: {
    readonly tasks?: boolean;
    readonly speaks?: readonly Protocol[];
    readonly filters?: readonly string[];
  } = {},
): Promise<RunResult> {
  const mode = tasks ? ['--tasks'] : [];
  const command = [process.execPath, fixture('faulty-client.mjs'), ...mode, ...defects];
  return runClient({
    name: defects.join(', ') || 'right client',
    client: { command, tasks, speaks },
    seed: 1,
    filters,
    concurrency: 16,
    timeoutMs: 30_000,
    quietMs: 3_000,
    holdMs,
    environment: process.env,
    judgesUnseen: true,
  });
}

/** The ids of the checks that hold something against a client. */
export function blamedIn({ checks }: RunResult): readonly string[] {
  return checks
    .filter(({ verdict }) => verdict.state === 'fail' || verdict.state === 'warn')
    .map(({ id }) => id);
}
