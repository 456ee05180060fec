import type { Exploration, ExploredGateway } from './histories/explore-gateway.ts';
import type { BatchOptions } from './judge-batch.ts';
import type { Verdicts } from './matrix.ts';
import type { Subject } from './subject.ts';

export type ToJob =
  | {
      readonly kind: 'batch';
      readonly subjects: readonly Subject[];
      readonly options: Omit<BatchOptions, 'signal'>;
    }
  | { readonly kind: 'explore'; readonly one: Exploration }
  | { readonly kind: 'stop' };

export type FromJob =
  | { readonly kind: 'judged'; readonly verdicts: ReadonlyMap<string, Verdicts> }
  | { readonly kind: 'explored'; readonly explored: ExploredGateway }
  | { readonly kind: 'broke'; readonly stack: string };
