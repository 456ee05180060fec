import {
  type Capability,
  type Exchange,
  each,
  type Io,
  type Needs,
  type Protocol,
  present,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { namesModel } from '../named-model.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { started } from '../responses/background-runs.ts';
import { everyModel } from './every-model.ts';

/** The axis "capability": how the catalogue names what depends on the channel of a model. */
export type CapabilityName = keyof typeof asked;

interface Asked {
  readonly capability: Capability;
  readonly protocol: Protocol;
  /** Asks the model of the scenario for it. */
  ask(io: Io): Promise<Exchange>;
}

/** A request for each capability. */
const asked = {
  background: {
    capability: 'background',
    protocol: 'responses',
    ask: ({ responses }) => responses.create({ background: true, store: true }),
  },
  compact: { capability: 'compact', protocol: 'responses', ask: ({ ask }) => ask('compact') },
  input_tokens: {
    capability: 'input_tokens',
    protocol: 'responses',
    ask: ({ ask }) => ask('input-tokens'),
  },
  websocket: { capability: 'websocket', protocol: 'responses', ask: ({ ask }) => ask('websocket') },
  count_tokens: {
    capability: 'count_tokens',
    protocol: 'messages',
    ask: ({ ask }) => ask('messages-count-tokens'),
  },
  'vendorb-count': {
    capability: 'vendorB-count',
    protocol: 'generative',
    ask: ({ ask }) => ask('count-tokens'),
  },
  'stream-responses': {
    capability: 'stream:responses',
    protocol: 'responses',
    ask: ({ responses }) => responses.stream(),
  },
  'stream-chat-completions': {
    capability: 'stream:chat-completions',
    protocol: 'chat-completions',
    ask: ({ chatCompletions }) => chatCompletions.stream(),
  },
  'stream-messages': {
    capability: 'stream:messages',
    protocol: 'messages',
    ask: ({ messages }) => messages.stream(),
  },
  'stream-generative': {
    capability: 'stream:generative',
    protocol: 'generative',
    ask: ({ generative }) => generative.stream(),
  },
} as const satisfies Readonly<Record<string, Asked>>;

const names = Object.keys(asked) as CapabilityName[];

interface Offered {
  readonly answer: Exchange;
  /** An ordinary generation over the same protocol: what is not served at all lacks no capability. */
  readonly control: Exchange;
}

/** A capability, asked of a model that supports it: as it has been asked for other checks. */
export const offered: Readonly<Record<CapabilityName, Scenario<Offered>>> = {
  background: taken('background', started, ({ created }) => created),
  compact: taken('compact', ordinary.compact, ({ ordinary }) => ordinary),
  input_tokens: taken('input_tokens', ordinary['input-tokens'], ({ ordinary }) => ordinary),
  websocket: taken('websocket', ordinary.websocket, ({ ordinary }) => ordinary),
  count_tokens: taken(
    'count_tokens',
    ordinary['messages-count-tokens'],
    ({ ordinary }) => ordinary,
  ),
  'vendorb-count': taken('vendorb-count', ordinary['count-tokens'], ({ ordinary }) => ordinary),
  'stream-responses': streamed('responses'),
  'stream-chat-completions': streamed('chat-completions'),
  'stream-messages': streamed('messages'),
  'stream-generative': streamed('generative'),
};

function streamed(protocol: keyof typeof ordinaryStream): Scenario<Offered> {
  return taken(`stream-${protocol}`, ordinaryStream[protocol], ({ streamed }) => streamed);
}

function taken<Captured>(
  name: CapabilityName,
  from: Scenario<Captured>,
  answer: (captured: Captured) => Exchange,
): Scenario<Offered> {
  return scenario(
    `rules/capabilities/offered/${name}`,
    {
      after: { from, control: ordinary[mainEndpoint[asked[name].protocol]] },
      cost: { requests: 0, generations: 0 },
    },
    async (_, { from, control }) => ({ answer: answer(from), control: control.ordinary }),
  );
}

/** A capability, asked twice of a model that lacks it: one 503 may come of a moment's load. */
export const lacking = each(names, (name) => {
  const { capability, protocol, ask } = asked[name];
  return scenario(
    `rules/capabilities/lacking/${name}`,
    {
      needs: { model: { speaks: protocol, lacks: [capability] } },
      after: { every: everyModel[protocol] },
      cost: { requests: 2, generations: 0 },
    },
    async (io, { every: { answers } }) => {
      const model = io.model.id;
      const control = answers.find((answer) => namesModel(answer, model));
      const attempts = [await ask(io), await ask(io)] as const;
      return { model, attempts, control: present(control, `generation of ${model}`) };
    },
  );
});

/** A capability, asked of a model of which the target file says nothing. */
export const undeclared = each(names, (name) => {
  const { capability, protocol, ask } = asked[name];
  const needs: Needs = { model: { speaks: protocol, unsaid: [capability] } };
  return scenario(
    `rules/capabilities/undeclared/${name}`,
    { needs, cost: { requests: 1, generations: 1 } },
    async (io) => ({ answer: await ask(io), model: io.model.id }),
  );
});
