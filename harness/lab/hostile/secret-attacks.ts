import { gzipSync } from 'node:zlib';
import { type Attack, family } from './attack.ts';
import { answerWith } from './wire.ts';

const escaped = (key: string): string =>
  [...key].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
/** Escapes a key as common writers of JSON do. */
const serialised = (key: string): string =>
  JSON.stringify(key)
    .slice(1, -1)
    .replace(/[+<>&']/g, escaped)
    .replaceAll('\\"', '\\u0022');

const codings: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => JSON.stringify(key).slice(1, -1),
  serialised,
  escaped,
  capitals: (key) => key.toUpperCase().replace(/[\\"]/g, ''),
  base64: (key) => Buffer.from(key).toString('base64'),
  hex: (key) => Buffer.from(key).toString('hex'),
  percent: (key) => encodeURIComponent(key),
  'percent-all': (key) =>
    [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  entities: (key) => [...key].map((sign) => `&#${sign.charCodeAt(0)};`).join(''),
};

const texts = /("(?:text|content|delta|message|id)"):\s*"/g;
const pieces = /("(?:text|content|delta)"):\s*"(?:[^"\\]|\\.)*"/g;

/** The keys of a request in its answer. No output may hold one. */
export const secretAttacks: readonly Attack[] = [
  ...Object.entries(codings).map(([coding, write]) =>
    family('secret', 'json').changed(coding, (text, { keys }) =>
      text.replace(texts, (start) => `${start}${keys.map(write).join(' ')} `),
    ),
  ),
  // A character of the key in each piece of the stream.
  family('secret', 'stream').changed('deltas', (text, { keys: [key = ''] }) => {
    const signs = [...key].values();
    return text.replace(
      pieces,
      (_, name: string) => `${name}:${JSON.stringify(signs.next().value ?? '')}`,
    );
  }),
  family('secret', 'any').attack('header', (wire, sound) => {
    const shown = sound.keys.map((key) => `x-seen: ${key}`);
    return answerWith(wire, sound, sound.body, shown);
  }),
  family('secret', 'any').changed(
    'gzip-after-junk',
    (_, { keys }) => Buffer.concat([Buffer.from('junk'), gzipSync(JSON.stringify(keys))]),
    'Content-Encoding: gzip',
  ),
];
