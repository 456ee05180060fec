import { type Exchange, type Protocol, parsed, protocols, textAt } from '../../core/index.ts';
import { asksToGenerate } from '../../protocols/index.ts';
import type { ClientOutcome, ClientSession } from './session.ts';

/** One time that a client asked for the answer to its prompt. */
export interface SentGeneration {
  readonly exchange: Exchange;
  /** When it was asked for: of a WebSocket, when the frame came. */
  readonly at: number;
  /** The body, or the frame, as text. */
  readonly body: string;
}

/**
 * Every time that a client asked for the answer to its prompt, in the order of their coming: by the word of the
 * prompt, whatever the path, the protocol or the region. What asks for something else (a title, a list, a count)
 * is none.
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
      .map(({ at, data }) => ({ exchange, at, body: Buffer.from(data).toString() }))
      .filter(({ body }) => textAt(parsed(body), 'type') === 'response.create');
  }
  if (request.method !== 'POST' || request.body === null) return [];
  // A request to a path that nobody serves was meant to be answered, too.
  if (about.operation !== unknownOperation && !asksToGenerate(about)) return [];
  return [{ exchange, at: times.started, body: Buffer.from(request.body).toString() }];
}

/** The label of what is no endpoint of the interface. */
export const unknownOperation = 'unknown';

/**
 * The protocols in which a client asked for the answer to its prompt. What went where nobody serves it was meant
 * in the protocol that it was asked for.
 */
export function protocolsOf(session: ClientSession): readonly Protocol[] {
  // A gateway may ask its provider in another protocol than it is asked in; or pass on what that refuses.
  if (session.front !== undefined) {
    const isServed = session.front.kind === 'served' && generationsIn(session).length > 0;
    return isServed ? [session.protocol] : [];
  }
  const spoken = generationsIn(session).map(({ exchange: { about } }) =>
    about.operation === unknownOperation ? session.protocol : about.protocol,
  );
  return protocols.filter((protocol) => spoken.includes(protocol));
}

/** The value of a header of the request; its name in any case. */
export function headerOf({ request }: Exchange, name: string): string | null {
  return request.headers.find(([own]) => own.toLowerCase() === name)?.[1] ?? null;
}

/** The text that a client printed, and whether it takes it for whole; null: it printed no answer. */
export function saidBy({
  run,
}: ClientSession): { readonly text: string; readonly outcome: ClientOutcome } | null {
  if (run.problem !== null) return null;
  const { answer } = run;
  const outcome = answer?.outcome ?? (run.exit === 0 ? 'complete' : 'failed');
  return { text: answer === null ? run.stdout.trim() : (answer.text ?? '').trim(), outcome };
}

/** The path of a request below the address that the client was given, as it came. */
export function pathOf({ request }: Exchange): string {
  return new URL(request.url).pathname.replace(/^\/s\/[^/]+/, '');
}
