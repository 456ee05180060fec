import type { Attack } from './attack.ts';
import { answerWith, head } from './wire.ts';

function endless(id: string, what: string, begin: string, piece: string): Attack {
  return {
    id: `stream/${id}`,
    what,
    to: 'stream',
    endless: true,
    async spoil(wire, sound) {
      await wire.write(head(sound, ['Connection: close']) + begin);
      await wire.forEver(piece);
    },
  };
}

function before(id: string, what: string, bytes: string): Attack {
  return {
    id: `stream/${id}`,
    what: `${what} before a sound stream`,
    to: 'stream',
    spoil: (wire, sound) =>
      answerWith(wire, sound, Buffer.concat([Buffer.from(bytes), sound.body])),
  };
}

function changed(id: string, what: string, change: (text: string) => string): Attack {
  return {
    id: `stream/${id}`,
    what,
    to: 'stream',
    spoil: (wire, sound) => answerWith(wire, sound, change(sound.body.toString())),
  };
}

/** Event streams: lines, comments and events without end, or without sense. */
export const streamAttacks: readonly Attack[] = [
  endless('endless-line', 'a line that never ends', 'data: ', 'x'.repeat(65_536)),
  endless('endless-empty', 'empty events for ever', '', 'data:\n\n'.repeat(5_000)),
  endless('endless-comments', 'comments for ever', '', ':\n'.repeat(20_000)),
  endless('endless-event', 'an event that never ends', '', 'data: x\n'.repeat(5_000)),
  endless(
    'endless-events',
    'events for ever',
    '',
    'event: ping\ndata: {"type":"ping"}\n\n'.repeat(500),
  ),
  before('comments', '500,000 comments', ':\n'.repeat(500_000)),
  before('empty-lines', '500,000 empty lines', '\n'.repeat(500_000)),
  before('retry', 'a retry of 10^30 ms', `retry: ${10n ** 30n}\n\n`),
  changed('twice', 'each event twice', (text) =>
    text.replace(/[\s\S]*?\n\n/g, (event) => event + event),
  ),
  changed(
    'backwards',
    'the events in reverse order',
    (text) => `${text.trimEnd().split('\n\n').reverse().join('\n\n')}\n\n`,
  ),
  changed('cut', 'a stream that ends in the middle', (text) => text.slice(0, text.length >> 1)),
  changed('carriage-returns', 'lines that end with CR', (text) => text.replaceAll('\n', '\r')),
  changed('no-json', 'data that is no JSON', (text) => text.replaceAll('data: {', 'data: {{')),
];
