import { type Exchange, type HeaderLines, isObject, parsed } from '../core/index.ts';
import { allShapes } from '../redaction/index.ts';

/**
 * Returns the beginning and the place of each text in an answer that has the shape of a key. Masked ones count, so
 * that a recording gives the same result. Generated text, and keys of the request itself, do not count.
 */
export function keysShown({ request, response, socket }: Exchange): readonly string[] {
  const body = bytes(response?.body);
  const isRefused = response !== null && response.status >= 400;
  const places: readonly (readonly [place: string, text: string])[] = [
    ['a header', lines(response?.headers ?? [])],
    ...(isRefused ? [['the body', body] as const] : errorsIn(body).map(inError)),
    ...theirs(socket).flatMap(errorsIn).map(inError),
    ['the reason of the close', socket?.close?.by === 'gateway' ? socket.close.reason : ''],
  ];
  const shown = places.flatMap(([place, text]) => shapesIn(text).map((one) => ({ ...one, place })));
  if (shown.length === 0) return [];
  const asked = new Set(
    [request.url, lines(request.headers), ...own(socket), bytes(request.body)]
      .flatMap(shapesIn)
      .map(({ sort }) => sort),
  );
  const foreign = shown.filter(({ sort }) => !asked.has(sort));
  return [
    ...new Set(
      foreign.map(({ begins, place }) => `a key that begins with \`${begins}\`, in ${place}`),
    ),
  ];
}

const inError = (text: string): readonly [string, string] => ['an error', text];

interface Shown {
  readonly begins: string;
  /** Name of the shape, and length. */
  readonly sort: string;
}

function shapesIn(text: string): readonly Shown[] {
  if (text === '') return [];
  return allShapes
    .hits(Buffer.from(text))
    .map(({ name, from, to }) => ({ begins: name, sort: `${name.toLowerCase()} ${to - from}` }));
}

function lines(headers: HeaderLines): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n\n\0');
}

function own(socket: Exchange['socket']): readonly string[] {
  return framesOf(socket, 'us');
}

function theirs(socket: Exchange['socket']): readonly string[] {
  return framesOf(socket, 'gateway');
}

function framesOf(socket: Exchange['socket'], side: 'us' | 'gateway'): readonly string[] {
  return (socket?.frames ?? []).flatMap(({ from, data }) => (from === side ? [bytes(data)] : []));
}

function bytes(body: Uint8Array | null | undefined): string {
  return body == null ? '' : Buffer.from(body).toString();
}

/** Returns the errors within a served answer: in one body, in the events of a stream, in a frame. */
function errorsIn(text: string): readonly string[] {
  if (!text.includes('"error"')) return [];
  return [text, ...text.split(/\r?\n/).map((line) => line.replace(/^data: ?/, ''))].flatMap(
    (one) => (one.includes('"error"') ? errorMembers(parsed(one)) : []),
  );
}

function errorMembers(value: unknown, depth = 0): readonly string[] {
  if (depth > 5) return [];
  if (Array.isArray(value)) return value.flatMap((one) => errorMembers(one, depth + 1));
  if (!isObject(value)) return [];
  if (value.type === 'error') return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'error' && one !== null ? [JSON.stringify(one)] : errorMembers(one, depth + 1),
  );
}
