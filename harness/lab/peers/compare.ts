import { table } from '../docs/table.ts';
import type { KnownFailure } from './known.ts';
import type { Outcome, State } from './suite.ts';

interface Compared {
  /** Failures that nobody has looked at. */
  readonly fresh: readonly Outcome[];
  /** Listed ones that pass by now, or that are asked no more. */
  readonly stale: readonly KnownFailure[];
}

export function compare(
  outcomes: readonly Outcome[],
  known: readonly KnownFailure[],
  ran: readonly string[],
): Compared {
  const failed = outcomes.filter(({ state }) => state === 'failed');
  return {
    fresh: failed.filter((outcome) => known.every(({ id }) => id !== outcome.id)),
    stale: known.filter(
      ({ id }) =>
        ran.some((suite) => id.startsWith(`${suite}/`)) &&
        failed.every((outcome) => outcome.id !== id),
    ),
  };
}

export interface Ran {
  readonly suite: string;
  readonly version: string;
  readonly way: string;
  readonly outcomes: readonly Outcome[];
}

/** A line for each way to run each suite. */
export function countsTable(runs: readonly Ran[]): string {
  const count = (outcomes: readonly Outcome[], state: State): string =>
    `${outcomes.filter((outcome) => outcome.state === state).length}`;
  return table(
    ['suite', 'version', 'run as', 'tests', 'passed', 'failed', 'cannot tell, or not offered'],
    runs.map(({ suite, version, way, outcomes }) => [
      suite,
      version,
      way,
      `${outcomes.length}`,
      count(outcomes, 'passed'),
      count(outcomes, 'failed'),
      count(outcomes, 'open'),
    ]),
  );
}

/** A line for each failure, with why it is none of the gateway. */
export function failuresTable(
  outcomes: readonly Outcome[],
  known: readonly KnownFailure[],
): string {
  const failed = outcomes.filter(({ state }) => state === 'failed');
  if (failed.length === 0) return 'None.';
  return table(
    ['test', 'what it says', 'why the gateway is right', 'source'],
    failed.map(({ id, said }) => {
      const { because = '**not looked at yet**', source = '' } =
        known.find((one) => one.id === id) ?? {};
      return [`\`${id}\``, said, because, source];
    }),
  );
}

/** A line for each test that decides nothing. */
export function openTable(outcomes: readonly Outcome[]): string {
  const open = outcomes.filter(({ state }) => state === 'open');
  if (open.length === 0) return 'None.';
  return table(
    ['test', 'what it says'],
    open.map(({ id, said }) => [`\`${id}\``, said]),
  );
}
