import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Exchange, type ExchangeId, exchangeId, parsed } from '../../kernel/core/index.ts';
import type { accompany } from '../../kernel/engine/index.ts';
import { usualNames } from '../../kernel/protocols/index.ts';
import { notAKey, type Secrets } from '../../kernel/redaction/index.ts';
import { received } from '../../kernel/wire/index.ts';
import {
  type Call,
  type Context,
  type Defect,
  type ReferenceGateway,
  startReference,
} from '../../reference/index.ts';
import { type PlayedIn, type PlayedProviders, played } from './played.ts';
import type { ProviderScript } from './script.ts';
import { bodyOf, eventsOf, headersOf, idOf } from './written.ts';

/** Means to record what comes in. */
type RecordingMeans = Parameters<Parameters<typeof accompany>[0]>[1];

/** One request at the front of the gateway, and what the provider does for it. */
interface PlayedStage {
  /** Id of the request at the front. */
  readonly id: ExchangeId;
  /** Word that stands in this request and in no other. */
  readonly word: string;
  readonly script: ProviderScript;
  /** Requests of the gateway for it, in the order of their ends. */
  readonly exchanges: Exchange[];
  requests: number;
  open: number;
  lastAt: number;
}

/** Requests of one stage that are answered. Others lose their connection. */
const mostRequests = 50;
const lookMs = 10;
const mostOpenMs = 20_000;

/** The providers of a gateway: they listen, and answer as the scripts say. What no script is for, the reference answers. */
export class Provider {
  /** Requests that belong to no scenario. */
  readonly strays: Exchange[] = [];
  readonly #stages: PlayedStage[] = [];
  readonly #means: RecordingMeans;
  readonly #calls = new WeakMap<object, PlayedStage>();
  readonly #listeners = new Map<string, ReferenceGateway>();
  /** Secrets by host, because masking is cached by the object. */
  readonly #secrets = new Map<string, Secrets>();
  #strayRequests = 0;

  private constructor(means: RecordingMeans) {
    this.#means = means;
  }

  /** Listens at every address. @param clientKeys keys of the clients of the gateway, by their names */
  static async start(
    { listen, keys }: PlayedProviders,
    clientKeys: Readonly<Record<string, string>>,
    means: RecordingMeans,
  ): Promise<Provider> {
    const provider = new Provider(means);
    try {
      for (const { name, at } of listen) {
        const key = keys[name] ?? '';
        provider.#listeners.set(name, await provider.#listener(name, at, key, clientKeys));
      }
    } catch (error) {
      await provider.close();
      throw error;
    }
    return provider;
  }

  /** Base addresses of the listeners, by name. */
  get addresses(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#listeners].map(([name, { regions }]) => [name, regions[0]?.baseUrl ?? '']),
    );
  }

  stage(id: ExchangeId, word: string, script: ProviderScript): PlayedStage {
    const stage: PlayedStage = {
      ...{ id, word, script, exchanges: [], requests: 0, open: 0 },
      lastAt: this.#means.clock.now(),
    };
    this.#stages.push(stage);
    return stage;
  }

  /** Waits until a stage has been quiet for a while. A connection that stays open is not waited for without end. */
  async settled(stage: PlayedStage, quietMs: number): Promise<void> {
    const { clock } = this.#means;
    const since = clock.now();
    while (clock.now() - since < mostOpenMs) {
      const quietSince = Math.max(stage.lastAt, since);
      if (stage.open === 0 && clock.now() - quietSince >= quietMs) return;
      await delay(lookMs);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map((one) => one.close()));
  }

  #listener(
    name: string,
    at: string,
    key: string,
    clientKeys: Readonly<Record<string, string>>,
  ): Promise<ReferenceGateway> {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(at) ?? [];
    return startReference({
      regions: [name],
      host: host.replace(/^\[|\]$/g, ''),
      ports: [Number(port)],
      names: usualNames,
      // Any prefix of a publisher or of an owner before the version.
      prefixes: /^(?:\/(?!v1(?:beta)?\/)[^/?]+)*/,
      withoutProbes: true,
      attend: {
        request: (request, out) => this.#attend(request, out, name, { key, clientKeys }),
        upgrade() {},
      },
      defect: this.#playing(key),
    });
  }

  async #attend(
    request: IncomingMessage,
    out: ServerResponse,
    listener: string,
    { key, clientKeys }: { readonly key: string; readonly clientKeys: Secrets },
  ): Promise<void> {
    const { clock } = this.#means;
    const shown = keyIn(request);
    let stage: PlayedStage | null = null;
    let number = 0;
    const origin = `http://${request.headers.host ?? listener}`;
    const protocol = protocolOf(request.url ?? '');
    const about = {
      operation: protocol === null ? 'provider.other' : `${protocol}.provider`,
      protocol: protocol ?? 'models',
      region: listener,
      key: nameOf(shown, key, listener, clientKeys),
      ...besideIn(request, clientKeys),
      side: 'back',
    } as const;
    const secrets = this.#secretsBeside(request.headers.host ?? listener);
    const receiving = received(request, out, {
      // The stage is known once the whole request has arrived.
      get id() {
        return stage === null
          ? exchangeId({ scenario: 'provider/stray', request: number })
          : { ...stage.id, request: number };
      },
      about,
      secrets: isKnown(shown, secrets) ? secrets : { ...secrets, foreign: shown },
      origin,
      clock,
    });
    receiving.ended.then((exchange) => {
      if (stage === null) this.strays.push(exchange);
      else {
        stage.exchanges.push(exchange);
        stage.open--;
        stage.lastAt = clock.now();
      }
      this.#means.record(exchange);
    });
    await receiving.wholeRequest;
    stage = this.#stageOf(request.url ?? '', receiving.body);
    if (stage === null) {
      number = this.#strayRequests++;
      return;
    }
    if (stage.requests === mostRequests) {
      request.destroy();
      return;
    }
    number = stage.requests++;
    stage.open++;
    this.#calls.set(request.headers, stage);
  }

  /** Secrets of the run but for the address of this listener, which a header of the target file may name. */
  #secretsBeside(host: string): Secrets {
    const all = Object.entries(this.#means.secrets);
    const kept = all.filter(
      ([name, secret]) => !name.startsWith(notAKey) || !secret.includes(host),
    );
    if (kept.length === all.length) return this.#means.secrets;
    const known = this.#secrets.get(host) ?? Object.fromEntries(kept);
    this.#secrets.set(host, known);
    return known;
  }

  /** Finds the stage whose word stands in a request, whatever the way its texts are written in JSON. */
  #stageOf(url: string, body: Uint8Array): PlayedStage | null {
    const text = Buffer.from(body).toString();
    const said = `${url}\n${JSON.stringify(parsed(text)) ?? text}`;
    // A later request may hold ids of an earlier answer, which have its word.
    return this.#stages.findLast(({ word }) => said.includes(word)) ?? null;
  }

  /** Overrides of the reference that answer as the scripts say, once the request has been accepted. */
  #playing(key: string): Defect {
    const stageOf = ({ headers }: Call): PlayedStage | null => this.#calls.get(headers) ?? null;
    const isPlayed = ({ call, refusal }: Context): boolean =>
      refusal === null && stageOf(call) !== null && playedIn(call) !== null;
    const play = (out: ServerResponse, { call }: Context): Promise<void> => {
      const stage = stageOf(call);
      const protocol = playedIn(call);
      if (stage === null || protocol === null) throw new Error('Nothing is to be played here');
      return answer(out, call, protocol, stage);
    };
    return {
      id: 'provider',
      what: 'It answers as the scripts of the scenarios say.',
      override: ({ policy, transport }) => ({
        policy: {
          keyFor: (secret) =>
            secret !== undefined && (key === 'client' || secret === key)
              ? { role: 'owner', secret: 'shown', user: 'gateway' }
              : undefined,
          mayUseModel: () => true,
          findModel(id, call) {
            const [first] = call.gateway.models;
            return first === undefined ? policy.findModel(id, call) : { ...first, id };
          },
        },
        transport: {
          send: (out, head, body, context) =>
            isPlayed(context) ? play(out, context) : transport.send(out, head, body, context),
          stream: (out, head, events, context) =>
            isPlayed(context) ? play(out, context) : transport.stream(out, head, events, context),
        },
      }),
    };
  }
}

function playedIn({ dialect, operation }: Call): PlayedIn | null {
  const protocol = operation.endsWith('.create') ? dialect.name : null;
  return protocol === 'chat-completions' || protocol === 'messages' ? protocol : null;
}

/** Writes what the script says, byte for byte. */
async function answer(
  out: ServerResponse,
  { body, headers: shown }: Call,
  protocol: PlayedIn,
  { id, word, script }: PlayedStage,
): Promise<void> {
  const { act } = script;
  const saying = { id: idOf(word), model: typeof body.model === 'string' ? body.model : '' };
  const headers = headersOf(protocol, script, id.number);
  if (act?.kind === 'refuses') {
    const { status, retryAfter, quotesKey } = act;
    const key = String(shown['x-api-key'] ?? shown.authorization ?? '').replace(/^\S+ /, '');
    const message = `No, on purpose: ${word}${quotesKey === true ? ` (key ${key})` : ''}`;
    const text = played[protocol].error(status, message);
    const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    sendWhole(out, status, { ...headers, ...wait, 'content-type': 'application/json' }, text);
    return;
  }
  if (act?.kind === 'false-200' || body.stream !== true) {
    const { text, type } = bodyOf(protocol, script, saying);
    const head = { ...headers, 'content-type': type };
    if (act?.kind === 'breaks') {
      const bytes = Buffer.from(text);
      out.writeHead(200, { ...head, 'content-length': String(bytes.length) });
      await written(out, bytes.subarray(0, Math.floor(bytes.length / 2)));
      out.socket?.destroy();
      return;
    }
    sendWhole(out, 200, head, text);
    return;
  }
  out.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
  for (const piece of eventsOf(protocol, script, saying, body)) {
    if (out.destroyed) return;
    await written(out, piece);
    if (act?.kind === 'slow') await delay(act.everyMs);
  }
  if (act?.kind === 'breaks' && act.how !== 'clean-end') out.socket?.destroy();
  else out.end();
}

function sendWhole(
  out: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  out
    .writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(text)) })
    .end(text);
}

/** Resolves when a piece is sent, or the connection is closed. */
function written(out: ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (out.destroyed) resolve();
    else out.write(piece, () => resolve());
  });
}

/** Returns the key that a request shows in the place of either protocol. Empty if it shows none. */
function keyIn({ headers }: IncomingMessage): string {
  const own = headers['x-api-key'];
  return typeof own === 'string' ? own : (headers.authorization ?? '').replace(/^Bearer +/i, '');
}

function isKnown(key: string, secrets: Secrets): boolean {
  return key === '' || Object.values(secrets).includes(key);
}

/** Returns the name of the key that the gateway showed. */
function nameOf(shown: string, key: string, listener: string, clientKeys: Secrets): string {
  if (shown === '') return 'none';
  if (key === 'client' || shown === key) return `provider-${listener}`;
  return Object.entries(clientKeys).find(([, own]) => own === shown)?.[0] ?? 'unknown';
}

/** Returns the name of another header that shows a key of a client, if one does. */
function besideIn({ headers }: IncomingMessage, clientKeys: Secrets): { beside?: string } {
  const keys = Object.values(clientKeys).filter((key) => key.length > 0);
  const found = Object.entries(headers).find(
    ([name, value]) =>
      !['authorization', 'x-api-key'].includes(name) &&
      keys.some((key) => [value].flat().join(' ').includes(key)),
  );
  return found === undefined ? {} : { beside: found[0] };
}

function protocolOf(url: string): PlayedIn | null {
  if (/\/v1\/chat\/completions(?:\?|$)/.test(url)) return 'chat-completions';
  return /\/v1\/messages(?:\?|$)/.test(url) ? 'messages' : null;
}
