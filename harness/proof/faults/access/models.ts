import {
  type Call,
  type Defect,
  type DialectName,
  type EndpointName,
  type FixtureModel,
  modelEndpoints,
} from '../../../reference/index.ts';
import { continues, decide, forgiving, relax } from '../../decisions.ts';
import { wrong } from '../../generated/index.ts';
import { endpointOf, storedOperations, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Models served over protocols that they do not declare, or to keys that may not use them, and the reverse.

const modelInBody = [
  'responses',
  'chat-completions',
  'messages',
  'messages-count-tokens',
  'systemone',
  'compact',
  'input-tokens',
  'websocket',
] as const satisfies readonly EndpointName[];

/** For each protocol, the model that declares no other. */
const singles: readonly (readonly [protocol: DialectName, model: string])[] = [
  ['responses', 'ts-responses'],
  ['chat-completions', 'ts-chat'],
  ['messages', 'ts-messages'],
  ['generative', 'ts-generative'],
  ['systemone', 'ts-systemone'],
];

// Capabilities of a model's channel that are declared but refused, or missing but served.

/** Names of a capability in fault ids, in check ids, and in models. */
interface Capability {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  /** Protocol of the capability, if models have one name for several protocols. */
  readonly protocol: DialectName | null;
}

const streams = (['responses', 'chat-completions', 'messages', 'generative'] as const).map(
  (protocol) => ({
    id: `stream-${protocol}`,
    name: `stream-${protocol}`,
    model: 'stream',
    protocol,
  }),
);

const capabilities: readonly Capability[] = [
  ...['background', 'compact', 'input_tokens', 'websocket', 'count_tokens'].map((name) => ({
    id: name.replace('_', '-'),
    name,
    model: name,
    protocol: null,
  })),
  { id: 'vendorb-count', name: 'vendorb-count', model: 'vendorB-count', protocol: null },
  ...streams,
];

function concerns({ model, protocol }: Capability, asked: string, { dialect }: Call): boolean {
  return asked === model && (protocol === null || protocol === dialect.name);
}

/** Overrides the decision about one capability, regardless of the model's declaration. */
function deciding(capability: Capability, supported: boolean): Defect['override'] {
  return decide(
    'supports',
    (native) => (model, asked, call) =>
      concerns(capability, asked, call) ? supported : native(model, asked, call),
  );
}

/** True if the key of a call to an endpoint may not use a model. */
function isBarred(name: EndpointName, { permitted }: FixtureModel, call: Call): boolean {
  return endpointOf(call) === name && call.key !== null && !permitted.includes(call.key.role);
}

export const accessModelsFaults: readonly Fault[] = [
  ...each(modelEndpoints, (name) => ({
    'permissions.two-reasons-{}': together(
      relax('speaks', (model, _, call) => isBarred(name, model, call)),
      relax('supports', (model, _, call) => isBarred(name, model, call)),
      relax('mayUseModel', (_, { protocols }, call) => {
        return endpointOf(call) === name && !protocols.includes(call.dialect.declaredAs ?? '');
      }),
    ),
  })),
  ...each(singles, ([protocol, model]) => ({
    'protocols.one-model-missing-{0}': decide(
      'findModel',
      (native) => (id, call) =>
        id === model && call.dialect.name === protocol ? undefined : native(id, call),
    ),
  })),
  ...planted({
    'protocols.ids-cut-at-space': decide(
      'findModel',
      (native) => (id, call) =>
        native(call.dialect.name === 'generative' ? id : (id.split(' ')[0] ?? ''), call),
    ),
    'protocols.empty-model-default': decide('findModel', (native) => (id, call) => {
      return id === '' ? call.gateway.models[0] : native(id, call);
    }),
    'background.unstored-where-lacking': together(
      relax('supports', (_, asked, { body }) => asked === 'background' && body.store === false),
      forgiving(({ reason }, { body, gateway: { models } }) => {
        const model = models.find(({ id }) => id === body.model);
        return reason === 'background-needs-store' && model?.supports.length === 0;
      }),
    ),
    'protocols.one-undeclared-served': relax(
      'speaks',
      ({ id }, _, { operation }) => id === 'ts-generative' && operation === 'messages.create',
    ),
  }),
  ...each(modelEndpoints, (endpoint) => ({
    'protocols.undeclared-served-{}': wrong('speaks.undeclared', { endpoint }),
    'protocols.unknown-model-served-{}': wrong('findModel.unknown', { endpoint }),
  })),
  ...each(['responses', 'chat-completions', 'messages'] as const, (protocol) => ({
    'protocols.undeclared-streamed-{}': relax(
      'speaks',
      (_model, _declaredAs, call) =>
        call.operation === `${protocol}.create` && call.body.stream === true,
    ),
  })),
  ...each(modelInBody, (endpoint) => ({
    'protocols.default-model-{}': wrong('insists', { endpoint, rule: 'model-required' }),
  })),
  ...planted({
    'permissions.one-model-unpermitted-served': relax(
      'mayUseModel',
      (_key, { id }, { operation }) => id === 'acme/odd: name 1' && operation === 'messages.create',
    ),
  }),
  ...each(modelEndpoints, (endpoint) => ({
    'permissions.unpermitted-served-{}': wrong('mayUseModel', { endpoint }),
  })),
  ...planted({
    'permissions.continued-under-another-model': relax(
      'isModelPermitted',
      (access) => access.operation === 'continue',
    ),
  }),
  ...each(storedOperations, (operation) => ({
    'permissions.stored-model-unchecked-{}': together(
      relax('isModelPermitted', (access) => access.operation === operation),
      // A continuation names the same model, which the key may not use either.
      relax(
        'mayUseModel',
        (_key, _model, call) => operation.startsWith('continue') && continues(call),
      ),
    ),
  })),
  ...each(capabilities, (capability) => ({
    'capabilities.{id}-refused': deciding(capability, false),
    'capabilities.{id}-anyway': deciding(capability, true),
  })),
  // Sends one JSON body if the channel has no stream.
  ...each(streams, ({ protocol }) => ({
    'capabilities.{id}-as-json': ({ policy }) => ({
      policy: {
        wantsStream: (body, call) => {
          const model = policy.findModel(String(body.model ?? call.params.model), call);
          const able = model === undefined || policy.supports(model, 'stream', call);
          return policy.wantsStream(body, call) && (able || call.dialect.name !== protocol);
        },
      },
    }),
  })),
  ...planted({
    'capabilities.background-in-foreground': ({ policy }) => ({
      policy: {
        supports: (model, asked, call) =>
          asked === 'background' || policy.supports(model, asked, call),
        runsInBackground: (execution, call) => {
          const model = policy.findModel(String(call.body.model), call);
          const able = model === undefined || policy.supports(model, 'background', call);
          return able && policy.runsInBackground(execution, call);
        },
      },
    }),
  }),
];
