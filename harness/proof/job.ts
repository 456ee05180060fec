import type { BatchOptions } from './judge-batch.ts';
import type { Verdicts } from './matrix.ts';
import type { Subject } from './subject.ts';

/** What is sent to a proving process. */
export type ToJob =
  | {
      readonly kind: 'batch';
      readonly subjects: readonly Subject[];
      readonly options: Omit<BatchOptions, 'signal'>;
    }
  | { readonly kind: 'stop' };

/** What it answers to a batch. */
export type FromJob =
  | { readonly kind: 'judged'; readonly verdicts: ReadonlyMap<string, Verdicts> }
  | { readonly kind: 'broke'; readonly stack: string };
