import type { Exchange, HeaderLines, SocketFrame } from '../../kernel/core/index.ts';

/** Draws a whole number from 0 to below a bound. */
export type Draw = (below: number) => number;

/** Replacements for a JSON value. All of them stay within our bounds. */
const values: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1e400',
  '-1e400',
  '0.1',
  '9'.repeat(400),
  'NaN',
  '""',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"constructor"',
  '"../../x"',
  '"https://[::1"',
  '"%E0%A4%A"',
  `"${'i'.repeat(100_000)}"`,
  '[]',
  '[null]',
  '[[]]',
  '[1,"a",{}]',
  '{}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}},"toString":null,"hasOwnProperty":1,"length":-1}',
  '{"id":null,"type":null,"output":{},"content":null,"choices":[null],"usage":[]}',
  `${'['.repeat(400)}${']'.repeat(400)}`,
  `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
];

const members: readonly string[] = [
  '"__proto__":null,',
  '"constructor":1,',
  '"id":7,',
  '"type":[],',
  '"object":{},',
  '"usage":null,',
  '"output":"x",',
  '"error":[],',
  '"error":{"message":null,"type":1},',
  '"status":[],',
  '"data":{},',
  '"choices":{},',
  '"content":1,',
  '"candidates":[[]],',
];

const headerValues: readonly string[] = [
  '',
  ' ',
  ',',
  ';;;charset=',
  'text/event-stream',
  'application/json; charset="',
  '\u00ff\u0000',
  '-1',
  '1e99',
  'x'.repeat(10_000),
];

const statuses: readonly number[] = [100, 101, 199, 204, 304, 399, 418, 451, 499, 599, 999];

/** A JSON value, as opposed to the name of a member. */
const anyValue = /("(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?!\s*:)/g;

function one<Value>(of: readonly Value[], draw: Draw): Value | undefined {
  return of[draw(of.length)];
}

/** Returns a text with one of its values changed, or with another defect. */
function altered(text: string, draw: Draw): string {
  switch (draw(12)) {
    case 0:
      return `\u{FEFF}${text}`;
    case 1:
      return text.slice(0, draw(text.length + 1));
    case 2:
      return `${text}${one([']', '}', '\0', '\n\n', 'x'], draw)}`;
    case 3:
    case 4:
      return text.replace('{', `{${one(members, draw)}`);
    case 5: {
      const lines = text.split('\n');
      const [line = ''] = lines.splice(draw(lines.length), 1);
      lines.splice(draw(lines.length + 1), 0, ...(draw(2) === 0 ? [] : [line, line]));
      return lines.join('\n');
    }
    case 6:
      return one(values, draw) ?? '';
    default: {
      const found = [...text.matchAll(anyValue)];
      const place = one(found, draw);
      if (place === undefined) return text;
      const { index } = place;
      return text.slice(0, index) + one(values, draw) + text.slice(index + place[0].length);
    }
  }
}

function changedBytes(bytes: Uint8Array, draw: Draw): Uint8Array {
  // Sometimes adds bytes that are no text.
  if (draw(20) === 0) return Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0x80])]);
  return Buffer.from(altered(Buffer.from(bytes).toString(), draw));
}

function changedHeaders(headers: HeaderLines, draw: Draw): HeaderLines {
  const at = draw(headers.length);
  const [name] = headers[at] ?? ['x'];
  const value = one(headerValues, draw) ?? '';
  if (draw(3) === 0) return headers.filter((_, index) => index !== at);
  if (draw(2) === 0) return [...headers, [name, value]];
  return headers.map((line, index) => (index === at ? [name, value] : line));
}

function changedFrames(frames: readonly SocketFrame[], draw: Draw): readonly SocketFrame[] {
  const theirs = frames.filter(({ from }) => from === 'gateway');
  const place = one(theirs, draw);
  if (place === undefined) return frames;
  if (draw(6) === 0) return frames.filter((frame) => frame !== place);
  return frames.flatMap((frame) => {
    if (frame !== place) return [frame];
    const other: SocketFrame = {
      ...frame,
      kind: draw(10) === 0 ? 'binary' : frame.kind,
      data: changedBytes(frame.data, draw),
    };
    return draw(6) === 0 ? [frame, other] : [other];
  });
}

/** Returns an exchange with a different answer of the gateway, which may be invalid in any way. */
export function mutated(exchange: Exchange, draw: Draw): Exchange {
  const { response, socket } = exchange;
  if (response === null) return exchange;
  if (socket !== null) {
    const close =
      draw(8) === 0
        ? { code: draw(5000), reason: '\u{FFFD}', by: 'gateway' as const }
        : socket.close;
    return { ...exchange, socket: { frames: changedFrames(socket.frames, draw), close } };
  }
  const kind = draw(10);
  if (kind === 0) {
    return { ...exchange, response: { ...response, status: one(statuses, draw) ?? 0 } };
  }
  if (kind === 1) {
    return {
      ...exchange,
      response: { ...response, headers: changedHeaders(response.headers, draw) },
    };
  }
  const body = changedBytes(response.body, draw);
  const at = response.chunks.at(-1)?.at ?? exchange.times.ended;
  return { ...exchange, response: { ...response, body, chunks: [{ at, end: body.length }] } };
}
