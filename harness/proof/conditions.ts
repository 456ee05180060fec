import type { Sequence } from '../kernel/engine/index.ts';

/** Something about a run that may decide no verdict. */
export interface Condition {
  readonly name: string;
  readonly seed: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  readonly sequence: Sequence;
  /** Milliseconds before each answer of the gateway. */
  readonly latencyMs?: number;
}

/** The run that all others are compared with. */
export const ordinary: Condition = condition(1, 16, {});

/** Ten seeds. The largest needs 33 bits as a signed number: some generators take fewer. */
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

/** Every value of every kind, each seed with another two: for every day. */
export const fewConditions: readonly Condition[] = [
  ...seeds.map((seed, index) =>
    condition(seed, concurrencies[index % 3] ?? 1, sequences[index % 4] ?? {}),
  ),
  slow,
];

/** Every value of every kind with every other. */
export const allConditions: readonly Condition[] = [
  ...seeds.flatMap((seed) =>
    concurrencies.flatMap((concurrency) =>
      sequences.map((sequence) => condition(seed, concurrency, sequence)),
    ),
  ),
  slow,
];

/** For faulty gateways: three seeds, with the fewest and the most requests at a time. */
export const faultyConditions: readonly Condition[] = [7, 1_234, 3_000_000_000].flatMap((seed) => [
  condition(seed, 1, { shuffle: true }),
  condition(seed, 64, {}),
]);

function condition(seed: number, concurrency: number, sequence: Sequence): Condition {
  const { shuffle = false, serial = false } = sequence;
  const how = `${shuffle ? ', shuffled' : ''}${serial ? ', serial' : ''}`;
  return { name: `seed ${seed}, ${concurrency} at a time${how}`, seed, concurrency, sequence };
}
