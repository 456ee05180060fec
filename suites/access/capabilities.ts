import {
  type Exchange,
  each,
  type Needs,
  present,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { started } from '../scenarios/background-runs.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { everyModel } from '../scenarios/every-model.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { namesModel } from '../scenarios/named-model.ts';
import { type Asked, asked, type CapabilityName, names } from './capability-requests.ts';

interface Offered {
  readonly answer: Exchange;
  /** A baseline generation over the same protocol: what is not served at all lacks no capability. */
  readonly control: Exchange;
}

/** A capability, asked of a model that supports it: as it has been asked for other checks. */
export const offered: Readonly<Record<CapabilityName, Scenario<Offered>>> = {
  background: taken('background', started, ({ created }) => created),
  compact: taken('compact', baseline.compact, ({ baseline }) => baseline),
  input_tokens: taken('input_tokens', baseline['input-tokens'], ({ baseline }) => baseline),
  websocket: taken('websocket', baseline.websocket, ({ baseline }) => baseline),
  count_tokens: taken(
    'count_tokens',
    baseline['messages-count-tokens'],
    ({ baseline }) => baseline,
  ),
  'vendorb-count': taken('vendorb-count', baseline['count-tokens'], ({ baseline }) => baseline),
  'stream-responses': streamed('responses'),
  'stream-chat-completions': streamed('chat-completions'),
  'stream-messages': streamed('messages'),
  'stream-generative': streamed('generative'),
};

function streamed(protocol: keyof typeof baselineStream): Scenario<Offered> {
  return taken(`stream-${protocol}`, baselineStream[protocol], ({ streamed }) => streamed);
}

function taken<Captured>(
  name: CapabilityName,
  from: Scenario<Captured>,
  answer: (captured: Captured) => Exchange,
): Scenario<Offered> {
  return scenario(
    `access/capabilities/offered/${name}`,
    {
      after: { from, control: baseline[mainEndpoint[asked[name].protocol]] },
      cost: { requests: 0, generations: 0 },
    },
    async (_, { from, control }) => ({ answer: answer(from), control: control.baseline }),
  );
}

/** A capability, asked of a model that lacks it, beside a baseline generation of that model. */
export const lacking = each(names, (name) => {
  const { capability, protocol, ask, inCreationMode }: Asked = asked[name];
  return scenario(
    `access/capabilities/lacking/${name}`,
    {
      needs: { model: { speaks: protocol, lacks: [capability] } },
      after: { every: everyModel[protocol] },
      cost: { requests: inCreationMode === undefined ? 1 : 2, generations: 0, chain: 1 },
    },
    async (io, { every: { answers } }) => {
      const model = io.model.id;
      const control = answers.find((answer) => namesModel(answer, model));
      const attempts = await Promise.all([
        ask(io),
        ...(inCreationMode === undefined ? [] : [inCreationMode(io.lane('otherwise'))]),
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
    `access/capabilities/undeclared/${name}`,
    { needs, cost: { requests: 1, generations: 1 } },
    async (io) => ({ answer: await ask(io), model: io.model.id }),
  );
});
