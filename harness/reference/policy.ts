import type { Policy } from './call.ts';
import { generate } from './engine.ts';

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
