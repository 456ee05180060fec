import type { JsonObject } from '../core/index.ts';

/** A member that an answer may name in several events, always with the same value. */
export interface NamedMember {
  readonly kind: 'call-id' | 'call-name' | 'answer';
  /** Path or short description, unique in an answer: `id of call 0`. */
  readonly what: string;
  readonly value: unknown;
}

/** Position that an event of some kinds has: ranks never fall within a scope. */
export interface RankedEvent {
  readonly scope: string;
  readonly rank: number;
  readonly what: string;
}

/** Part of an answer that a request has to ask for. */
export interface Extra {
  readonly kind: 'usage-chunk' | 'usage-member' | 'log-probabilities' | 'candidates' | 'reasoning';
  readonly what: string;
}

/** Facts that turn the native values of a protocol into the neutral view. */
export interface ViewFacts {
  /** The members of a value that stay the same, in any order. */
  named(value: JsonObject): readonly NamedMember[];
  /** Null for an event that may come anywhere. */
  ranked(event: JsonObject): RankedEvent | null;
  /** Parts of a value that the body of its request did not ask for. */
  unasked(value: JsonObject, asked: JsonObject): readonly Extra[];
  /** State of an output item. Null if the protocol gives none. */
  stateOf(item: unknown): string | null;
  /** True if a choice or item shows anything. */
  shows(item: unknown): boolean;
}
