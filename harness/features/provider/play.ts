import {
  type Exchange,
  type ExchangeId,
  parsed,
  protocolTitles,
  sameId,
} from '../../kernel/core/index.ts';
import {
  accompany,
  type Io,
  type Scenario,
  StaleRecording,
  scenario,
  type TargetRun,
} from '../../kernel/engine/index.ts';
import { Inconclusive } from '../../kernel/judge/index.ts';
import { type CallOptions, protocolModules } from '../../kernel/protocols/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import type { Ask } from './ask.ts';
import { type PlayedIn, type PlayedRoute, played } from './played.ts';
import { Provider } from './provider.ts';
import type { ProviderScript } from './script.ts';
import { bodyOf, eventsOf, idOf } from './written.ts';

/** Protocols of the front and of the back, as the axis of the catalogue names them. */
export const pairs = {
  'chat-completions': ['chat-completions', 'chat-completions'],
  messages: ['messages', 'messages'],
  'chat-completions-to-messages': ['chat-completions', 'messages'],
  'messages-to-chat-completions': ['messages', 'chat-completions'],
} as const satisfies Readonly<Record<string, readonly [PlayedIn, PlayedIn]>>;

export type SidePair = keyof typeof pairs;

/** A model at the front of a gateway in one protocol, with its provider. */
interface Route extends PlayedRoute {
  readonly pair: SidePair;
  readonly front: PlayedIn;
}

const frontsPlayed = ['chat-completions', 'messages'] as const;

/** Returns the routes of a target, one for each protocol at the front. */
function routesAt({ providers, models }: Target): readonly Route[] {
  return (providers?.routes ?? []).flatMap((route) => {
    const spoken = models.find(({ id }) => id === route.model)?.protocols ?? [];
    return frontsPlayed
      .filter((front) => spoken.includes(front))
      .map((front) => {
        const pair: SidePair = front === route.asks ? front : `${front}-to-${otherThan(front)}`;
        return { ...route, front, pair };
      });
  });
}

function otherThan<P extends PlayedIn>(front: P): Exclude<PlayedIn, P> {
  const other: PlayedIn = front === 'messages' ? 'chat-completions' : 'messages';
  return other as Exclude<PlayedIn, P>;
}

/** Returns the name of a route for findings. */
export function routeInWords({ model, front, asks }: Route): string {
  return `${model}, ${protocolTitles[front]} → ${protocolTitles[asks]}`;
}

/** One request at the front, what the provider was told to do for it, and what the gateway asked it. */
export interface Join {
  readonly route: Route;
  /** Name of the case: the second value of an axis. */
  readonly name: string;
  readonly form: 'body' | 'stream';
  readonly word: string;
  readonly ask: Ask;
  readonly script: ProviderScript;
  readonly front: Exchange;
  /** Requests of the gateway to its providers for this request, in order. */
  readonly back: readonly Exchange[];
  /** Behaviour that the target file declares. */
  readonly declared: NonNullable<Target['gateway']>;
  /** True if the gateway shows its provider the key of its client, as the target file says. */
  readonly passesKeyOn: boolean;
  /** The request whose answer this one goes on from. */
  readonly before?: Join;
}

/** A request of a scenario, and the script of its provider. Made anew for each route and form. */
export interface Case {
  readonly name: string;
  readonly ask: Ask;
  readonly script: ProviderScript;
  readonly forms: readonly Join['form'][];
  /** Members of the request besides those of `ask`. */
  readonly more?: (route: Route, form: Join['form']) => Readonly<Record<string, unknown>>;
  /** Headers of the request besides the usual ones. */
  readonly headers?: CallOptions['headers'];
  readonly cut?: CallOptions['cut'];
  /** Milliseconds to wait for further requests of the gateway. Default: none. */
  readonly quietMs?: number;
  readonly before?: Join | undefined;
}

/** Facts that a scenario needs to make its cases. */
export interface Making {
  readonly route: Route;
  readonly word: string;
  /** Requests of the route in the scenario before. None while the cost is counted. */
  readonly before: readonly Join[];
}

const providers = new WeakMap<object, Provider>();

// A run plays the providers of its target as long as it sends.
accompany(async (run, means) => {
  const { target } = run;
  if (target.providers === undefined) return null;
  const provider = await Provider.start(target.providers, { ...target.keys }, means);
  providers.set(run, provider);
  return provider;
});

/** Returns the provider that plays for a run. Null in a replay. */
function providerOf(run: object): Provider | null {
  return providers.get(run) ?? null;
}

/** The route of a plain request, and whether the provider was asked for it. */
export const routed: Scenario<readonly Join[]> = playing('provider/routed', (making) => [
  { name: 'plain', ...plain(making), forms: ['body'] },
]);

/**
 * Defines a scenario that asks the front of the gateway, and plays its provider.
 *
 * @param make returns the cases of a route. Their number may depend on the protocols only
 * @param first scenario that comes before
 */
export function joinedScenario(
  name: string,
  make: (making: Making) => readonly Case[],
  first = routed,
): Scenario<readonly Join[]> {
  return playing(name, make, first);
}

function playing(
  name: string,
  make: (making: Making) => readonly Case[],
  first?: Scenario<readonly Join[]>,
): Scenario<readonly Join[]> {
  const self: Scenario<readonly Join[]> = scenario(
    name,
    {
      // Nobody pays: the generations are made here.
      cost: (target) => ({ requests: mostRequests(target, make), generations: 0, chain: 1 }),
      ...(first === undefined ? {} : { after: { first } }),
      // A plain request is one of the run; the others are provoked.
      ...(first === undefined ? {} : { aside: true }),
    },
    async (io, before) => {
      const reached: readonly Join[] = 'first' in before ? (before.first as readonly Join[]) : [];
      const routes = routesAt(io.target).filter(
        (route) => first === undefined || isRouted(reached, route),
      );
      const all = await Promise.all(
        routes.flatMap((route, index) => {
          const lane = `${route.pair}-${index}`;
          const own = reached.filter((join) => isOf(join, route));
          const making = { route, word: io.lane(lane).word(), before: own };
          return make(making).flatMap((one) =>
            one.forms.map((form) =>
              playCase(self, io.lane(`${lane}-${one.name}-${form}`), making, one, form),
            ),
          );
        }),
      );
      return all;
    },
  );
  return self;
}

function mostRequests(target: Target, make: (making: Making) => readonly Case[]): number {
  return routesAt(target).reduce((sum, route) => {
    const cases = make({ route, word: 'word', before: [] });
    return sum + cases.reduce((more, { forms }) => more + forms.length, 0);
  }, 0);
}

/** True if the provider was asked for a plain request of the route. */
function isRouted(joins: readonly Join[], route: Route): boolean {
  return joins.some((join) => isOf(join, route) && join.back.length > 0);
}

function isOf({ route }: Join, { model, front }: Route): boolean {
  return route.model === model && route.front === front;
}

async function playCase(
  own: Scenario,
  io: Io,
  { route }: Making,
  { name, ask, script, more, headers, cut, quietMs = 0, before }: Case,
  form: Join['form'],
): Promise<Join> {
  const { request } = protocolModules[route.front];
  const isStream = form === 'stream';
  const word = io.word();
  const spoken = withWord(ask, word);
  const body = {
    model: route.model,
    ...played[route.front].request(spoken),
    ...more?.(route, form),
  };
  const call = isStream ? request.streamCall(body, route.model) : request.call(body, route.model);
  const told = { ...script, say: withIds(script, word) };
  const { front, exchanges } = await io.receive(async (id, given) => {
    const run = given as TargetRun;
    const region = own.home ?? run.target.regions[0]?.name ?? '';
    const options: CallOptions = {
      region,
      provoked: true,
      ...(cut === undefined ? {} : { cut }),
      ...(headers === undefined ? {} : { headers }),
    };
    if (run.recorded !== undefined) return replayed(own, run, id, { call, options, told, word });
    const provider = providerOf(run);
    if (provider === null) {
      throw new Inconclusive('no run plays the providers of this target: `touchstone run` does');
    }
    const stage = provider.stage(id, word, told);
    const sent = await run.send(id, own, call, options);
    await provider.settled(stage, quietMs);
    return { front: sent, exchanges: [sent, ...inOrder(stage.exchanges)] };
  });
  return {
    ...{ route, name, form, word, ask: spoken, script: told, front },
    back: exchanges.filter(({ about }) => about.side === 'back'),
    declared: io.target.gateway ?? {},
    passesKeyOn: route.at.some((name) => io.target.providers?.keys[name] === 'client'),
    ...(before === undefined ? {} : { before }),
  };
}

function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  return [...exchanges].sort((one, other) => (one.id.request ?? 0) - (other.id.request ?? 0));
}

interface Replayed {
  readonly call: Parameters<TargetRun['send']>[2];
  readonly options: CallOptions;
  readonly told: ProviderScript;
  readonly word: string;
}

/** Takes both sides from a recording, and compares what the provider said with what it says today. */
async function replayed(
  own: Scenario,
  run: TargetRun,
  id: ExchangeId,
  { call, options, told, word }: Replayed,
): Promise<{ readonly front: Exchange; readonly exchanges: readonly Exchange[] }> {
  const front = await run.send(id, own, call, options);
  const back = inOrder(
    (run.recorded ?? []).filter(
      (exchange) => exchange.id.request !== null && sameId({ ...exchange.id, request: null }, id),
    ),
  );
  for (const exchange of back) {
    if (!saidAs(exchange, told, word)) {
      throw new StaleRecording(exchange.id, 'the provider said something else than it says today');
    }
  }
  return { front, exchanges: [front, ...back] };
}

/** True if a recorded answer of the provider is the one that follows from its script. */
function saidAs(
  { about, request, response, failure }: Exchange,
  script: ProviderScript,
  word: string,
) {
  const { protocol } = about;
  if (protocol !== 'chat-completions' && protocol !== 'messages') return true;
  // A refused request got the answer of the reference, and a break or a key that was quoted leaves no whole text.
  if (response === null || response.status !== 200 || failure !== null) return true;
  const asked = parsed(Buffer.from(request.body ?? []).toString());
  const model = (asked as { model?: unknown } | undefined)?.model;
  const saying = { id: idOf(word), model: typeof model === 'string' ? model : '' };
  const isStream = (asked as { stream?: unknown } | undefined)?.stream === true;
  const expected =
    isStream && script.act?.kind !== 'false-200'
      ? Buffer.concat(eventsOf(protocol, script, saying, asked).map((one) => Buffer.from(one)))
      : Buffer.from(bodyOf(protocol, script, saying).text);
  return Buffer.compare(expected, Buffer.from(response.body)) === 0;
}

/** Puts the word into the last text of the user, where a gateway passes it on whatever else it changes. */
function withWord(ask: Ask, word: string): Ask {
  const last = ask.turns.findLastIndex((turn) => turn.by === 'user');
  return {
    ...ask,
    turns: ask.turns.map((turn, index) =>
      index === last && 'text' in turn ? { ...turn, text: `${word}: ${turn.text}` } : turn,
    ),
  };
}

/** Gives each call of an answer an id that no other answer has. */
function withIds({ say }: ProviderScript, word: string): ProviderScript['say'] {
  if (say.calls === undefined) return say;
  return { ...say, calls: say.calls.map((call) => ({ ...call, id: `${call.id}_${word}` })) };
}

/** Odd counts, so that no other count is the same by chance. */
export const counts = { input: 1_297, cached: 1_009, output: 61 } as const;

/** A short question and its answer. */
export function plain({ word }: Pick<Making, 'word'>): Pick<Case, 'ask' | 'script'> {
  return {
    ask: { turns: [{ by: 'user', text: `Say one sentence about ${word}.` }], limit: 77 },
    script: { say: { text: `A sentence about ${word}.`, end: 'end', counts } },
  };
}
