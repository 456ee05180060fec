import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClientSubject,
  type Exchange,
  type ExchangeId,
  exchangeId,
  formatId,
  type Protocol,
  textAt,
} from '../../kernel/core/index.ts';
import { chance } from '../../kernel/drawn/index.ts';
import { NothingToJudge } from '../../kernel/judge/index.ts';
import {
  answerOf,
  buildRequest,
  contentOf,
  type Deployment,
  errorBody,
  nativeBody,
  protocolModules,
  usualNames,
} from '../../kernel/protocols/index.ts';
import { keepIn, type Secrets } from '../../kernel/redaction/index.ts';
import { routesOf, withDefaults, withProxies } from '../../kernel/targets/index.ts';
import { type Clock, type Limiter, type Routes, send } from '../../kernel/wire/index.ts';
import {
  type ClientAnswer,
  type ClientSession,
  type ClientStart,
  clientServed,
  type FrontAnswer,
  frontAnswer,
  generationsIn,
  whyBackNotReached,
} from '../sessions/index.ts';
import { maxOutputTokens, toldOf } from './asked.ts';
import type { ScriptedGateway } from './gateway.ts';
import { providerKey } from './provider-entries.ts';
import { secretLength } from './stage.ts';

export interface FrontOptions {
  readonly upstreamOf: NonNullable<ClientSubject['upstreamOf']>;
  /** Key for the front, or null if it needs none. */
  readonly key: string | null;
  readonly gateway: ScriptedGateway;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly seed: number;
  /** Timeout of one answer of the front, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds without traffic at the upstream side after which waiting stops. */
  readonly quietMs: number;
  readonly stop: AbortSignal;
}

/** The front of a gateway whose upstream side is judged. Each start of the client is one ordinary request to it. */
export class Front {
  readonly #options: FrontOptions;
  readonly #deployment: Deployment;
  readonly #secrets: Secrets;
  /** Proxies of the environment, if the front is not on this machine. */
  readonly #routes: Routes;
  /** True if a generation arrived without the word of its prompt although everything was served. */
  #losesWords = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    const { key, upstreamOf } = options;
    const keys = { owner: key ?? '' };
    const regions = [{ name: 'front', baseUrl: upstreamOf.front }];
    const target = withProxies(
      withDefaults({ name: 'front', regions, names: usualNames, keys, models: [] }, 'front'),
      process.env,
    );
    this.#deployment = { ...target, keys: { ...target.keys } };
    this.#routes = routesOf(target);
    this.#secrets = { ...hiddenOf(key), provider: providerKey };
    keepIn(Object.values(hiddenOf(key)));
  }

  /** Sends a request to the front, and waits until it causes no more traffic at the upstream side. */
  start(id: ExchangeId, start: ClientStart): Promise<ClientSession> {
    const { limiter, upstreamOf } = this.#options;
    const { model } = upstreamOf;
    // Only the time assigns requests to a start until words are known to arrive unchanged, or if they do not.
    const alone =
      start.script?.answer?.kind === 'refused' ||
      id.scenario === clientServed.name ||
      (this.#losesWords && !model.includes('*'));
    return limiter.run(0, () => this.#ask(id, start), alone ? { width: 0 } : null);
  }

  /**
   * Sends requests to the front until one arrives at the upstream side, while a user configures the provider there.
   * Each is a new request, in one protocol after another. An answer that was served, or a refused key, ends the
   * attempts.
   *
   * @returns why none arrived, or null if one did
   */
  async whyNotReached(
    speaks: readonly Protocol[],
    { times, everyMs }: Waiting,
  ): Promise<string | null> {
    const last = new Map<Protocol, FrontAnswer>();
    for (let time = 0; time < times; time++) {
      const protocol = speaks[time % speaks.length] ?? 'chat-completions';
      const id = exchangeId({ scenario: 'client/reached', lane: protocol, number: time });
      const { front, exchanges } = await this.#ask(id, { protocol });
      if (exchanges.length > 0) return null;
      if (front !== undefined) {
        last.set(protocol, front);
        if (front.kind === 'served' || front.kind === 'key-refused') break;
      }
      if (this.#options.stop.aborted) break;
      if (time < times - 1) await later(everyMs, this.#options.stop);
    }
    return whyBackNotReached([...last.values()]);
  }

  async #ask(id: ExchangeId, start: ClientStart): Promise<ClientSession> {
    const { gateway, clock, seed, stop, timeoutMs } = this.#options;
    const word = chance(seed, formatId(id)).word();
    const stage = await gateway.stage(id, word, start);
    try {
      const { protocol, task = 'generate', stream = false, script = {} } = start;
      const { model, prompt } = toldOf(stage, start);
      const { request } = protocolModules[protocol];
      const body = request.generation(
        { model, maxOutputTokens, input: prompt },
        { dialect: 'public', body: null },
      );
      const call = stream ? request.streamCall?.(body, model) : request.call(body, model);
      if (call === undefined) throw new NothingToJudge('the protocol has no streams');
      const exchange = await send(
        buildRequest(call, this.#options.key === null ? { key: 'none' } : {}, this.#deployment, {
          id,
          clientRequestId: randomUUID(),
        }),
        { clock, timeoutMs, secrets: this.#secrets, routes: this.#routes, stop },
      );
      await this.#settled(stage);
      const front = frontAnswer(exchange, protocol);
      const answer = answerIn(exchange, protocol);
      const session: ClientSession = {
        id,
        protocol,
        task,
        stream,
        script,
        model,
        word,
        mask: '*'.repeat(secretLength),
        region: stage.regions[0]?.name ?? '',
        ...gateway.seenOf(id),
        front,
        run: {
          startedAt: exchange.times.started,
          endedAt: exchange.times.ended,
          exit: answer.outcome === 'complete' ? 0 : 1,
          endedBy: endedBy(exchange),
          stdout: answer.text ?? '',
          stderr: answer.outcome === 'complete' ? '' : `The front ${front.said}.`,
          answer,
          problem: null,
        },
      };
      return this.#whose(session);
    } finally {
      stage.isOver = true;
    }
  }

  /** If no word arrives unchanged, every request that arrived counts. */
  #whose(session: ClientSession): ClientSession {
    const alone: ClientSession = { ...session, isAlone: true };
    const isServed = session.id.scenario === clientServed.name;
    const lost = generationsIn(session).length === 0 && generationsIn(alone).length > 0;
    if (isServed && lost) this.#losesWords = true;
    return this.#losesWords && lost ? alone : session;
  }

  /** Waits for pending upstream requests: a gateway that has answered may still call its provider. */
  async #settled(line: { readonly open: number; readonly lastAt: number | null }): Promise<void> {
    const { clock, quietMs, stop } = this.#options;
    const answeredAt = clock.now();
    const quiet = (): boolean =>
      line.open === 0 && clock.now() - Math.max(line.lastAt ?? 0, answeredAt) >= quietMs;
    while (!quiet() && !stop.aborted) await later(Math.min(25, quietMs), stop);
  }
}

export interface Waiting {
  /** Maximum number of requests to the front. */
  readonly times: number;
  readonly everyMs: number;
}

/** Secrets that are masked in every request. */
export function hiddenOf(key: string | null): Secrets {
  return key === null ? {} : { front: key };
}

/** Returns the answer of the front in the form in which a client would report it. */
function answerIn(front: Exchange, protocol: Protocol): ClientAnswer & { outcome: string } {
  const { response, failure } = front;
  const status = response?.status ?? null;
  const error = errorBody(front);
  const message = error?.message ?? failure?.message ?? '';
  const text = textOf(front, protocol);
  const id = contentOf(front).id;
  const said = { ...(text === null ? {} : { text }), ...(id === null ? {} : { id }) };
  if (status === null || status < 200 || status >= 300 || error !== null) {
    return {
      ...said,
      outcome: 'failed',
      error: { ...(status === null ? {} : { status }), message },
    };
  }
  const events = answerOf(front).events;
  const { stream } = protocolModules[protocol];
  const isWhole =
    failure === null &&
    (events.length === 0
      ? answerOf(front).value !== undefined
      : events.some((event) => stream?.isEnd(event) === true));
  if (!isWhole) return { ...said, outcome: 'interrupted', error: { message } };
  const isFailed = textAt(nativeBody(front), 'status') === 'failed';
  return { ...said, outcome: isFailed ? 'failed' : 'complete' };
}

function textOf(front: Exchange, protocol: Protocol): string | null {
  if (protocol !== 'systemone') return contentOf(front).text;
  const body = answerOf(front).value;
  return body === undefined ? null : JSON.stringify(body);
}

async function later(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

function endedBy({ failure }: Exchange): ClientSession['run']['endedBy'] {
  if (failure?.kind === 'interrupted') return 'interruption';
  return failure?.kind === 'timeout' ? 'timeout' : 'itself';
}
