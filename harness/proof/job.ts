import type { Exploration, ExploredGateway } from './histories/explore-gateway.ts';
import type { BatchOptions } from './judge-batch.ts';
import type { Verdicts } from './matrix.ts';
import type { Subject } from './subject.ts';

/** Message to a proving process. */
export type ToJob =
  | {
      readonly kind: 'batch';
      readonly subjects: readonly Subject[];
      readonly options: Omit<BatchOptions, 'signal'>;
    }
  | { readonly kind: 'explore'; readonly one: Exploration }
  | { readonly kind: 'stop' };

/** Answer of a proving process to a task. */
export type FromJob =
  | { readonly kind: 'judged'; readonly verdicts: ReadonlyMap<string, Verdicts> }
  | { readonly kind: 'explored'; readonly explored: ExploredGateway }
  | { readonly kind: 'broke'; readonly stack: string };
