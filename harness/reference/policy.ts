import type { AskedCapability } from './asked.ts';
import type { Call, Gateway } from './call.ts';
import type { CredentialHeader } from './dialect.ts';
import { type Generation, generate, type Prompt } from './engine.ts';
import type { FixtureModel } from './fixture-models.ts';
import type { JsonObject } from './json.ts';
import type { Key } from './keys.ts';
import type { LedgerRecord } from './ledger.ts';
import type { Refusal } from './refusal.ts';
import type { Pace } from './run.ts';
import type { Access, StoredResponse } from './store.ts';

/** What a request asks of storage and execution. */
export interface Execution {
  readonly store: boolean;
  readonly background: boolean;
  readonly stream: boolean;
}

/**
 * Every decision of the gateway, one function each. The default of each is the rule of the
 * specification; where it is silent, what the protocol's public documentation says.
 */
export interface Policy {
  // Authentication
  /** The key that the request shows, from the only place where its protocol looks for one. */
  credential(credential: CredentialHeader, call: Call): string | undefined;
  /** The key with this secret. Without one the request is refused. */
  keyFor(secret: string | undefined, call: Call): Key | undefined;
  versionAccepted(version: string | undefined, call: Call): boolean;

  // Models
  findModel(id: string, call: Call): FixtureModel | undefined;
  mayUseModel(key: Key, model: FixtureModel, call: Call): boolean;
  /** Whether the model declares the protocol of the call. */
  speaks(model: FixtureModel, declaredAs: string, call: Call): boolean;
  /** Of the model as a whole, or over the protocol of the call alone (`stream:chat`). */
  supports(model: FixtureModel, capability: string, call: Call): boolean;
  /** Whether what is asked for is looked at; else the request is served as if it did not ask. */
  honours(asked: AskedCapability, call: Call): boolean;
  /** The models that a list shows to this key, in order. */
  listedModels(key: Key, call: Call): readonly FixtureModel[];

  // Requests
  /** Whether the gateway insists on the rule that the refusal stands for. */
  insists(refusal: Refusal, call: Call): boolean;
  /** Whether a refusal comes as a 200 with an error event, where a stream was asked for. */
  refusesInStream(refusal: Refusal, call: Call): boolean;
  /** Bytes. */
  bodyLimit(call: Call): number;
  wantsStream(body: JsonObject, call: Call): boolean;
  /** Output tokens at most, from what the request asks for. */
  outputLimit(asked: number | null, call: Call): number | null;

  // The model
  /** What the model makes of a prompt. May refuse it. */
  generate(prompt: Prompt, call: Call): Generation;

  // Stored responses: who reaches them, and what for
  /** Whether a platform copy of the content is kept. */
  keepsContent(execution: Execution, call: Call): boolean;
  isStored(access: Access): boolean;
  isNotDeleted(access: Access): boolean;
  isWithinRetention(access: Access): boolean;
  isOriginalRegion(access: Access): boolean;
  isSameUser(access: Access): boolean;
  isModelPermitted(access: Access): boolean;

  // Continuation
  /** The items of earlier turns that the model reads before the new input. */
  history(previous: StoredResponse, call: Call): readonly JsonObject[];
  /** Whether a connection keeps this turn as its latest, to be continued without storage. */
  remembersTurn(record: StoredResponse, call: Call): boolean;
  /** Whether a continuation that failed makes the connection forget the turn. */
  forgetsAfterFailure(record: StoredResponse, call: Call): boolean;
  /** What a WebSocket message gets while the turn before it still runs. */
  whileBusy(call: Call): 'wait' | 'refuse' | 'refuse-later' | 'interleave';
  /** Whether a ping on an open WebSocket gets a pong. */
  answersPings(call: Call): boolean;

  // Execution
  backgroundAllowed(execution: Execution, call: Call): boolean;
  /** How fast the answer is written out. */
  pace(usual: Pace, call: Call): Pace;
  /** Whether the answer comes before the run has ended. */
  runsInBackground(execution: Execution, call: Call): boolean;
  cancellable(record: StoredResponse, call: Call): boolean;
  cancelStops(record: StoredResponse, call: Call): boolean;
  deleteStops(record: StoredResponse, call: Call): boolean;
  deleteDenies(record: StoredResponse, call: Call): boolean;
  deleteRemovesContent(record: StoredResponse, call: Call): boolean;
  /** Whether a run goes on when its client has dropped the connection. */
  outlivesClient(execution: Execution, call: Call): boolean;
  /** Index of the first event that a recovered stream has. */
  recoversFrom(startingAfter: number | null, record: StoredResponse, call: Call): number;

  // Metering
  /** How many tokens the channel that generates makes of what the model reads. */
  read(inputTokens: number, call: Call): number;
  /** What a count answers, from what the model would read. */
  counted(inputTokens: number, call: Call): number;
  charge(record: LedgerRecord, gateway: Gateway): number;
  /** The requests that a look at the ledger is about, of those that it names. */
  inLedgerQuery(clientRequestIds: readonly string[]): readonly string[];
  /** What the ledger shows for one record. */
  financialRecords(record: LedgerRecord, gateway: Gateway): readonly LedgerRecord[];
  /** Whether a refused request is entered in the ledger. */
  recordsRefusal(refusal: Refusal, call: Call): boolean;
  /** Whether a request whose body never came whole is entered in the ledger. */
  recordsHalfRequest(call: Call): boolean;
}

const day = 24 * 60 * 60 * 1000;

export const defaultPolicy: Policy = {
  credential({ header, scheme }, { headers }) {
    const value = headers[header];
    if (typeof value !== 'string') return undefined;
    if (scheme === null) return value;
    const [, named, secret] = /^(\S+) +(\S+)$/.exec(value) ?? [];
    return named?.toLowerCase() === scheme.toLowerCase() ? secret : undefined;
  },
  keyFor: (secret, { gateway }) => gateway.keys.find((key) => key.secret === secret),
  versionAccepted: (version) => version !== undefined && isDate(version),

  findModel: (id, { gateway }) => gateway.models.find((model) => model.id === id),
  mayUseModel: (key, model) => model.permitted.includes(key.role),
  speaks: (model, declaredAs) => model.protocols.includes(declaredAs),
  supports: (model, capability, { dialect }) =>
    model.supports.includes(capability) ||
    model.supports.includes(`${capability}:${dialect.declaredAs}`),
  honours: () => true,
  listedModels: (key, { gateway, operation }) =>
    gateway.models.filter(
      (model) =>
        model.permitted.includes(key.role) &&
        (operation !== 'models.catalog' || model.protocols.includes('vendorB')),
    ),

  insists: () => true,
  refusesInStream: () => false,
  bodyLimit: () => 10 * 1024 * 1024,
  wantsStream: (body, { dialect, operation }) =>
    dialect.name === 'generative' ? operation === 'generative.stream' : body.stream === true,
  outputLimit: (asked) => asked,

  generate: (prompt) => generate(prompt),

  keepsContent: ({ store }) => store,
  isStored: ({ record }) => record.store,
  isNotDeleted: ({ record }) => !record.deleted,
  isWithinRetention: ({ record, call: { gateway } }) =>
    gateway.now() - record.retainedFrom < gateway.retentionDays * day,
  isOriginalRegion: ({ record, call }) => record.region === call.gateway.region,
  isSameUser: ({ record, key }) => record.owner === key.user,
  isModelPermitted: ({ record, key }) => record.model.permitted.includes(key.role),

  history: ({ turn }) => turn?.context() ?? [],
  remembersTurn: () => true,
  forgetsAfterFailure: () => true,
  whileBusy: () => 'wait',
  answersPings: () => true,

  backgroundAllowed: ({ background, store }) => !background || store,
  pace: (usual) => usual,
  runsInBackground: ({ background }) => background,
  cancellable: ({ background }) => background,
  cancelStops: () => true,
  deleteStops: () => true,
  deleteDenies: () => true,
  deleteRemovesContent: () => true,
  // What nobody can look up afterwards is not worth finishing.
  outlivesClient: ({ store, background }) => store || background,
  recoversFrom: (startingAfter) => (startingAfter === null ? 0 : startingAfter + 1),

  read: (inputTokens) => inputTokens,
  counted: (inputTokens) => inputTokens,
  charge: ({ operation, inputTokens, outputTokens }) =>
    operation === 'count' ? 0 : (inputTokens + 4 * outputTokens) / 1_000_000,
  inLedgerQuery: (clientRequestIds) => clientRequestIds,
  financialRecords: (record) => [record],
  recordsRefusal: () => false,
  recordsHalfRequest: () => false,
};

/** What was last found to be a date: nearly every request has the same. */
let knownDate = '';

/** YYYY-MM-DD, and a day that the calendar has. */
function isDate(value: string): boolean {
  if (value === knownDate) return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(value)) return false;
  knownDate = value;
  return true;
}
