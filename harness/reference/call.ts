import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AskedCapability } from './asked.ts';
import type { BodyKind, DialectName, Operation, StreamEvent, StreamKind } from './dialect.ts';
import type { Generation, Prompt } from './engine.ts';
import type { Gone } from './feed.ts';
import type { FixtureModel } from './fixture-models.ts';
import type { JsonObject } from './json.ts';
import type { Key } from './keys.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import type { Note } from './mock/note.ts';
import type { Pacer } from './mock/pace.ts';
import type { OpenSocket } from './open-socket.ts';
import type { Written } from './prepared.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Refusal, RefusalReason } from './refusal.ts';
import type { Pace } from './run.ts';
import type { Store, StoredOperation, StoredResponse } from './store.ts';

/** Gateway in one region: everything that a request can reach. */
export interface Gateway {
  readonly region: string;
  readonly seams: Seams;
  readonly keys: readonly Key[];
  readonly models: readonly FixtureModel[];
  /** Stored responses. All regions share the store; the policy decides that a response stays in its region. */
  readonly store: Store;
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
  /** Gateways of all regions, in the order of the regions. */
  readonly everywhere: readonly Gateway[];
  /** Runs a turn of a WebSocket, and enters it in the journal if there is one. @returns its status */
  entered(call: Call, turn: () => Promise<number>, gone: AbortSignal): Promise<number>;
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

/** Answer with one JSON body. */
export interface BodyAnswer {
  readonly kind: BodyKind;
  /** Default: 200. */
  readonly status?: number;
  readonly body: JsonObject | Written;
  /** Stored response that the answer is about. */
  readonly record?: StoredResponse;
}

export interface StreamAnswer {
  readonly kind: StreamKind;
  /** Returns the events. They end early when the signal fires because the client has disconnected. */
  events(gone: Gone): AsyncIterable<StreamEvent>;
  /** Called once if the client disconnects before the end of the stream. */
  dropped?(): void;
  readonly record?: StoredResponse;
  /** Sequence number after which an interrupted stream resumes; null for its start. */
  readonly startingAfter?: number | null;
}

export type Answer = BodyAnswer | StreamAnswer;

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Matched against the raw path; its named groups, percent-decoded, become `call.params`. */
  readonly path: RegExp;
  /** Returns the operation, which may depend on the action in the path or on the query. */
  operation(params: Readonly<Record<string, string>>, query: URLSearchParams): Operation;
  /** `json`: the body is read, and has to be an object. `ignored`: the body is not read. */
  readonly body: 'json' | 'ignored';
  /** Handles a request. Throws a {@link Refusal} for an invalid one. */
  handle(call: Call, key: Key): Promise<Answer> | Answer;
}

/** Header with the key. `scheme` precedes the key, as in `Authorization: Bearer`. */
export interface CredentialHeader {
  readonly header: string;
  readonly scheme: string | null;
}

/** Definition of one protocol: its endpoints, its credential and its errors. */
export interface Dialect {
  readonly name: DialectName;
  /** Identifier with which a model declares the protocol; null if no declaration is needed (the model lists). */
  readonly declaredAs: string | null;
  /** True if this dialect refuses an unknown endpoint at the path. */
  owns(path: string): boolean;
  credential(gateway: Gateway): CredentialHeader;
  /** Credential headers that a gateway for developing clients accepts in the absence of the own one. */
  furtherCredentials?(gateway: Gateway): readonly CredentialHeader[];
  /** Returns the name of the required version header, if the protocol has one. */
  versionHeader?(gateway: Gateway): string;
  /** Name of the answer header with the request id. */
  readonly requestIdHeader: string;
  /** Statuses of refusals that differ from the usual ones in this protocol. */
  readonly statuses: Partial<Record<RefusalReason, number>>;
  error(refusal: Refusal, status: number, call: Call): JsonObject;
  /** Returns the native error as the only event of a stream. */
  errorEvent(refusal: Refusal, status: number, call: Call): StreamEvent;
  readonly routes: readonly Route[];
  /** Only for the protocol that also supports WebSocket. */
  readonly upgrade?: {
    readonly path: RegExp;
    readonly operation: Operation;
    connect(socket: OpenSocket, call: Call, key: Key): void;
  };
}

/**
 * Every decision and every output of the gateway, as named functions. The dialects call them, and a defect replaces
 * one of them, so that no dialect knows of any defect.
 */
export interface Seams {
  readonly endpoints: Endpoints;
  /** Decisions: permissions, storage, cancellation, counts. */
  readonly policy: Policy;
  /** Content of JSON answers. */
  readonly encode: Encode;
  /** Events of streams, and their serialization. */
  readonly frames: Frames;
  readonly transport: Transport;
}

interface Endpoints {
  /** Returns the endpoints of one protocol; called once, when the gateway starts. The first match serves. */
  routes(dialect: Dialect): readonly Route[];
}

export interface Context {
  readonly call: Call;
  /** The stored response that the answer is about, if it is about one. */
  readonly record: StoredResponse | null;
  /** Reason of the refusal; null if the request is served. */
  readonly refusal: Refusal | null;
}

/** Final changes to a JSON answer before it is written. The default changes nothing. */
export interface Encode {
  body(kind: BodyKind, body: JsonObject, context: Context): JsonObject;
  status(kind: BodyKind | StreamKind, status: number, context: Context): number;
  headers(kind: BodyKind | StreamKind, headers: Headers, context: Context): Headers;
  /** Returns a new id with the protocol's prefix (`resp_`, `msg_`, …). */
  id(prefix: string, call: Call): string;
}

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export interface StreamContext extends Context {
  readonly over: 'sse' | 'websocket';
  /** Sequence number after which an interrupted stream resumes; null for its start. */
  readonly startingAfter: number | null;
}

type Transform = (
  events: AsyncIterable<StreamEvent>,
  context: StreamContext,
) => AsyncIterable<StreamEvent>;

/** Event sequence of each protocol, as delivered to one client. */
export interface Frames extends Record<DialectName, Transform> {
  /** Serializes one event in SSE framing, including its blank line. */
  serialize(event: StreamEvent, context: StreamContext): string;
  /** Serializes one event as the text of a WebSocket frame. */
  frame(event: StreamEvent, context: StreamContext): string;
}

export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

export interface Transport {
  send(out: ServerResponse, head: Head, body: string, context: Context): Promise<void>;
  /**
   * Writes the head at once, then each piece as it arrives, then ends. Returns early if the client has
   * disconnected, which ends the pieces.
   */
  stream(
    out: ServerResponse,
    head: Head,
    pieces: AsyncIterable<string>,
    context: StreamContext,
  ): Promise<void>;
  /** Refuses an upgrade on the bare socket, and ends it. */
  refuseUpgrade(socket: Duplex, head: Head, body: string): void;
  frame(socket: OpenSocket, text: string, context: StreamContext): Promise<void>;
}

export interface Access {
  readonly operation: StoredOperation;
  readonly record: StoredResponse;
  readonly key: Key;
  readonly call: Call;
}

export interface Execution {
  readonly store: boolean;
  readonly background: boolean;
  readonly stream: boolean;
}

/**
 * Every decision of the gateway, one function each. The defaults follow the specification or, if it is silent, the
 * public documentation of the protocol.
 */
export interface Policy {
  // Authentication
  /** Returns the key in the request, from the only place where its protocol expects one. */
  credential(credential: CredentialHeader, call: Call): string | undefined;
  /** Returns the key with this secret; without one, the request is refused. */
  keyFor(secret: string | undefined, call: Call): Key | undefined;
  versionAccepted(version: string | undefined, call: Call): boolean;

  // Models
  findModel(id: string, call: Call): FixtureModel | undefined;
  mayUseModel(key: Key, model: FixtureModel, call: Call): boolean;
  /** True if the model declares the protocol of the call. */
  speaks(model: FixtureModel, declaredAs: string, call: Call): boolean;
  /** True if the model has a capability, in general or over the protocol of the call only (`stream:chat`). */
  supports(model: FixtureModel, capability: string, call: Call): boolean;
  /** True if a requested feature is honoured; if false, the request is served without it. */
  honours(asked: AskedCapability, call: Call): boolean;
  /** Returns the models that a list shows to this key, in order. */
  listedModels(key: Key, call: Call): readonly FixtureModel[];

  // Requests
  /** True if the gateway enforces the rule behind a refusal. */
  insists(refusal: Refusal, call: Call): boolean;
  /** True if a refused stream gets a 200 with an error event. */
  refusesInStream(refusal: Refusal, call: Call): boolean;
  /** Maximum body size in bytes. */
  bodyLimit(call: Call): number;
  wantsStream(body: JsonObject, call: Call): boolean;
  /** Returns the maximum number of output tokens for the requested limit. */
  outputLimit(asked: number | null, call: Call): number | null;

  // The model
  /** Generates the output for a prompt. May refuse the prompt. */
  generate(prompt: Prompt, call: Call): Generation;

  // Stored responses: access by caller and operation
  /** True if the platform keeps a copy of the content. */
  keepsContent(execution: Execution, call: Call): boolean;
  isStored(access: Access): boolean;
  isNotDeleted(access: Access): boolean;
  isWithinRetention(access: Access): boolean;
  isOriginalRegion(access: Access): boolean;
  isSameUser(access: Access): boolean;
  isModelPermitted(access: Access): boolean;

  // Continuation
  /** Returns the items of earlier turns that the model reads before the new input. */
  history(previous: StoredResponse, call: Call): readonly JsonObject[];
  /** True if a connection keeps this turn as its latest, so that it can be continued without storage. */
  remembersTurn(record: StoredResponse, call: Call): boolean;
  /** True if a failed continuation makes the connection forget the turn. */
  forgetsAfterFailure(record: StoredResponse, call: Call): boolean;
  /** Treatment of a WebSocket message while the turn before it still runs. */
  whileBusy(call: Call): 'wait' | 'refuse' | 'refuse-later' | 'interleave';
  /** True if a ping on an open WebSocket gets a pong. */
  answersPings(call: Call): boolean;

  // Execution
  backgroundAllowed(execution: Execution, call: Call): boolean;
  /** Returns the pace at which the answer is written. */
  pace(usual: Pace, call: Call): Pace;
  /** True if the answer is sent before the run has ended. */
  runsInBackground(execution: Execution, call: Call): boolean;
  cancellable(record: StoredResponse, call: Call): boolean;
  cancelStops(record: StoredResponse, call: Call): boolean;
  deleteStops(record: StoredResponse, call: Call): boolean;
  deleteDenies(record: StoredResponse, call: Call): boolean;
  deleteRemovesContent(record: StoredResponse, call: Call): boolean;
  /** True if a run continues after its client has dropped the connection. */
  outlivesClient(execution: Execution, call: Call): boolean;
  /** Returns the index of the first event of a recovered stream. */
  recoversFrom(startingAfter: number | null, record: StoredResponse, call: Call): number;

  // Metering
  /** Returns the input tokens as the channel that generates counts them. */
  read(inputTokens: number, call: Call): number;
  /** Returns the answer to a count, from the number of tokens that the model would read. */
  counted(inputTokens: number, call: Call): number;
  charge(record: LedgerRecord, gateway: Gateway): number;
  /** Returns the requests that a ledger query covers, among those that it names. */
  inLedgerQuery(clientRequestIds: readonly string[]): readonly string[];
  /** Returns the records that the ledger shows for one record. */
  financialRecords(record: LedgerRecord, gateway: Gateway): readonly LedgerRecord[];
  /** True if a refused request is entered in the ledger. */
  recordsRefusal(refusal: Refusal, call: Call): boolean;
  /** True if a request whose body never arrived in full is entered in the ledger. */
  recordsHalfRequest(call: Call): boolean;
}
