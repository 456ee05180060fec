import type { Exchange } from '../core/index.ts';
import type { Script } from '../engine/index.ts';

/** Where one start of the client plays: the addresses, the key and the model of its own, and what came there. */
export interface Stage {
  /** Of the session. */
  readonly key: string;
  /** Stands in the path of every address that the client is told. */
  readonly token: string;
  readonly script: Script;
  readonly secret: string;
  readonly model: string;
  readonly word: string;
  /** Who the client is: the starts of one flow are of one user. */
  readonly user: string;
  /** As the client is told them. */
  readonly regions: readonly { readonly name: string; readonly baseUrl: string }[];
  /** Its address is of this one. */
  readonly at: number;
  /** The response of its task was made in this one. */
  readonly madeAt: number;
  readonly exchanges: Exchange[];
  /** Requests that have come. */
  requests: number;
  /** Those of them that are being answered. */
  open: number;
  /** Lookups of responses that the script has answered. */
  lookups: number;
  /** When something last came or went, in milliseconds since the start of the run; null: nothing did. */
  lastAt: number | null;
  /** The answer of the script was given. */
  met: boolean;
  /** Its start is over; what comes yet came late. */
  isOver: boolean;
  /** Ends what was opened for it. */
  close(): Promise<void>;
}

/** All keys have this length: what masks one is known without it. */
export const secretLength = 45;
