import type { Exchange, ExchangeId } from '../../kernel/core/index.ts';
import type { Script } from '../../kernel/engine/index.ts';

/** Context of one start of the client: its own addresses, key and model, and the exchanges that used them. */
export interface Stage {
  /** Id of the session. */
  readonly id: ExchangeId;
  /** Token in the path of every address that the client is given. */
  readonly token: string;
  readonly script: Script;
  readonly secret: string;
  readonly model: string;
  readonly word: string;
  /** User of the client: all starts of one flow have the same user. */
  readonly user: string;
  /** Regions as the client is given them. */
  readonly regions: readonly { readonly name: string; readonly baseUrl: string }[];
  /** Index of the region whose address the client is given. */
  readonly at: number;
  /** The response of its task was made in this one. */
  readonly madeAt: number;
  readonly exchanges: Exchange[];
  /** Requests that have come. */
  requests: number;
  /** Requests that are being answered. */
  open: number;
  /** Lookups of responses that the script has answered. */
  lookups: number;
  /**
   * Time of the last bytes in either direction, in milliseconds since the start of the run, or null if
   * there were none.
   */
  lastAt: number | null;
  /** The answer of the script was given. */
  met: boolean;
  /** True once its start is over: further requests count as late. */
  isOver: boolean;
  /** Ends what was opened for it. */
  close(): Promise<void>;
}

/** All keys have this length: what masks one is known without it. */
export const secretLength = 45;
