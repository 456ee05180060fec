import type { Protocol } from '../../../kernel/core/index.ts';

/** `fixtures/faulty-client.mjs`, with something that it does. */
export interface ClientVariation {
  /** By this name the client does it. */
  readonly id: string;
  /** Behaviour of the client, in one sentence. */
  readonly what: string;
}

/** A faulty client: one defect. */
export interface ClientDefect extends ClientVariation {
  /** The checks that have to fail, and no others; an id of a requirement stands for all its values. */
  readonly breaks: readonly string[];
  /** The protocols that it is asked to speak. Default: Responses, which is enough for what is in none of them. */
  readonly speaks?: readonly Protocol[];
}
