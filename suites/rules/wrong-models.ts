import {
  type Call,
  type EndpointName,
  type Exchange,
  endpoints,
  type Protocol,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';

/** A request that names the wrong model, beside the one that names the right one. */
export interface WrongModel {
  readonly control: Exchange;
  /** The same request; where the body may ask for a stream, with and without. */
  readonly attempts: readonly Exchange[];
}

/** The endpoints whose requests name a model. */
export const modelEndpoints = Object.values(endpoints).filter(
  ({ namesModel }) => namesModel !== 'none',
);

/** Endpoints where the body says whether a stream is wanted. */
const switched: readonly EndpointName[] = ['responses', 'chat-completions', 'messages'];

export type WrongModels = Readonly<Record<string, Scenario<WrongModel>>>;

/** An id that is no model. */
export const unknownModel: WrongModels = byEndpoint((name) =>
  scenario(
    `rules/protocols/unknown-model/${name}`,
    { after: { ordinary: ordinary[name] }, cost: cost(name) },
    async ({ ask, word }, { ordinary: { ordinary: control, input } }) => {
      const model = `touchstone-no-such-model-${word()}`;
      const attempts = bodies(name).map((change) => ask(name, { input, model, change }));
      return { control, attempts: await Promise.all(attempts) };
    },
  ),
);

/** A model that does not declare the protocol. */
export const undeclared: WrongModels = byEndpoint((name, protocol) =>
  scenario(
    `rules/protocols/undeclared/${name}`,
    {
      needs: { models: { undeclared: { notSpeaks: protocol } } },
      after: { ordinary: ordinary[name] },
      cost: cost(name),
    },
    async ({ ask, role }, { ordinary: { ordinary: control, input } }) => {
      const model = role('undeclared').id;
      const attempts = bodies(name).map((change) => ask(name, { input, model, change }));
      return { control, attempts: await Promise.all(attempts) };
    },
  ),
);

/** No model at all. */
export const withoutModel: WrongModels = byEndpoint((name) =>
  scenario(
    `rules/protocols/no-model/${name}`,
    { after: { ordinary: ordinary[name] }, cost: { requests: 1, generations: 0 } },
    async ({ ask }, { ordinary: { ordinary: control, input } }) => {
      const attempt = await ask(name, {
        input,
        change: (call) => ({ ...call, body: withoutMember(call.body, 'model') }),
        frame: (frame) => withoutMember(frame, 'model'),
      });
      return { control, attempts: [attempt] };
    },
  ),
);

function byEndpoint(
  make: (name: EndpointName, protocol: Protocol) => Scenario<WrongModel>,
): WrongModels {
  return Object.fromEntries(
    modelEndpoints.flatMap(({ name, model }) =>
      model === null ? [] : [[name, make(name, model.speaks)] as const],
    ),
  );
}

/** The changes that make each kind of body: as it is and, where the body says so, for a stream. */
export function bodies(name: EndpointName): ((call: Call) => Call)[] {
  return switched.includes(name) ? [asItIs, streaming] : [asItIs];
}

function cost(name: EndpointName) {
  return { requests: bodies(name).length, generations: 0, chain: 1 };
}

function asItIs(call: Call): Call {
  return call;
}

export function streaming(call: Call): Call {
  return { ...call, expects: 'events', body: { ...Object(call.body), stream: true } };
}

function withoutMember(body: unknown, member: string): object {
  return { ...Object(body), [member]: undefined };
}
