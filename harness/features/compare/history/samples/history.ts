import { sampleCheck, sampleRun } from '../../../../kernel/core/samples/run.ts';
import type { CheckState, CheckVerdict } from '../../../../kernel/core/verdict.ts';
import { type History, historyOf } from '../history.ts';
import { type PastRun, pastRun } from '../past-run.ts';

/** A run on a day of a sample, counted from 0, with these states of its checks. */
export function samplePast(
  day: number,
  states: Readonly<Record<string, CheckState>>,
  name = 'staging',
  suiteVersion = '0.1.0',
): PastRun {
  const checks = Object.entries(states).map(([id, state]) => sampleCheck(id, verdictIn(state)));
  const run = sampleRun(checks, {
    target: { name, regions: [{ name: 'eu', baseUrl: 'https://eu.example' }] },
    runId: `${name} ${day}`,
    startedAt: `2025-01-0${day + 1}T03:04:05.000Z`,
    suiteVersion,
  });
  return pastRun(`${name}/${day}.json`, run);
}

function verdictIn(state: CheckState): CheckVerdict {
  switch (state) {
    case 'pass':
      return { state };
    case 'fail':
    case 'warn':
    case 'note':
      return { state, expected: 'a', actual: 'b', evidence: null };
    case 'inconclusive':
      return { state, cause: 'timeout', reason: 'no answer', evidence: null };
    case 'untestable':
      return { state, reason: 'no key', gap: { kind: 'key', names: ['otherUser'] } };
    default:
      return { state, reason: 'no filter names it' };
  }
}

/** Two gateways on four days: one fails twice, the other never. */
export function sampleHistory(): History {
  const days = ['pass', 'fail', 'pass', 'fail'] as const;
  const staging = days.map((state, day) =>
    samplePast(
      day,
      { 'storage/deletion.gone': state, 'generation/tools.shape:chat-completions': 'pass' },
      'staging',
      day < 3 ? '0.1.0' : '0.2.0',
    ),
  );
  const production = days.map((_, day) =>
    samplePast(
      day,
      { 'storage/deletion.gone': 'pass', 'generation/tools.shape:chat-completions': 'pass' },
      'production',
    ),
  );
  const cut = { file: 'cut.json', reason: 'it is not JSON: Unterminated string' };
  return historyOf('reports', [...staging, ...production], [cut], 3);
}
