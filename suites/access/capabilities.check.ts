import {
  assumeServed,
  type Capability,
  check,
  contentOf,
  type EndpointName,
  type Exchange,
  ExpectationFailed,
  each,
  expect,
  type Fields,
  type Io,
  isServed,
  type Needs,
  type Protocol,
  type StreamingProtocol,
  scenario,
  servedNote,
  type View,
  view,
} from '../../harness/index.ts';
import { baseline, baselineOf, baselineStream, readable } from '../scenarios/baselines.ts';
import { assumeDistinctIds, namesModel, present } from '../scenarios/exchanges.ts';
import { assumeOfferedThere, everyModel } from '../scenarios/requests/models.ts';
import { started } from '../scenarios/running/background-runs.ts';

interface Asked {
  readonly capability: Capability;
  readonly protocol: Protocol;
  /** Requests the capability from the scenario's model. */
  ask(io: Io): Promise<Exchange>;
  /** Requests the same capability in another creation mode. */
  inCreationMode?(io: Io): Promise<Exchange>;
  /** Requests the same capability with an earlier response, without an input if that is enough to ask. */
  continuing?(io: Io, previous: Fields): Promise<Exchange>;
}

const asked = {
  background: {
    capability: 'background',
    protocol: 'responses',
    ask: ({ responses }) => responses.create({ background: true, store: true }),
    inCreationMode: ({ responses }) => responses.stream({ background: true, store: true }),
    continuing: ({ responses }, previous) =>
      responses.create({ ...previous, background: true, store: true }),
  },
  compact: {
    capability: 'compact',
    protocol: 'responses',
    ask: ({ ask }) => ask('compact'),
    continuing: ({ responses }, previous) => responses.compact({ input: undefined, ...previous }),
  },
  input_tokens: {
    capability: 'input_tokens',
    protocol: 'responses',
    ask: ({ ask }) => ask('input-tokens'),
    continuing: ({ responses }, previous) =>
      responses.inputTokens({ input: undefined, ...previous }),
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
    inCreationMode: ({ generative }) => generative.countTokens({}, { alternatePath: true }),
  },
  'stream-responses': {
    capability: 'stream:responses',
    protocol: 'responses',
    ask: ({ responses }) => responses.stream(),
    continuing: ({ responses }, previous) => responses.stream(previous),
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
    inCreationMode: ({ generative }) => generative.stream({}, { alternatePath: true }),
  },
} as const satisfies Readonly<Record<string, Asked>>;

/** Values of the axis "capability": the catalogue's names for features that depend on a model's channel. */
type CapabilityName = keyof typeof asked;

/** Answer of a model that supports each capability, taken from requests for other checks. */
const offered: Readonly<Record<CapabilityName, View<Exchange>>> = {
  background: view({ started }, ({ started: { created } }) => created),
  compact: controlAt('compact'),
  input_tokens: controlAt('input-tokens'),
  websocket: controlAt('websocket'),
  count_tokens: controlAt('messages-count-tokens'),
  'vendorb-count': controlAt('count-tokens'),
  'stream-responses': streamOf('responses'),
  'stream-chat-completions': streamOf('chat-completions'),
  'stream-messages': streamOf('messages'),
  'stream-generative': streamOf('generative'),
};

function controlAt(endpoint: EndpointName): View<Exchange> {
  return view({ asked: baseline[endpoint] }, ({ asked }) => asked.baseline);
}

function streamOf(protocol: StreamingProtocol): View<Exchange> {
  return view({ asked: baselineStream[protocol] }, ({ asked }) => asked.streamed);
}

check.each('access/capabilities.offered-served', (capability: CapabilityName) => ({
  on: {
    answer: offered[capability],
    // A protocol that is not served at all does not lack a capability.
    control: baselineOf[asked[capability].protocol],
  },
  judge: ({ answer, control: { baseline: control } }, { region }) => {
    assumeServed(control);
    assumeOfferedThere(answer, region);
    expect(answer).toBeServed();
    // Only for stored responses does the specification say that an id identifies one.
    if (answer.about.protocol === 'responses') assumeDistinctIds([answer], [control]);
  },
}));

const names = Object.keys(asked) as CapabilityName[];

/**
 * Requests a capability from a model that lacks it. The control is a baseline generation of that model; in a
 * further region that lists the model, a generation of any model.
 */
const lacking = each(names, (name) => {
  const { capability, protocol, ask, inCreationMode, continuing }: Asked = asked[name];
  const requests = [ask, inCreationMode, continuing].filter((form) => form !== undefined).length;
  return scenario(
    `access/capabilities/lacking/${name}`,
    {
      needs: { model: { speaks: protocol, lacks: [capability] } },
      after: { every: everyModel[protocol], ...(continuing === undefined ? {} : { readable }) },
      cost: {
        ...{ requests, generations: 0, refused: requests, chain: 1 },
        ...(capability === 'compact' ? { outputTokens: null } : {}),
      },
    },
    async (io, { every: { answers }, readable: stored }) => {
      const model = io.model.id;
      const control = answers.find((answer) => namesModel(answer, model)) ?? answers[0];
      const previous = stored === undefined ? null : contentOf(stored.created).id;
      const attempts = await Promise.all([
        ask(io),
        ...(inCreationMode === undefined ? [] : [inCreationMode(io.lane('creation-mode'))]),
        ...(continuing === undefined || previous === null
          ? []
          : [continuing(io.lane('continuing'), { previous_response_id: previous })]),
      ]);
      return { model, attempts, control: present(control, `generation of ${model}`) };
    },
  );
});

check.each('access/capabilities.unsupported-refused', (capability: CapabilityName) => ({
  on: lacking[capability],
  judge: ({ attempts, control, model }) => {
    for (const attempt of attempts) {
      try {
        expect(attempt).toBeRefused({ capability: true, control });
      } catch (error) {
        if (!(error instanceof ExpectationFailed && inFull(capability, attempt))) throw error;
        const doubt = `the target file may be wrong to say that ${model} lacks ${capability}`;
        throw error.told(`${error.actual}; ${doubt}`);
      }
    }
  },
}));

/** True if the answer is served with the requested capability rather than in some other way. */
function inFull(capability: CapabilityName, answer: Exchange): boolean {
  const pending = ['queued', 'in_progress'].includes(contentOf(answer).ending ?? '');
  return isServed(answer) && (capability !== 'background' || pending);
}

/** Requests a capability from a model for which the target file mentions neither support nor lack of it. */
const undeclared = each(names, (name) => {
  const { capability, protocol, ask } = asked[name];
  const needs: Needs = { model: { speaks: protocol, undeclared: [capability] } };
  return scenario(
    `access/capabilities/undeclared/${name}`,
    { needs, cost: { requests: 1, generations: 1 } },
    async (io) => ({ answer: await ask(io), model: io.model.id }),
  );
});

check.each('access/capabilities.undeclared-but-served', (capability: CapabilityName) => ({
  on: undeclared[capability],
  judge: ({ answer, model }, { note }) => {
    if (inFull(capability, answer)) note(servedNote(model, capability), answer);
  },
}));
