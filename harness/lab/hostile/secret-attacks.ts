import { gzipSync } from 'node:zlib';
import type { Attack } from './attack.ts';
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

/** The keys of a request in its answer. No output may hold one. */
export const secretAttacks: readonly Attack[] = [
  ...Object.entries(codings).map(
    ([coding, write]): Attack => ({
      id: `secret/${coding}`,
      what: `the key in a text, ${coding}`,
      to: 'json',
      spoil: (wire, sound) => {
        const keys = sound.keys.map(write).join(' ');
        const text = sound.body
          .toString()
          .replace(/("(?:text|content|delta|message|id)"):\s*"/g, (start) => `${start}${keys} `);
        return answerWith(wire, sound, text);
      },
    }),
  ),
  {
    id: 'secret/deltas',
    what: 'a character of the key in each piece of a stream',
    to: 'stream',
    spoil: (wire, sound) => {
      const signs = [...(sound.keys[0] ?? '')];
      let at = 0;
      const text = sound.body
        .toString()
        .replace(
          /("(?:text|content|delta)"):\s*"(?:[^"\\]|\\.)*"/g,
          (_, name: string) => `${name}:${JSON.stringify(signs[at++] ?? '')}`,
        );
      return answerWith(wire, sound, text);
    },
  },
  {
    id: 'secret/header',
    what: 'the key in a header',
    to: 'any',
    spoil: (wire, sound) =>
      answerWith(
        wire,
        sound,
        sound.body,
        sound.keys.map((key) => `x-seen: ${key}`),
      ),
  },
  {
    id: 'secret/gzip',
    what: 'the key in a packed body, after junk',
    to: 'any',
    spoil: (wire, sound) =>
      answerWith(
        wire,
        sound,
        Buffer.concat([Buffer.from('junk'), gzipSync(JSON.stringify(sound.keys))]),
        ['Content-Encoding: gzip'],
      ),
  },
];
