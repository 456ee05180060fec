import { type Attack, family } from './attack.ts';
import { head } from './wire.ts';

const { changed, pour } = family('stream', 'stream');
const endless = (id: string, begin: string, piece: string): Attack =>
  pour(`endless-${id}`, (sound) => head(sound, ['Connection: close']) + begin, piece);
const before = (id: string, bytes: string): Attack =>
  changed(`${id}-before`, (_, { body }) => Buffer.concat([Buffer.from(bytes), body]));

/** Event streams: lines, comments and events without end, or without sense. */
export const streamAttacks: readonly Attack[] = [
  endless('line', 'data: ', 'x'.repeat(65_536)),
  endless('empty', '', 'data:\n\n'.repeat(5_000)),
  endless('comments', '', ':\n'.repeat(20_000)),
  endless('event', '', 'data: x\n'.repeat(5_000)),
  endless('events', '', 'event: ping\ndata: {"type":"ping"}\n\n'.repeat(500)),
  before('comments', ':\n'.repeat(500_000)),
  before('empty-lines', '\n'.repeat(500_000)),
  before('retry-of-10-to-the-30', `retry: ${10n ** 30n}\n\n`),
  changed('twice', (text) => text.replace(/[\s\S]*?\n\n/g, (event) => event + event)),
  changed('backwards', (text) => `${text.trimEnd().split('\n\n').reverse().join('\n\n')}\n\n`),
  changed('cut', (text) => text.slice(0, text.length >> 1)),
  changed('carriage-returns', (text) => text.replaceAll('\n', '\r')),
  changed('no-json', (text) => text.replaceAll('data: {', 'data: {{')),
];
