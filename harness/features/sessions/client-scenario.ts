import {
  type Protocol,
  protocols,
  protocolTitles,
  streamingProtocols,
} from '../../kernel/core/index.ts';
import { type Io, type Scenario, scenario } from '../../kernel/engine/index.ts';
import { Inconclusive, NothingToJudge, requestInWords } from '../../kernel/judge/index.ts';
import { startedBy, startsBy } from './client-run.ts';
import { protocolsOf } from './seen.ts';
import type { ClientSession, ClientStart } from './session.ts';
import { whyBackNotReached } from './upstream.ts';

interface ClientIo {
  readonly served: Spoken;
  readonly protocol: Protocol;
  /** Starts the client once, and waits until it has ended or gone quiet. */
  start(start?: Omit<ClientStart, 'protocol'>): Promise<ClientSession>;
  /** Returns the starts of the client in this protocol so far. */
  started(): Promise<readonly ClientSession[]>;
}

export interface InProtocol<Captured> {
  readonly protocol: Protocol;
  readonly captured: Captured;
  /** The start that was served, of the same form: what the client does where nothing goes wrong. */
  readonly ordinary: ClientSession;
}

interface ClientScenarioOptions {
  /** Protocols that the scenario applies to. Default: all. */
  readonly protocols?: readonly Protocol[];
  /** The client has to support other tasks than `generate`. */
  readonly tasks?: true;
  /** Number of starts of the client in one protocol, or in several. Default: 1 in each. */
  readonly starts?: number | ((protocols: readonly Protocol[], tasks: boolean) => number);
  /** The client is asked for streams, in the protocols that have some. */
  readonly streams?: true;
  /** Runs after all other scenarios. */
  readonly last?: true;
}

/** A scenario that starts the client under test, in each protocol that it speaks. */
export type ClientScenario<Captured> = Scenario<readonly InProtocol<Captured>[]>;

/** Protocols that a client spoke while everything was served. */
interface Spoken {
  readonly sessions: readonly ClientSession[];
  readonly protocols: readonly Protocol[];
  readonly tasks: boolean;
  /** The start that stored a response. Null without tasks, and without Responses. */
  readonly stored: ClientSession | null;
}

/**
 * Starts the client with a text prompt in each protocol that it may speak, once more for a stream, and to store a
 * response. All other client scenarios come after this one: without a generation here, they can show nothing.
 */
export const clientServed: Scenario<Spoken> = scenario(
  'client/served',
  {
    cost: ({ client }) => {
      const { speaks = protocols, tasks = false } = client ?? {};
      const stored = tasks && speaks.includes('responses') ? 1 : 0;
      const requests = speaks.length + speaks.filter(isStreaming).length + stored;
      return { requests, generations: 0 };
    },
  },
  async (io) => {
    const { speaks: asked = [], tasks = false } = io.target.client ?? {};
    const whole = await Promise.all(
      asked.map((protocol) => startIn(io, protocol).start({ counted: true })),
    );
    const seen = whole.flatMap((session) => protocolsOf(session));
    const spoken = protocols.filter((protocol) => seen.includes(protocol));
    const streams = asked.filter((protocol) => spoken.includes(protocol) && isStreaming(protocol));
    const [stored, ...streamed] = await Promise.all([
      tasks && spoken.includes('responses')
        ? startIn(io, 'responses').start({ task: 'store' })
        : null,
      ...streams.map((protocol) => startIn(io, protocol).start({ stream: true, counted: true })),
    ]);
    return { sessions: [...whole, ...streamed], protocols: spoken, tasks, stored };
  },
);

const isStreaming = (protocol: Protocol): boolean =>
  streamingProtocols.some((one) => one === protocol);

/**
 * Defines a scenario that starts the client under test, once or several times, in each protocol that it speaks.
 *
 * @param name unique, kebab case with slashes: `client/reset`
 */
export function clientScenario<Captured>(
  name: string,
  {
    streams = undefined,
    protocols: among = streams === undefined ? protocols : streamingProtocols,
    tasks = undefined,
    starts = 1,
    last = undefined,
  }: ClientScenarioOptions,
  flow: (client: ClientIo) => Promise<Captured>,
): ClientScenario<Captured> {
  return scenario(
    name,
    {
      after: { served: clientServed },
      cost: ({ client }) => {
        const { speaks = protocols, tasks: hasTasks = true } = client ?? {};
        const asked = among.filter((protocol) => speaks.includes(protocol));
        const count = typeof starts === 'number' ? starts * asked.length : starts(speaks, hasTasks);
        return { requests: count, generations: 0 };
      },
      ...(tasks === undefined ? {} : { needs: { tasks } }),
      ...(last === undefined ? {} : { last }),
    },
    async (io, { served }) => {
      if (served.protocols.length === 0) throw new Inconclusive(whyNotReached(served.sessions));
      const spoken = served.protocols.filter((protocol) => among.includes(protocol));
      if (spoken.length === 0) {
        const titles = among.map((protocol) => protocolTitles[protocol]).join(', ');
        throw new NothingToJudge(`the client speaks none of ${titles}`);
      }
      return Promise.all(
        spoken.map(async (protocol) => ({
          protocol,
          captured: await flow({ ...startIn(io, protocol), served }),
          ordinary: ordinaryIn(served, protocol, streams ?? false),
        })),
      );
    },
  );
}

function ordinaryIn({ sessions }: Spoken, protocol: Protocol, stream: boolean): ClientSession {
  const found =
    sessions.find((one) => one.protocol === protocol && one.stream === stream) ?? sessions[0];
  if (found === undefined) throw new Error(`Nothing was served in ${protocol}`);
  return found;
}

/** Returns the reason why a client never sent a generation, in words. */
export function whyNotReached(sessions: readonly ClientSession[]): string {
  const fronts = sessions.flatMap(({ front = [] }) => front);
  if (fronts.length > 0) {
    const came = sessions.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    return whyBackNotReached(fronts, came);
  }
  const requests = sessions.flatMap(({ exchanges }) => exchanges);
  const [run] = sessions.map((session) => session.run);
  const seen =
    requests.length === 0
      ? 'the client sent no request'
      : `the client sent ${requests.length} requests, but no generation with its prompt (${[...new Set(requests.map(requestInWords))].slice(0, 3).join(', ')})`;
  if (run === undefined) return `${seen}: it was never started`;
  const exit =
    run.endedBy === 'itself'
      ? `it ended with exit code ${run.exit ?? 'none, by a signal'}`
      : 'it did not end by itself';
  const lines = (run.stderr.trim() || run.stdout.trim()).split('\n').map((line) => line.trim());
  // Programs that crash print the reason first, and then much more.
  const said = lines.find((line) => /^(\w*Error|\w+Exception)\b/.test(line)) ?? lines.at(-1) ?? '';
  return `${seen}: ${exit}${said === '' ? ', and printed nothing' : `, and its last words were: ${said.slice(0, 300)}`}`;
}

function startIn(io: Io, protocol: Protocol): Omit<ClientIo, 'served'> {
  const lane = io.lane(protocol);
  const { upstreamOf } = io.target.client ?? {};
  return {
    protocol,
    async start(start = {}) {
      const isFixed = upstreamOf !== undefined && !upstreamOf.model.includes('*');
      if (start.script?.odd === true && isFixed) {
        throw new NothingToJudge(
          'the gateway has one model for its provider: `--model` names one with a `*` where it takes any',
        );
      }
      return lane.receive((id, run) => startedBy(run, id, { ...start, protocol }));
    },
    async started() {
      const { sessions } = await io.lane(`${protocol}-starts`).receive(async (_, run) => ({
        exchanges: [],
        sessions: startsBy(run),
      }));
      return sessions.filter((session) => session.protocol === protocol);
    },
  };
}
