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

/** The gateway in one region: what a request can reach. */
export interface Gateway {
  readonly region: string;
  readonly seams: Seams;
  readonly keys: readonly Key[];
  readonly models: readonly FixtureModel[];
  /** Stored responses. One for all regions: that a response stays in its own is a decision of the policy. */
  readonly store: Store;
  /** Financial records of this region. */
  readonly ledger: Ledger;
  /** Prompts that the models of this region have read. */
  readonly cache: PromptCache;
  readonly names: { readonly vendorA: string; readonly vendorB: string };
  /** Clients are built against it: it takes more than a judged one, and writes short streams in one go. */
  readonly isMock: boolean;
  /** Names that its control endpoints are asked by besides those of this machine, in lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly latencyMs: number;
  readonly tokenMs: number;
  /** Says otherwise, where answers are to come as from a model. */
  readonly pacer: Pacer;
  readonly retentionDays: number;
  /** True if the gateway has no ledger and no clock to look at. */
  readonly withoutProbes: boolean;
  /** Faults and variants for single requests; null where none are to be had. */
  readonly choosing: Choosing | null;
  /** Takes scripts that are sent to it; null where it takes none. */
  readonly scriptDoor: ScriptDoor | null;
  /** The requests so far; null where nobody keeps them. */
  readonly journal: RequestJournal | null;
  /** Gateways of all regions, in their order. */
  readonly everywhere: readonly Gateway[];
  /** Ends all of it, as when its process breaks; it is started again a moment later. */
  end(): void;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
}

/** One request, as far as it has been read. What every decision is made from. */
export interface Call {
  readonly gateway: Gateway;
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly method: string;
  /** Path prefix of all endpoints; empty if there is none. */
  readonly prefix: string;
  /** Without the prefix and the query, as it stood in the request line. */
  readonly path: string;
  /** Named parts of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly isHttp2: boolean;
  /** Number of earlier requests on the same connection. */
  readonly earlierOnConnection: number;
  /** The gateway's own id of the request, sent back in a header. */
  readonly requestId: string;
  /** The caller's id of the request: the ledger finds it by this. */
  readonly clientRequestId: string | null;
  /** Null until the key is known, and where none is asked for. */
  readonly key: Key | null;
  /** Empty until it is read. On a WebSocket: the message of the turn. */
  readonly body: JsonObject;
  /** One for each request, and for each turn of a WebSocket. */
  readonly note: Note;
}
