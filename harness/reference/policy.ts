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

/** Storage and execution options of a request. */
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
  // A run whose result cannot be looked up later is not worth finishing.
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

/** Last valid date, cached because nearly every request sends the same one. */
let knownDate = '';

/** True for YYYY-MM-DD with a day that exists. */
function isDate(value: string): boolean {
  if (value === knownDate) return true;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(value)) return false;
  knownDate = value;
  return true;
}
