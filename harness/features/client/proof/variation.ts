import type { Protocol } from '../../../kernel/core/index.ts';

/** `fixtures/faulty-client.mjs` with one variation of its behaviour. */
export interface ClientVariation {
  /** Name that enables the variation. */
  readonly id: string;
  /** Behaviour of the client, in one sentence. */
  readonly what: string;
}

/** A faulty client: one defect. */
export interface ClientDefect extends ClientVariation {
  /** The only checks that must fail. The id of a requirement includes all its values. */
  readonly breaks: readonly string[];
  /**
   * Protocols that it is asked to use. Default: Responses, which is enough for a defect independent of the
   * protocol.
   */
  readonly speaks?: readonly Protocol[];
}
