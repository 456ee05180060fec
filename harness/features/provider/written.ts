import type { Say, Saying } from './ask.ts';
import { type PlayedIn, played } from './played.ts';
import type { FalseAnswer, PlayedFraming, ProviderScript } from './script.ts';

// Bytes of a provider. They follow from the script and the request, so that a recording can be compared with them.

/** Returns the id of an answer. It holds the word of its scenario. */
export function idOf(word: string): string {
  return `gen-${word}`;
}

/** Returns the headers of an answer, without those of its form. */
export function headersOf(
  protocol: PlayedIn,
  { headers }: ProviderScript,
  number: number,
): Readonly<Record<string, string>> {
  const id = protocol === 'messages' ? 'request-id' : 'x-request-id';
  return { [id]: `req_${number}`, ...headers };
}

const page = '<html><head><title>502</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const falseBodies: Readonly<Record<Exclude<FalseAnswer, 'error-body' | 'half-json'>, string>> = {
  empty: '',
  page,
  'other-json': '{"got":"there"}',
};

/** Returns a body and its content type. */
export function bodyOf(
  protocol: PlayedIn,
  { say, act }: ProviderScript,
  saying: Saying,
): { readonly text: string; readonly type: string } {
  const type = 'application/json';
  const { body, error } = played[protocol];
  if (act?.kind !== 'false-200') return { text: body(say, saying), type };
  if (act.body === 'error-body') return { text: error(500, 'The model failed.'), type };
  if (act.body === 'half-json') {
    const whole = body(say, saying);
    return { text: whole.slice(0, Math.floor(whole.length / 2)), type };
  }
  return { text: falseBodies[act.body], type: act.body === 'page' ? 'text/html' : type };
}

/** Letters in one event: more than a text has. */
const bigEvent = 1_000_000;

/** Pieces of a slow stream: more than a gateway waits for after its client left. */
const slowPieces = 45;

/** Returns the writes of a stream, in order. */
export function eventsOf(
  protocol: PlayedIn,
  { say, act }: ProviderScript,
  saying: Saying,
  asked: unknown,
): readonly (string | Uint8Array)[] {
  const { events, errorEvent } = played[protocol];
  const size = act?.kind === 'framed' && act.framing === 'big-event' ? bigEvent : undefined;
  const all = events(act?.kind === 'slow' ? endless(say) : say, saying, asked, size);
  if (act?.kind === 'error-event') {
    return [
      ...all.slice(0, act.after),
      errorEvent('The model failed in the middle of its answer.'),
    ];
  }
  if (act?.kind === 'breaks') {
    const whole = all.slice(0, act.after);
    const next = all[act.after] ?? '';
    return act.how === 'half-event' ? [...whole, next.slice(0, next.length - 9)] : whole;
  }
  if (act?.kind === 'framed') return framed(all, act.framing, played[protocol].unknownEvent);
  return all;
}

function endless(say: Say): Say {
  return { ...say, text: `${say.text} `.repeat(slowPieces) };
}

function framed(
  events: readonly string[],
  framing: PlayedFraming,
  unknownEvent: string,
): readonly (string | Uint8Array)[] {
  const whole = events.join('');
  switch (framing) {
    case 'bytes':
      return cutInBytes(whole);
    case 'crlf':
      return [whole.replaceAll('\n', '\r\n')];
    case 'no-space':
      return [whole.replaceAll(/^(data|event): /gm, '$1:')];
    case 'comments':
      return events.flatMap((event) => [': keepalive\n\n', event]);
    case 'unknown-event':
      return events.flatMap((event, index) => (index === 1 ? [unknownEvent, event] : [event]));
    case 'one-write':
    case 'big-event':
      return [whole];
  }
}

/** Cuts a stream so that no letter of several bytes comes whole. */
function cutInBytes(text: string): readonly Uint8Array[] {
  const bytes = Buffer.from(text);
  const size = 5;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}
