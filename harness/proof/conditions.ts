import type { Sequence } from '../kernel/engine/index.ts';

/** A property of a run that must not change any verdict. */
export interface Condition {
  readonly name: string;
  readonly seed: number;
  readonly concurrency: number;
  readonly sequence: Sequence;
  /** Milliseconds before each answer of the gateway. */
  readonly latencyMs?: number;
}

/** Baseline condition, with which all others are compared. */
export const ordinary: Condition = condition(1, 16, {});

/** Ten seeds. The largest needs 33 bits as a signed number, and some generators accept fewer. */
const seeds = [0, 2, 3, 5, 8, 13, 21, 34, 2 ** 31 - 1, 3_000_000_000];

const concurrencies = [1, 4, 64];

const sequences: readonly Sequence[] = [
  {},
  { shuffle: true },
  { serial: true },
  { shuffle: true, serial: true },
];

/** Condition with a slow gateway. Its scenarios run concurrently; sequentially, they would take minutes. */
const slow: Condition = {
  ...condition(1, 64, {}),
  name: '300 ms before each answer',
  latencyMs: 300,
};

/** Every value of each property once, each seed with two other values: for daily runs. */
export const fewConditions: readonly Condition[] = [
  ...seeds.map((seed, index) =>
    condition(seed, concurrencies[index % 3] ?? 1, sequences[index % 4] ?? {}),
  ),
  slow,
];

export const allConditions: readonly Condition[] = [
  ...seeds.flatMap((seed) =>
    concurrencies.flatMap((concurrency) =>
      sequences.map((sequence) => condition(seed, concurrency, sequence)),
    ),
  ),
  slow,
];

/** Conditions for faulty gateways: three seeds, each with the minimum and the maximum concurrency. */
export const faultyConditions: readonly Condition[] = [7, 1_234, 3_000_000_000].flatMap((seed) => [
  condition(seed, 1, { shuffle: true }),
  condition(seed, 64, {}),
]);

function condition(seed: number, concurrency: number, sequence: Sequence): Condition {
  const { shuffle = false, serial = false } = sequence;
  const how = `${shuffle ? ', shuffled' : ''}${serial ? ', serial' : ''}`;
  return { name: `seed ${seed}, ${concurrency} at a time${how}`, seed, concurrency, sequence };
}
