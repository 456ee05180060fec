import {
  type Exchange,
  each,
  type Needs,
  present,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { namesModel } from '../named-model.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { started } from '../responses/background-runs.ts';
import { type Asked, asked, type CapabilityName, names } from './capability-requests.ts';
import { everyModel } from './every-model.ts';

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

/** A capability, asked of a model that lacks it, beside an ordinary generation of that model. */
export const lacking = each(names, (name) => {
  const { capability, protocol, ask, askOtherwise }: Asked = asked[name];
  return scenario(
    `rules/capabilities/lacking/${name}`,
    {
      needs: { model: { speaks: protocol, lacks: [capability] } },
      after: { every: everyModel[protocol] },
      cost: { requests: askOtherwise === undefined ? 1 : 2, generations: 0, chain: 1 },
    },
    async (io, { every: { answers } }) => {
      const model = io.model.id;
      const control = answers.find((answer) => namesModel(answer, model));
      const attempts = await Promise.all([
        ask(io),
        ...(askOtherwise === undefined ? [] : [askOtherwise(io.lane('otherwise'))]),
      ]);
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
