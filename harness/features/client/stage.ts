import type { Exchange, ExchangeId } from '../../kernel/core/index.ts';
import type { Script } from '../sessions/index.ts';

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
  /** True if the task is to store a response. */
  readonly stores: boolean;
  /** Regions that the client is given. */
  readonly regions: readonly { readonly name: string; readonly baseUrl: string }[];
  /** Index of the region whose address the client is given. */
  readonly at: number;
  /** Index of the region in which the response of its task was created. */
  readonly madeAt: number;
  readonly exchanges: Exchange[];
  /** Number of received requests. */
  requests: number;
  /** Number of connections that were opened; null: they are not counted. */
  connections: number | null;
  /** Number of requests in flight. */
  open: number;
  /** Numbers of generations that were served before the script, and of lookups and recoveries that came. */
  skipped: number;
  lookups: number;
  recoveries: number;
  /** Time of the last bytes in either direction, in milliseconds since the start of the run; null: none. */
  lastAt: number | null;
  /** True once the answer of the script was given. */
  met: boolean;
  /** True once the answer of a front has come. */
  isOver: boolean;
}

/** Common length of all keys, so that the length of a mask is known without the key. */
export const secretLength = 45;
