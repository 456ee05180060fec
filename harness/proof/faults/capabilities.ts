import type { Call } from '../../reference/call.ts';
import type { DialectName } from '../../reference/dialect.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide } from '../decisions.ts';
import type { Fault } from './fault.ts';

// What depends on the channel of a model: offered and refused, or lacking and served.

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

/** Decides over one capability, whatever the channel of the model says. */
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

export const capabilityFaults: readonly Fault[] = [
  ...capabilities.map(refused),
  ...capabilities.map(servedAnyway),
  ...capabilities.filter(({ protocol }) => protocol !== null).map(wholeInstead),
  {
    id: 'capabilities.background-in-foreground',
    what: 'Where a model cannot run in the background, it runs in the foreground.',
    breaks: ['access/capabilities.unsupported-refused:background'],
    override: ({ policy }) => ({
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
  },
];
