import type { Call } from '../../reference/call.ts';
import type { DialectName } from '../../reference/dialect.ts';
import { type EndpointName, modelEndpoints } from '../../reference/endpoint-names.ts';
import type { FixtureModel } from '../../reference/fixture-models.ts';
import { endpointOf } from '../planting.ts';
import { whileRunning } from './consequences.ts';
import type { Fault } from './fault.ts';
import { forgiving } from './lenient-input.ts';
import { storedOperations } from './regions-owners.ts';

// Which model is served over which protocol, and for which key.

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

/** One model that speaks nothing else, and the name of its protocol in a declaration. */
const singles: readonly (readonly [protocol: DialectName, model: string])[] = [
  ['responses', 'ts-responses'],
  ['chat-completions', 'ts-chat'],
  ['messages', 'ts-messages'],
  ['generative', 'ts-generative'],
  ['systemone', 'ts-systemone'],
];

/** Longer ids are no names that anybody would look up. */
const longestId = 200;

/** What serves a request for a model that there is not. */
function fallback({ gateway }: Call): FixtureModel | undefined {
  return gateway.models[0];
}

export const protocolFaults: readonly Fault[] = [
  ...singles.map(
    ([protocol, model]): Fault => ({
      id: `protocols.one-model-missing-${protocol}`,
      what: `The routes of ${protocol} do not know the model that declares it alone.`,
      breaks: [`access/protocols.declared-served:${protocol}`],
      override: ({ policy }) => ({
        policy: {
          findModel: (id, call) =>
            id === model && call.dialect.name === protocol ? undefined : policy.findModel(id, call),
        },
      }),
    }),
  ),
  {
    id: 'protocols.ids-cut-at-space',
    what: 'A model id is cut at its first space.',
    breaks: ['responses', 'chat-completions', 'messages', 'systemone'].map(
      (protocol) => `access/protocols.declared-served:${protocol}`,
    ),
    override: ({ policy }) => ({
      policy: {
        findModel: (id, call) =>
          policy.findModel(
            call.dialect.name === 'generative' ? id : (id.split(' ')[0] ?? ''),
            call,
          ),
      },
    }),
  },
  ...modelEndpoints.map(
    (endpoint): Fault => ({
      id: `protocols.undeclared-served-${endpoint}`,
      what: `\`${endpoint}\` serves every model, whatever protocols it declares.`,
      breaks: [`access/protocols.undeclared-refused:${endpoint}`],
      override: ({ policy }) => ({
        policy: {
          speaks: (model, declaredAs, call) =>
            endpointOf(call) === endpoint || policy.speaks(model, declaredAs, call),
          // The channel of such a model can do what its own protocol needs.
          supports: (model, capability, call) =>
            (endpointOf(call) === endpoint && !model.protocols.includes(declared(call))) ||
            policy.supports(model, capability, call),
        },
      }),
    }),
  ),
  ...(['responses', 'chat-completions', 'messages'] as const).map(
    (protocol): Fault => ({
      id: `protocols.undeclared-streamed-${protocol}`,
      what: `The declaration of a model is checked on ${protocol} only where no stream is asked for.`,
      breaks: [`access/protocols.undeclared-refused:${protocol}`],
      override: ({ policy }) => ({
        policy: {
          speaks: (model, declaredAs, call) =>
            (call.operation === `${protocol}.create` && call.body.stream === true) ||
            policy.speaks(model, declaredAs, call),
        },
      }),
    }),
  ),
  ...modelEndpoints.map(
    (endpoint): Fault => ({
      id: `protocols.unknown-model-served-${endpoint}`,
      what: `\`${endpoint}\` serves an unknown model with the default one.`,
      breaks: [`access/protocols.unknown-model-refused:${endpoint}`],
      override: ({ policy }) => ({
        policy: {
          findModel: (id, call) => {
            const found = policy.findModel(id, call);
            if (found !== undefined || endpointOf(call) !== endpoint) return found;
            return id.length > longestId ? undefined : fallback(call);
          },
        },
      }),
      // There is no such refusal whose shape could be judged.
      mayAlso: [
        `everywhere/native.error-shape:${endpoint}.unknown-model`,
        ...(endpoint === 'stream-generate-content'
          ? ['everywhere/native.error-before-stream:generative']
          : [`everywhere/native.error-before-stream:${endpoint}`].filter(isStreaming)),
      ],
    }),
  ),
  ...modelInBody.map(
    (endpoint): Fault => ({
      id: `protocols.default-model-${endpoint}`,
      what: `\`${endpoint}\` serves a request that names no model with a default one.`,
      breaks: [`access/protocols.model-required:${endpoint}`],
      override: forgiving(
        ({ reason, param }, call) =>
          endpointOf(call) === endpoint && reason === 'missing-parameter' && param === 'model',
      ),
    }),
  ),
];

export const permissionFaults: readonly Fault[] = [
  ...modelEndpoints.map(
    (endpoint): Fault => ({
      id: `permissions.unpermitted-served-${endpoint}`,
      what: `\`${endpoint}\` serves every model to every key.`,
      breaks: [`access/permissions.unpermitted-model-refused:${endpoint}`],
      mayAlso: [
        'access/regions.unpermitted-model-refused',
        // In a later turn, too.
        ...(endpoint === 'responses' || endpoint === 'websocket'
          ? ['access/permissions.later-turn-refused']
          : []),
      ],
      override: ({ policy }) => ({
        policy: {
          mayUseModel: (key, model, call) =>
            endpointOf(call) === endpoint || policy.mayUseModel(key, model, call),
        },
      }),
    }),
  ),
  {
    id: 'permissions.continued-under-another-model',
    what: 'A continuation is checked against the model that it names, and not against that of the stored response.',
    breaks: ['access/permissions.continue-under-another-model'],
    override: ({ policy }) => ({
      policy: {
        isModelPermitted: (access) =>
          access.operation === 'continue' || policy.isModelPermitted(access),
      },
    }),
  },
  ...storedOperations.map(
    (operation): Fault => ({
      id: `permissions.stored-model-unchecked-${operation}`,
      what: `The model of a stored response is not checked for ${operation}.`,
      breaks: [`access/permissions.lookup-needs-model:${operation}`],
      mayAlso: [
        ...whileRunning('access/permissions.running-needs-model', operation),
        // A later turn that continues one names its model, too.
        ...(operation.startsWith('continue')
          ? [
              'access/permissions.continue-under-another-model',
              'access/permissions.later-turn-refused',
            ]
          : []),
      ],
      override: ({ policy }) => ({
        policy: {
          isModelPermitted: (access) =>
            access.operation === operation || policy.isModelPermitted(access),
          // A continuation names the same model, which the key may not use either.
          mayUseModel: (key, model, call) =>
            (operation.startsWith('continue') && continues(call)) ||
            policy.mayUseModel(key, model, call),
        },
      }),
    }),
  ),
];

function declared({ dialect }: Call): string {
  return dialect.declaredAs ?? '';
}

function continues({ body }: Call): boolean {
  return body.previous_response_id !== undefined;
}

function isStreaming(id: string): boolean {
  return /:(responses|chat-completions|messages)$/.test(id);
}
