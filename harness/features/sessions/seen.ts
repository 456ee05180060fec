import {
  at,
  type Exchange,
  type Protocol,
  parsed,
  protocols,
  textAt,
} from '../../kernel/core/index.ts';
import { asksToGenerate } from '../../kernel/protocols/index.ts';
import type { ClientOutcome, ClientSession } from './session.ts';

export interface SentGeneration {
  readonly exchange: Exchange;
  /** Time of the request, or of the frame on a WebSocket. */
  readonly at: number;
  /** The body, or the frame, as text. JSON is written in one way, whatever escapes and spaces came. */
  readonly body: string;
}

/**
 * Returns every generation request for the prompt of a client, in order of arrival. The word of the prompt
 * identifies it, whatever the path, the protocol or the region. Requests for something else (a title, a list, a
 * count) do not count.
 */
export function generationsIn(session: ClientSession): readonly SentGeneration[] {
  const { exchanges, word, isAlone = false } = session;
  return exchanges
    .flatMap((exchange) => asked(exchange))
    .filter(({ body }) => isAlone || body.includes(word))
    .sort((one, other) => one.at - other.at);
}

function asked(exchange: Exchange): SentGeneration[] {
  const { request, socket, times, about } = exchange;
  if (socket !== null) {
    return socket.frames
      .filter(({ from }) => from === 'us')
      .map(({ at, data }) => ({ exchange, at, body: plain(data) }))
      .filter(({ body }) => isTurn(parsed(body)));
  }
  if (request.method !== 'POST' || request.body === null) return [];
  // A request to an unknown path was meant as a generation, too.
  if (about.operation !== unknownOperation && !asksToGenerate(about)) return [];
  return [{ exchange, at: times.started, body: plain(request.body) }];
}

function plain(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  return JSON.stringify(parsed(text)) ?? text;
}

/** True for a message that asks for a turn. A warm-up reads its input, and generates nothing. */
function isTurn(message: unknown): boolean {
  return textAt(message, 'type') === 'response.create' && at(message, 'generate') !== false;
}

/** Returns a word for each turn of a conversation. It stands in the prompt of the turn. */
export function turnWords(word: string): readonly string[] {
  return [1, 2, 3].map((number) => `${word}${number}`);
}

/** Operation name of a path that is no endpoint of the interface. */
export const unknownOperation = 'unknown';

/**
 * Returns the protocols in which a client sent generation requests for its prompt. A request to an unknown path
 * counts for the protocol that the client was started for.
 */
export function protocolsOf(session: ClientSession): readonly Protocol[] {
  // A gateway under test may translate protocols, and may pass on refused requests.
  if (session.front !== undefined) {
    const isServed = session.front.kind === 'served' && generationsIn(session).length > 0;
    return isServed ? [session.protocol] : [];
  }
  const spoken = generationsIn(session).map(({ exchange: { about } }) =>
    about.operation === unknownOperation ? session.protocol : about.protocol,
  );
  return protocols.filter((protocol) => spoken.includes(protocol));
}

/**
 * Returns the value of a request header, or null. The client may send its name in any case.
 *
 * @param name in lower case
 */
export function headerOf({ request }: Exchange, name: string): string | null {
  return request.headers.find(([own]) => own.toLowerCase() === name)?.[1] ?? null;
}

/** Returns the text that a client printed, and its outcome. Null: it printed no answer. */
export function saidBy({
  run,
}: ClientSession): { readonly text: string; readonly outcome: ClientOutcome } | null {
  if (run.problem !== null) return null;
  const { answer } = run;
  const outcome = answer?.outcome ?? (run.exit === 0 ? 'complete' : 'failed');
  return { text: answer === null ? run.stdout.trim() : (answer.text ?? '').trim(), outcome };
}

/** Returns the path of a request below the address that the client was given, unchanged. */
export function pathOf({ request }: Exchange): string {
  return new URL(request.url).pathname.replace(/^\/s\/[^/]+/, '');
}
