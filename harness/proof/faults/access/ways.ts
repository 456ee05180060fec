import {
  type Access,
  type Call,
  type Operation,
  objectOrEmpty,
  type Route,
} from '../../../reference/index.ts';
import { admit, decide, relax, tighten } from '../../decisions.ts';
import { handling, type Override, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Gateways that know a guarded thing by another name, and do not guard it there.

/** Operations of the ordinary request to each endpoint. */
const operationAt = {
  models: 'models.list',
  lookup: 'responses.lookup',
  responses: 'responses.create',
  'chat-completions': 'chat-completions.create',
  messages: 'messages.create',
  'messages-count-tokens': 'messages.count-tokens',
  'generate-content': 'generative.generate',
  'count-tokens': 'generative.count-tokens',
  'input-items': 'responses.input-items',
} as const satisfies Readonly<Record<string, Operation>>;

function loosely(route: Route): Route {
  const path = new RegExp(route.path.source.replace(/\$$/, '\\/*$'), 'i');
  return { ...route, path };
}

const looseRoutes: Override = ({ endpoints: { routes } }) => ({
  endpoints: { routes: (dialect) => routes(dialect).map(loosely) },
});

function isOrdinary(path: string): boolean {
  return !path.endsWith('/') && /^\/v1(?:beta)?\/[a-z]/.test(path);
}

/** Text by which a gateway that is generous in spelling knows a name. */
function simplified(text: string): string {
  return text.normalize('NFKC').replace(/\0/g, '').trim().toLowerCase();
}

const spelledModels: Override = decide(
  'findModel',
  (native) => (id, call) =>
    native(id, call) ??
    call.gateway.models.find((model) => simplified(model.id) === simplified(id)),
);

/** True if a request to an endpoint names a model by another text than its id. */
function isNamedOtherwise(
  name: keyof typeof operationAt,
  { operation, body, params }: Call,
  id: string,
): boolean {
  const asked = params.model ?? body.model;
  return operation === operationAt[name] && typeof asked === 'string' && asked !== id;
}

const keyless = [
  'models',
  'lookup',
  'responses',
  'chat-completions',
  'messages',
  'generate-content',
] as const;

const naming = [
  'responses',
  'chat-completions',
  'messages',
  'messages-count-tokens',
  'generate-content',
  'count-tokens',
] as const;

/** Finds a stored response by another spelling of its id, and tells `isSpelled` of such requests. */
function spelledId(operation: Operation, asOwner = false): Override {
  return handling(operation, (handle) => (call, key) => {
    const { keys, store } = call.gateway;
    const reader = asOwner ? (keys[0] ?? key) : key;
    const { id = '' } = call.params;
    const previous = call.body.previous_response_id;
    const asked = typeof previous === 'string' ? previous : id;
    const known = simplified(asked);
    if (known === asked || store.peek(known) === undefined) return handle(call, key);
    const body = id === '' ? { ...call.body, previous_response_id: known } : call.body;
    const params = { ...call.params, id: known, spelled: asked };
    return handle({ ...call, key: reader, body, params }, reader);
  });
}

function isSpelled({ call }: Access): boolean {
  return call.params.spelled !== undefined;
}

/** Conditions that a gateway forgets, with what it has to keep for that. */
const forgotten: Readonly<Record<string, Override>> = {
  deleted: together(
    tighten('deleteRemovesContent', () => true),
    relax('isNotDeleted', isSpelled),
  ),
  unstored: together(
    relax('keepsContent', () => true),
    relax('isStored', isSpelled),
  ),
  'other-region': relax('isOriginalRegion', isSpelled),
};

export const accessWaysFaults: readonly Fault[] = [
  ...planted({
    'ways.conversation-of-anybody': handling('responses.create', (handle) => (call, key) => {
      const { id } = objectOrEmpty(call.body.conversation);
      const { keys, store } = call.gateway;
      const record = store.peek(String(id));
      const owner = keys.find(({ user }) => user === record?.owner);
      const body = { ...call.body, conversation: undefined, previous_response_id: id };
      return owner === undefined ? handle(call, key) : handle({ ...call, body }, owner);
    }),
    'ways.spelled-stream-of-anybody': relax('isSameUser', ({ operation, call: { query } }) => {
      return operation === 'lookup' && query.get('stream') === 'True';
    }),
  }),
  ...each(['models', 'lookup', 'messages'] as const, (name) => ({
    'ways.loose-path-keyless-{}': together(
      looseRoutes,
      admit((_, { operation, path }) => operation === operationAt[name] && !isOrdinary(path)),
    ),
  })),
  ...each(keyless, (name) => ({
    'ways.kept-connection-keyless-{}': admit(
      (_, call) => call.operation === operationAt[name] && call.earlierOnConnection > 0,
    ),
  })),
  ...each(naming, (name) => ({
    'ways.spelled-model-unpermitted-{}': together(
      spelledModels,
      relax('mayUseModel', (_, { id }, call) => isNamedOtherwise(name, call, id)),
    ),
    'ways.spelled-model-undeclared-{}': together(
      spelledModels,
      relax('speaks', ({ id }, _, call) => isNamedOtherwise(name, call, id)),
      relax('supports', ({ id }, _, call) => isNamedOtherwise(name, call, id)),
    ),
  })),
  ...each(['lookup', 'input-items', 'responses'] as const, (name) => ({
    'ways.spelled-id-of-anybody-{}': spelledId(operationAt[name], true),
    ...Object.fromEntries(
      Object.entries(forgotten).map(([why, override]) => [
        `ways.spelled-${why}-{}`,
        together(spelledId(operationAt[name]), override),
      ]),
    ),
  })),
];
