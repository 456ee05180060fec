import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect, Operation } from './dialect.ts';
import type { FixtureModel } from './fixture-models.ts';
import type { JsonObject } from './json.ts';
import type { Key } from './keys.ts';
import type { Ledger } from './ledger.ts';
import type { Choosing } from './mock/choosing.ts';
import type { Note } from './mock/note.ts';
import type { Pacer } from './mock/pace.ts';
import type { RequestJournal } from './mock/requests.ts';
import type { ScriptDoor } from './mock/script-door.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Seams } from './seams.ts';
import type { Store } from './store.ts';

/** Gateway in one region: everything that a request can reach. */
export interface Gateway {
  readonly region: string;
  readonly seams: Seams;
  readonly keys: readonly Key[];
  readonly models: readonly FixtureModel[];
  /** Stored responses. All regions share the store; the policy decides that a response stays in its region. */
  readonly store: Store;
  /** Financial records of this region. */
  readonly ledger: Ledger;
  /** Prompts that the models of this region have read. */
  readonly cache: PromptCache;
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /**
   * True if the gateway is for developing clients: it accepts more than one under judgement, and writes short
   * streams at once.
   */
  readonly isMock: boolean;
  /** Additional host names of its control endpoints, in lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly latencyMs: number;
  readonly tokenMs: number;
  /** Overrides the pace for answers that imitate a model. */
  readonly pacer: Pacer;
  readonly retentionDays: number;
  /** True if the gateway has neither ledger nor clock probe. */
  readonly withoutProbes: boolean;
  /** Faults and variants for single requests; null if not available. */
  readonly choosing: Choosing | null;
  /** Accepts scripts at run time; null if not available. */
  readonly scriptDoor: ScriptDoor | null;
  /** Journal of the requests so far; null if none is kept. */
  readonly journal: RequestJournal | null;
  /** Gateways of all regions, in the order of the regions. */
  readonly everywhere: readonly Gateway[];
  /** Ends all regions as if the process had crashed; they restart a moment later. */
  end(): void;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  /** Returns milliseconds since 1970. */
  now(): number;
}

/** One request, as far as it has been read: the input of every decision. */
export interface Call {
  readonly gateway: Gateway;
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly method: string;
  /** Path prefix of all endpoints; empty if there is none. */
  readonly prefix: string;
  /** Path without prefix and query, as in the request line. */
  readonly path: string;
  /** Named parts of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly isHttp2: boolean;
  /** Number of earlier requests on the same connection. */
  readonly earlierOnConnection: number;
  /** Request id of the gateway, sent back in a header. */
  readonly requestId: string;
  /** Request id of the client, by which the ledger finds the request. */
  readonly clientRequestId: string | null;
  /** Null until the key is known, and for endpoints without a key. */
  readonly key: Key | null;
  /** Empty until it is read. On a WebSocket: the message of the turn. */
  readonly body: JsonObject;
  /** One note per request, and per turn of a WebSocket. */
  readonly note: Note;
}
