import {
  assumeServed,
  type Call,
  type Captures,
  type Cost,
  cheaperElsewhere,
  type EndpointName,
  type Exchange,
  each,
  endpointNames,
  endpoints,
  expect,
  type Fields,
  fields,
  type Io,
  idOf,
  isRefused,
  over,
  protocolModules,
  protocols,
  type Scenario,
  type StreamingProtocol,
  scenario,
  streamingProtocols,
  type Target,
  type View,
  view,
} from '../../harness/index.ts';
import { assumeDistinctIds } from './exchanges.ts';
import { earlierTurns, generation, storing } from './generations/generation-calls.ts';
import {
  type ClientForm,
  clientForms,
  costOf,
  type InForms,
  sendInForms,
  withMember,
} from './requests/request-forms.ts';
import {
  notApplicableOnceEnded,
  runningResponse,
  type Stored,
  toBeDeleted,
  witness,
} from './stored/stored-responses.ts';

/**
 * Returns the cost of requests that all have to be refused: no generations, or one each at a gateway that serves them.
 */
export function refusedCost(name: EndpointName, requests: number): Cost {
  const refused = endpoints[name].generates ? requests : 0;
  return { requests, generations: 0, refused, ...limitOf(name) };
}

/** Returns the output limit of the cost: null for a compaction and a decision, which take none. */
export function limitOf(name: EndpointName): { readonly outputTokens?: null } {
  return name === 'compact' || name === 'systemone' ? { outputTokens: null } : {};
}

/**
 * Expects a request without an output limit to be served if the same request with a limit is served. The check
 * stays undecided if both are refused or get another answer.
 */
export function expectLimitUnneeded(unlimited: Exchange, limited: Exchange): void {
  if (hasErrorStatus(unlimited)) {
    assumeServed(limited);
    expect(unlimited).toBeServed();
  }
  assumeServed(unlimited);
}

export function hasErrorStatus({ response }: Exchange): boolean {
  return response !== null && response.status >= 400;
}

/** Baseline request to an endpoint, sent once per run: the control of every refusal at that endpoint. */
export interface Baseline {
  readonly baseline: Exchange;
  /** Lookup of the run just before its cancel; null for any other endpoint. */
  readonly before: Exchange | null;
  /** Input of a generation or a count. */
  readonly input: string;
  /** A word that occurs only in the stored input: a denied answer must not show it. */
  readonly secret: string;
  /** Stored response that the request acted on; null if the endpoint acts on none. */
  readonly id: string | null;
  /** Requests in client forms, for endpoints that get no other good request in these forms. */
  readonly clients: InForms;
}

/** Endpoints that get too few other good requests to cover the client forms. */
const inForms: Readonly<Partial<Record<EndpointName, readonly ClientForm[]>>> = {
  compact: clientForms.second,
  systemone: clientForms.second,
  'stream-generate-content': ['accept-any'],
  cancel: clientForms.second,
  delete: clientForms.second,
};

const created = freshRequest('responses');

/** Stored response that scenarios only read, created by the baseline request to Responses. */
export const readable: View<Stored> = view(
  { made: created, witness },
  ({ made: { baseline, input, secret }, witness: other }) => {
    assumeDistinctIds([baseline], [other.created]);
    return { created: baseline, id: idOf(baseline), input, secret };
  },
);

export const toBeCancelled = runningResponse('baseline/to-be-cancelled');

/** Run that goes on while the baseline request cancels another one, in the first region. */
export const leftRunning = runningResponse('background/left-running');

const beside = cheaperElsewhere<null>(
  view(leftRunning.of, () => null),
  view({}, () => null),
);

const subjects: Partial<Record<EndpointName, View<Stored>>> = {
  'input-items': readable,
  delete: toBeDeleted,
  cancel: toBeCancelled,
};

/** Baseline lookup. Every deletion waits for it, so that a deleted response was readable before. */
export const lookupControl = requestOn('lookup', readable);

const whole = freshRequest('generate-content');

/** Leaves room for a whole sentence, because the natural end of a stream shows only without truncation. */
export function streamLimit({ limits }: Target): number {
  return Math.max(64, limits.maxOutputTokens);
}

export const baseline = each(endpointNames, baselineRequest);

/** Baseline generation over each protocol, in one JSON body. */
export const baselineOf = each(
  protocols,
  (protocol) => baseline[protocolModules[protocol].mainEndpoint],
);

function baselineRequest(name: EndpointName): Scenario<Baseline> {
  if (name === 'responses') return created;
  if (name === 'lookup') return lookupControl;
  if (name === 'generate-content') return whole;
  const subject = subjects[name];
  return subject === undefined ? freshRequest(name) : requestOn(name, subject);
}

function requestOn(name: EndpointName, subject: View<Stored>): Scenario<Baseline> {
  const stops = name === 'cancel';
  const first = name === 'delete' ? { lookupControl } : stops ? { beside } : {};
  return scenario(
    `baseline/${name}`,
    {
      after: { subject, ...first },
      cost: costOf(formsOf(name), { requests: stops ? 2 : 1, generations: 0 }),
    },
    async (io, { subject: { id, secret } }) => {
      const before = stops ? await io.responses.lookup(id) : null;
      const { answer, clients } = await sendInForms(io, formsOf(name), (as) =>
        io.ask(name, { id }, as),
      );
      if (isRefused(answer)) notApplicableOnceEnded(before);
      return { baseline: answer, before, input: '', secret, id, clients };
    },
  );
}

function freshRequest(name: EndpointName): Scenario<Baseline> {
  const { generates } = endpoints[name];
  const repeats = name === 'stream-generate-content' ? { whole } : {};
  return scenario(
    `baseline/${name}`,
    {
      needs: needsOf(name),
      after: { ...repeats },
      cost: (target) => ({
        ...costOf(formsOf(name), { requests: 1, generations: generates ? 1 : 0 }),
        ...('whole' in repeats ? { outputTokens: streamLimit(target) } : limitOf(name)),
      }),
    },
    async (io, { whole: repeated }) => {
      const { secret, input: plain } = repeated ?? ownInput(io);
      const input = streamedAgain.has(name) ? withLetters(plain) : plain;
      const room = fields.at(
        protocolModules.generative.request.outputLimit,
        streamLimit(io.target),
      );
      const change =
        repeated === undefined
          ? asBaseline(name)
          : (call: Call) => ({ ...call, body: { ...Object(call.body), ...room } });
      const { answer, clients } = await sendInForms(io, formsOf(name), (as) =>
        io.ask(name, { input, change }, as),
      );
      return { baseline: answer, before: null, input, secret, id: null, clients };
    },
  );
}

function formsOf(name: EndpointName): readonly ClientForm[] {
  return inForms[name] ?? [];
}

/** Returns the model that an endpoint needs. The catalog names no model, but belongs to the generative protocol. */
function needsOf(name: EndpointName) {
  const model = name === 'catalog' ? ({ speaks: 'generative' } as const) : endpoints[name].model;
  return model === null ? {} : { model };
}

/** Adds `store: true` to the Responses baseline, so that the creation and the lookup can be compared. */
export function asBaseline(name: EndpointName): (call: Call) => Call {
  if (name !== 'responses') return (call) => call;
  return (call) => ({ ...call, body: { ...Object(call.body), store: true } });
}

/** Endpoints whose baseline request is sent as a stream, too. */
const streamedAgain: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'chat-completions',
  'messages',
  'generate-content',
]);

/** Adds letters of two, three and four bytes, which the chunk boundaries of a stream may split. */
function withLetters(input: string): string {
  return input.replace(/\.$/, ', with the letters ñ, 東 and 🦊.');
}

/** Returns an input with a unique secret word. */
export function ownInput(io: Io): { readonly secret: string; readonly input: string } {
  const secret = io.word();
  return { secret, input: io.sentence(secret) };
}

/** The baseline generation of each protocol as a stream, sent once per run. */
interface BaselineStream {
  readonly streamed: Exchange;
  readonly input: string;
  readonly secret: string;
}

/** Body members that request usage in the stream, and storage so that the response can be looked up. */
export const besidesText: Readonly<Record<StreamingProtocol, Fields>> = each(
  streamingProtocols,
  (protocol) => ({ ...protocolModules[protocol].stream.askingForUsage, ...storing(protocol) }),
);

/** A stored stream has an input of its own, because the input identifies it. */
function ownTurn(io: Io): { readonly secret: string; readonly input: string } {
  const { secret, input } = ownInput(io);
  return { secret, input: withLetters(input) };
}

export const baselineStream: Readonly<Record<StreamingProtocol, Captures<BaselineStream>>> = {
  ...each(streamingProtocols, streamOf),
  generative: view({ asked: baseline['stream-generate-content'] }, ({ asked }) => ({
    ...asked,
    streamed: asked.baseline,
  })),
};

function streamOf(protocol: StreamingProtocol): Scenario<BaselineStream> {
  return scenario(
    `baseline/stream/${protocol}`,
    {
      needs: { model: { speaks: protocol, supports: [over('stream', protocol)] } },
      after: { baseline: baselineOf[protocol] },
      cost: (target) => ({
        ...costOf(['accept-any'], { requests: 1, generations: 1 }),
        outputTokens: streamLimit(target),
      }),
    },
    async (io, { baseline: whole }) => {
      const { secret, input } = protocol === 'responses' ? ownTurn(io) : whole;
      const { asking, stream } = generation[protocol];
      const body = { ...asking(input, streamLimit(io.target)), ...besidesText[protocol] };
      const { answer } = await sendInForms(io, ['accept-any'], (as) => stream(io, body, as));
      return { streamed: answer, input, secret };
    },
  );
}

/** Protocols whose request body selects streaming. */
const switched = ['responses', 'chat-completions', 'messages'] as const;
export type SwitchedProtocol = (typeof switched)[number];

/** The baseline request, and the same with `stream: false`. The repeat of a stored response is only read. */
export const unstreamed = each(switched, (protocol) =>
  scenario(
    `requests/unstreamed/${protocol}`,
    {
      after: { baseline: baseline[protocol] },
      together: protocol,
      cost: costOf(clientForms.second, { requests: 1, generations: 1 }),
    },
    async (io, { baseline: { baseline: absent, input } }) => {
      const repeat = asBaseline(protocol);
      const change = (call: Call) => withMember(repeat(call), 'stream', false);
      const { clients, answer } = await sendInForms(io, clientForms.second, (as) =>
        io.ask(protocol, { input, change }, as),
      );
      return { absent, off: answer, clients };
    },
  ),
);

/** Stored response whose input is a list of messages with long earlier ones. */
export const conversationInput = scenario(
  'generations/conversation-input',
  { after: { control: baseline.responses }, cost: { requests: 1, generations: 1 } },
  async ({ longTexts, responses, sentence }, { control }) => {
    const said = [...earlierTurns(longTexts), { by: 'user', texts: [sentence()] } as const];
    const body = protocolModules.responses.request.conversation(said);
    const created = await responses.create({ ...body, store: true });
    return { control: control.baseline, created, texts: said.flatMap(({ texts }) => texts) };
  },
);
