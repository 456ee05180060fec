import type { Call } from '../../reference/call.ts';
import type { DialectName } from '../../reference/dialect.ts';
import { type EndpointName, modelEndpoints } from '../../reference/endpoint-names.ts';
import type { FixtureModel } from '../../reference/fixture-models.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide, relax } from '../decisions.ts';
import { endpointOf, together } from '../planting.ts';
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
      override: decide(
        'findModel',
        (native) => (id, call) =>
          id === model && call.dialect.name === protocol ? undefined : native(id, call),
      ),
    }),
  ),
  {
    id: 'protocols.ids-cut-at-space',
    what: 'A model id is cut at its first space.',
    breaks: ['responses', 'chat-completions', 'messages', 'systemone'].map(
      (protocol) => `access/protocols.declared-served:${protocol}`,
    ),
    override: decide(
      'findModel',
      (native) => (id, call) =>
        native(call.dialect.name === 'generative' ? id : (id.split(' ')[0] ?? ''), call),
    ),
  },
  ...modelEndpoints.map(
    (endpoint): Fault => ({
      id: `protocols.undeclared-served-${endpoint}`,
      what: `\`${endpoint}\` serves every model, whatever protocols it declares.`,
      breaks: [`access/protocols.undeclared-refused:${endpoint}`],
      override: undeclaredServed((call) => endpointOf(call) === endpoint),
    }),
  ),
  ...(['responses', 'chat-completions', 'messages'] as const).map(
    (protocol): Fault => ({
      id: `protocols.undeclared-streamed-${protocol}`,
      what: `The declaration of a model is checked on ${protocol} only where no stream is asked for.`,
      breaks: [`access/protocols.undeclared-refused:${protocol}`],
      override: relax(
        'speaks',
        (_model, _declaredAs, call) =>
          call.operation === `${protocol}.create` && call.body.stream === true,
      ),
    }),
  ),
  ...modelEndpoints.map(
    (endpoint): Fault => ({
      id: `protocols.unknown-model-served-${endpoint}`,
      what: `\`${endpoint}\` serves an unknown model with the default one.`,
      breaks: [`access/protocols.unknown-model-refused:${endpoint}`],
      override: decide('findModel', (native) => (id, call) => {
        const found = native(id, call);
        if (found !== undefined || endpointOf(call) !== endpoint) return found;
        return id.length > longestId ? undefined : fallback(call);
      }),
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
      override: relax('mayUseModel', (_key, _model, call) => endpointOf(call) === endpoint),
    }),
  ),
  {
    id: 'permissions.continued-under-another-model',
    what: 'A continuation is checked against the model that it names, and not against that of the stored response.',
    breaks: ['access/permissions.continue-under-another-model'],
    override: relax('isModelPermitted', (access) => access.operation === 'continue'),
  },
  ...storedOperations.map(
    (operation): Fault => ({
      id: `permissions.stored-model-unchecked-${operation}`,
      what: `The model of a stored response is not checked for ${operation}.`,
      breaks: [`access/permissions.lookup-needs-model:${operation}`],
      override: together(
        relax('isModelPermitted', (access) => access.operation === operation),
        // A continuation names the same model, which the key may not use either.
        relax(
          'mayUseModel',
          (_key, _model, call) => operation.startsWith('continue') && continues(call),
        ),
      ),
    }),
  ),
];

/** Serves models that do not declare the protocol, where it fits. */
export function undeclaredServed(fits: (call: Call) => boolean): Defect['override'] {
  return together(
    relax('speaks', (_model, _declaredAs, call) => fits(call)),
    // The channel of such a model can do what its own protocol needs.
    relax(
      'supports',
      (model, _capability, call) =>
        fits(call) && !model.protocols.includes(call.dialect.declaredAs ?? ''),
    ),
  );
}

export function continues({ body }: Call): boolean {
  return body.previous_response_id !== undefined;
}
