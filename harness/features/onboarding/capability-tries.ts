import {
  type Ask as Asked,
  asks,
  type Capability,
  declaredAs,
  type Exchange,
  each,
  over,
  type Protocol,
  parsed,
  protocols,
  protocolsOfAsk,
  type StreamingProtocol,
  streamingProtocols,
  textAt,
} from '../../kernel/core/index.ts';
import { shownBy } from '../../kernel/judge/index.ts';
import {
  type Ask,
  type AskOverSocket,
  answerOf,
  isServed,
  jsonOf,
  publicApi,
} from '../../kernel/probing/index.ts';
import {
  askedValues,
  calledFunction,
  compactCall,
  connectCall,
  contentOf,
  createCall,
  type Fields,
  isRunning,
  merged,
  protocolModules,
  responsesCount,
  responsesFrame,
  responsesGeneration,
  tokenCounts,
} from '../../kernel/protocols/index.ts';
import { counts, type Discovered, isRefused } from './discovery.ts';
import { refusesKey, wantsVersion } from './headers.ts';

/** Functions that request generations. */
interface Asking {
  readonly ask: Ask;
  readonly askOverSocket: AskOverSocket;
}

/** Upper bound of the cost of trying. */
interface TryCost {
  readonly generations: number;
  /** Compaction and System One take no limit, and are not counted. */
  readonly outputTokens: number;
}

const concurrency = 4;

/** Output limit of generations that only show support: the native minimum. */
const fewTokens = 16;

/** Findings about a model so far. */
interface Sketch {
  readonly id: string;
  readonly speaks: Map<Protocol, boolean | null>;
  readonly says: Map<Capability, boolean>;
  readonly ignores: Set<Capability>;
  readonly untried: Set<Capability>;
  readonly notes: string[];
  /** A served generation for each protocol. */
  readonly served: Map<Protocol, Exchange>;
  thinks: boolean;
}

/** A request with its maximum cost. Refused requests cost nothing. */
interface Job extends TryCost {
  readonly model: Sketch;
  /** Capabilities that it would show. */
  readonly about: readonly Capability[];
  /** Returns the number of generations that were requested and not refused. */
  run(asking: Asking): Promise<number>;
}

/** Returns the jobs of one step, for a model that is served over these protocols. */
type Step = (model: Sketch, isServedOver: (protocol: Protocol) => boolean) => readonly Job[];

/** The most informative steps come first, in case the budget is too small for all. */
const steps: readonly Step[] = [wholes, freeCounts, streams, ofResponses, calls, asked];

/**
 * Steps that determine which checks apply. They leave out the options of a request other than text, because a run
 * tries these itself.
 */
export const presenceSteps: readonly Step[] = [wholes, freeCounts, streams, ofResponses, calls];

/**
 * Upper bound of the cost of trying everything unknown about these models.
 *
 * @param of the steps to count
 */
export function costOfTrying(models: readonly Discovered[], of: readonly Step[] = steps): TryCost {
  const jobs = models
    .map(sketchOf)
    .flatMap((model) =>
      of.flatMap((step) => step(model, (protocol) => model.speaks.get(protocol) !== false)),
    );
  const sum = (what: keyof TryCost): number => jobs.reduce((total, job) => total + job[what], 0);
  return { generations: sum('generations'), outputTokens: sum('outputTokens') };
}

/**
 * Tries every capability of every model that free requests have not shown, with short generations. Refused requests
 * cost nothing, and later ones can use their budget.
 *
 * @param most maximum number of generations
 * @param onStep called with the number of requested generations
 * @param of steps to try
 */
export async function tryCapabilities(
  models: readonly Discovered[],
  most: number,
  asking: Asking,
  onStep: (asked: number) => void,
  of: readonly Step[] = steps,
): Promise<{ readonly models: readonly Discovered[]; readonly generations: number }> {
  const sketches = models.map(sketchOf);
  let left = most;
  for (const step of of) {
    const taken: Job[] = [];
    for (const job of sketches.flatMap((model) => step(model, (one) => model.served.has(one)))) {
      if (job.generations > left) {
        for (const capability of job.about) job.model.untried.add(capability);
        continue;
      }
      left -= job.generations;
      taken.push(job);
    }
    const waiting = [...taken];
    const work = async (): Promise<void> => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        left += job.generations - (await job.run(asking));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    onStep(most - left);
  }
  return {
    models: models.map((model, index) => foundOf(model, sketches[index] ?? sketchOf(model))),
    generations: most - left,
  };
}

function sketchOf({ id, speaks, supports, lacks }: Discovered): Sketch {
  return {
    id,
    speaks: new Map(protocols.map((protocol) => [protocol, speaks[protocol]])),
    says: new Map([
      ...supports.map((one) => [one, true] as const),
      ...lacks.map((one) => [one, false] as const),
    ]),
    ignores: new Set(),
    untried: new Set(),
    notes: [],
    served: new Map(),
    thinks: false,
  };
}

function foundOf(before: Discovered, sketch: Sketch): Discovered {
  const { speaks, says, ignores, untried, notes, thinks } = sketch;
  const named = (wanted: boolean): Capability[] =>
    [...says].filter(([, has]) => has === wanted).map(([capability]) => capability);
  return {
    ...before,
    speaks: each(protocols, (protocol) => speaks.get(protocol) ?? null),
    supports: named(true),
    lacks: named(false),
    ignores: [...ignores],
    untried: [...untried],
    notes,
    thinks,
  };
}

/** Jobs that generate once over each protocol. */
function wholes(model: Sketch): Job[] {
  return protocols
    .filter((protocol) => model.speaks.get(protocol) !== false)
    .map((protocol) => ({
      model,
      about: [],
      generations: 1,
      outputTokens: protocolModules[protocol].request.outputLimit === null ? 0 : fewTokens,
      async run({ ask }) {
        const { request } = protocolModules[protocol];
        const answer = await ask(request.call(generation(protocol, model), model.id));
        if (isServed(answer)) {
          model.speaks.set(protocol, true);
          model.served.set(protocol, answer);
          model.thinks ||= hasThought(answer);
        } else if (wantsVersion(answer) || refusesKey(answer)) {
          // Another header name may change that.
          model.speaks.set(protocol, null);
          model.notes.push(`${declaredAs[protocol]} ${answerOf(answer)}`);
        } else if (isRefused(answer)) model.speaks.set(protocol, false);
        return asGenerations(answer);
      },
    }));
}

/** Repeats counts that were refused while support of the protocol was unknown: now a refusal is conclusive. */
function freeCounts(model: Sketch, isServedOver: (protocol: Protocol) => boolean): Job[] {
  const defaults = { model: model.id, input: 'Hello', maxOutputTokens: fewTokens };
  return counts(defaults)
    .filter(({ protocol }) => isServedOver(protocol))
    .flatMap(({ capability, call }) =>
      job(model, capability, 0, ({ ask }) => ask(call), isServed).map((one) => ({
        ...one,
        generations: 0,
        run: async (asking: Asking) => {
          await one.run(asking);
          return 0;
        },
      })),
    );
}

function streams(model: Sketch, isServedOver: (protocol: Protocol) => boolean): Job[] {
  return streamingProtocols.filter(isServedOver).flatMap((protocol) =>
    job(
      model,
      over('stream', protocol),
      fewTokens,
      ({ ask }) => {
        const { request } = protocolModules[protocol];
        return ask(request.streamCall(generation(protocol, model), model.id));
      },
      isEvents,
    ),
  );
}

/** Jobs for features that only Responses has. */
function ofResponses(model: Sketch, isServedOver: (protocol: Protocol) => boolean): Job[] {
  if (!isServedOver('responses')) return [];
  const defaults = { model: model.id, input: 'Say hello.', maxOutputTokens: fewTokens };
  const stored = { ...responsesGeneration(defaults), background: true, store: true };
  return [
    ...job(
      model,
      'background',
      fewTokens,
      ({ ask }) => ask(createCall(stored)),
      (answer) => isServed(answer) && isRunning(textAt(jsonOf(answer), 'status')),
    ),
    ...job(model, 'compact', 0, ({ ask }) => ask(compactCall(responsesCount(defaults))), isServed),
    ...job(
      model,
      'websocket',
      fewTokens,
      ({ askOverSocket }) => askOverSocket(connectCall(), responsesFrame(defaults)),
      hasMadeResponse,
    ),
  ];
}

/** Returns a job that is served or refused as a whole. Empty if the result is known. */
function job(
  model: Sketch,
  capability: Capability,
  outputTokens: number,
  send: (asking: Asking) => Promise<Exchange>,
  isDone: (answer: Exchange) => boolean,
): Job[] {
  if (model.says.has(capability)) return [];
  return [
    {
      ...{ model, about: [capability], generations: 1, outputTokens },
      async run(asking) {
        const answer = await send(asking);
        note(model, capability, answer, isDone(answer));
        return asGenerations(answer);
      },
    },
  ];
}

/** Jobs for function calls over the first protocol that has them: forced, and offered if a forced one is declined. */
function calls(model: Sketch, isServedOver: (protocol: Protocol) => boolean): Job[] {
  const protocol = streamingProtocols.find(isServedOver);
  if (protocol === undefined || model.says.has('tools')) return [];
  return [
    {
      ...{ model, about: ['tools'], generations: 2, outputTokens: 2 * calledFunction.limit },
      async run({ ask }) {
        const { request, tools } = protocolModules[protocol];
        let generations = 0;
        for (const members of [tools.forcedCall(), tools.offered()]) {
          const body = merged(generation(protocol, model), members);
          const answer = await ask(request.call(body, model.id));
          generations += asGenerations(answer);
          const isCalled = contentOf(answer).toolCalls.length > 0;
          note(model, 'tools', answer, isCalled);
          if (isCalled) break;
        }
        return generations;
      },
    },
  ];
}

/** Jobs for options of a request other than text. A stop sequence and an image are requested alone. */
function asked(model: Sketch, isServedOver: (protocol: Protocol) => boolean): Job[] {
  return streamingProtocols.filter(isServedOver).flatMap((protocol) => {
    const open = asks.filter(
      (ask) =>
        protocolsOfAsk[ask].some((one) => one === protocol) && !model.says.has(over(ask, protocol)),
    );
    const alone = open.filter((ask) => ask === 'stop' || ask === 'images');
    const together = open.filter((ask) => ask !== 'stop' && ask !== 'images');
    return [
      ...alone.map((ask) => askingJob(model, protocol, [ask])),
      ...(together.length === 0 ? [] : [askingJob(model, protocol, together)]),
    ];
  });
}

/** Requests all options together. If that is refused, requests each on its own. */
function askingJob(model: Sketch, protocol: StreamingProtocol, wanted: readonly Asked[]): Job {
  const several = wanted.includes('candidates') ? askedValues.candidates : 1;
  return {
    model,
    about: wanted.map((ask) => over(ask, protocol)),
    generations: wanted.length,
    outputTokens: askedValues.limit * (wanted.length + several - 1),
    async run({ ask }) {
      const send = (some: readonly Asked[]) =>
        ask(protocolModules[protocol].request.call(bodyAsking(protocol, model, some), model.id));
      const without = model.served.get(protocol) ?? null;
      const together = await send(wanted);
      if (!isRefused(together) || wanted.length === 1) {
        for (const one of wanted) noteAsked(model, protocol, one, together, without);
        return asGenerations(together);
      }
      let generations = 0;
      for (const one of wanted) {
        const answer = await send([one]);
        noteAsked(model, protocol, one, answer, without);
        generations += asGenerations(answer);
      }
      return generations;
    },
  };
}

function bodyAsking(protocol: StreamingProtocol, { id }: Sketch, some: readonly Asked[]): Fields {
  const { request, asking } = protocolModules[protocol];
  const text = askedValues.prompt(some);
  return merged(
    request.generation({ model: id, input: text, maxOutputTokens: askedValues.limit }, publicApi),
    ...some.map((ask) => asking.fields[ask]?.(text) ?? {}),
  );
}

function noteAsked(
  model: Sketch,
  protocol: StreamingProtocol,
  ask: Asked,
  answer: Exchange,
  without: Exchange | null,
): void {
  const capability = over(ask, protocol);
  const shown = isServed(answer) ? shownBy(answer, ask, protocol, without).state : 'not done';
  if (shown !== 'open') note(model, capability, answer, shown === 'done');
}

/** Records if an option was applied, refused, or ignored. Any other answer is inconclusive. */
function note(model: Sketch, capability: Capability, answer: Exchange, isDone: boolean): void {
  model.ignores.delete(capability);
  if (isDone) model.says.set(capability, true);
  else if (isRefused(answer) || isRefusedTurn(answer)) model.says.set(capability, false);
  else if (isServed(answer)) model.ignores.add(capability);
}

/** Body of a short generation. Its text is the same as in the tries of further options. */
function generation(protocol: Protocol, { id }: Sketch): Fields {
  const defaults = { model: id, input: askedValues.prompt([]), maxOutputTokens: fewTokens };
  return protocolModules[protocol].request.generation(defaults, publicApi);
}

/** Counts any request that was not refused, because it may have been charged. */
function asGenerations(answer: Exchange): number {
  return isRefused(answer) || isRefusedTurn(answer) ? 0 : 1;
}

function hasMadeResponse({ socket }: Exchange): boolean {
  return typesIn(socket).includes('response.created');
}

/** True if the connection was opened, and the first turn ended with an error. */
function isRefusedTurn({ socket }: Exchange): boolean {
  const types = typesIn(socket);
  return types.includes('error') && !types.includes('response.created');
}

function typesIn(socket: Exchange['socket']): (string | null)[] {
  const theirs = socket?.frames.filter(({ from }) => from === 'gateway') ?? [];
  return theirs.map(({ data }) => textAt(parsed(new TextDecoder().decode(data)), 'type'));
}

function isEvents({ response }: Exchange): boolean {
  const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return response?.status === 200 && /text\/event-stream/i.test(type ?? '');
}

function hasThought(answer: Exchange): boolean {
  const hasNoText = contentOf(answer).text === '' && (tokenCounts.output(answer) ?? 0) > 0;
  const text = new TextDecoder().decode(answer.response?.body);
  return hasNoText || /"reasoning_tokens":\s*[1-9]/.test(text) || tokenCounts.thoughts(answer) > 0;
}
