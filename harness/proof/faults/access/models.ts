import {
  type Call,
  type Defect,
  type DialectName,
  type EndpointName,
  type FixtureModel,
  modelEndpoints,
} from '../../../reference/index.ts';
import { continues, decide, forgiving, relax } from '../../decisions.ts';
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

/** For each protocol, the model that declares nothing else. */
const singles: readonly (readonly [protocol: DialectName, model: string])[] = [
  ['responses', 'ts-responses'],
  ['chat-completions', 'ts-chat'],
  ['messages', 'ts-messages'],
  ['generative', 'ts-generative'],
  ['systemone', 'ts-systemone'],
];

/** Longer ids stay refused. */
const longestId = 200;

/** The default model. */
function fallback({ gateway }: Call): FixtureModel | undefined {
  return gateway.models[0];
}

const protocolFaults: readonly Fault[] = [
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
  }),
  ...each(modelEndpoints, (endpoint) => ({
    'protocols.undeclared-served-{}': undeclaredServed((call) => endpointOf(call) === endpoint),
  })),
  ...each(['responses', 'chat-completions', 'messages'] as const, (protocol) => ({
    'protocols.undeclared-streamed-{}': relax(
      'speaks',
      (_model, _declaredAs, call) =>
        call.operation === `${protocol}.create` && call.body.stream === true,
    ),
  })),
  ...each(modelEndpoints, (endpoint) => ({
    'protocols.unknown-model-served-{}': decide('findModel', (native) => (id, call) => {
      const found = native(id, call);
      if (found !== undefined || endpointOf(call) !== endpoint) return found;
      return id.length > longestId ? undefined : fallback(call);
    }),
  })),
  ...each(modelInBody, (endpoint) => ({
    'protocols.default-model-{}': forgiving(
      ({ reason, param }, call) =>
        endpointOf(call) === endpoint && reason === 'missing-parameter' && param === 'model',
    ),
  })),
];

const permissionFaults: readonly Fault[] = [
  ...each(modelEndpoints, (endpoint) => ({
    'permissions.unpermitted-served-{}': relax(
      'mayUseModel',
      (_key, _model, call) => endpointOf(call) === endpoint,
    ),
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

// Capabilities of a model's channel that are offered and refused, or that are missing and served.

/** A capability by its name in the ids of checks, by the name that models have for it, and where. */
interface Capability {
  readonly name: string;
  readonly model: string;
  /** The protocol it is for, where models have one name for several. */
  readonly protocol: DialectName | null;
}

function channel(name: string, model = name): Capability {
  return { name, model, protocol: null };
}

function stream(protocol: DialectName): Capability {
  return { name: `stream-${protocol}`, model: 'stream', protocol };
}

const capabilities: readonly Capability[] = [
  channel('background'),
  channel('compact'),
  channel('input_tokens'),
  channel('websocket'),
  channel('count_tokens'),
  channel('vendorb-count', 'vendorB-count'),
  stream('responses'),
  stream('chat-completions'),
  stream('messages'),
  stream('generative'),
];

function concerns({ model, protocol }: Capability, asked: string, { dialect }: Call): boolean {
  return asked === model && (protocol === null || protocol === dialect.name);
}

/** Decides about one capability, whatever the model supports. */
function deciding(capability: Capability, supported: boolean): Defect['override'] {
  return decide(
    'supports',
    (native) => (model, asked, call) =>
      concerns(capability, asked, call) ? supported : native(model, asked, call),
  );
}

function refused(capability: Capability): Fault {
  return {
    id: `capabilities.${dashed(capability)}-refused`,
    what: `The capability ${capability.name} is refused for models that support it.`,
    breaks: [`access/capabilities.offered-served:${capability.name}`],
    override: deciding(capability, false),
  };
}

function servedAnyway(capability: Capability): Fault {
  return {
    id: `capabilities.${dashed(capability)}-anyway`,
    what: `The capability ${capability.name} is served for models that lack it.`,
    breaks: [`access/capabilities.unsupported-refused:${capability.name}`],
    override: deciding(capability, true),
  };
}

/** One JSON body where the channel has no stream. */
function wholeInstead(capability: Capability): Fault {
  return {
    id: `capabilities.${dashed(capability)}-as-json`,
    what: `Where a model cannot stream on ${capability.protocol}, it answers with one JSON body.`,
    breaks: [`access/capabilities.unsupported-refused:${capability.name}`],
    override: (seams) => ({
      policy: {
        wantsStream: (body, call) => {
          const wanted = seams.policy.wantsStream(body, call);
          const model = seams.policy.findModel(String(body.model ?? call.params.model), call);
          const able = model === undefined || seams.policy.supports(model, 'stream', call);
          return wanted && (able || call.dialect.name !== capability.protocol);
        },
      },
    }),
  };
}

function dashed({ name }: Capability): string {
  return name.replaceAll('_', '-');
}

const capabilityFaults: readonly Fault[] = [
  ...capabilities.map(refused),
  ...capabilities.map(servedAnyway),
  ...capabilities.filter(({ protocol }) => protocol !== null).map(wholeInstead),
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

export const accessModelsFaults: readonly Fault[] = [
  ...protocolFaults,
  ...permissionFaults,
  ...capabilityFaults,
];
