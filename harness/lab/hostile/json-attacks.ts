import type { Attack } from './attack.ts';
import { answerWith } from './wire.ts';

/** Attack that inserts members after the first brace, in a body or in the first event of a stream. */
function inserted(id: string, what: string, members: () => string): Attack {
  return changed(id, what, (text) => text.replace('{', () => `{${members()},`));
}

function changed(id: string, what: string, change: (text: string) => string): Attack {
  return {
    id: `json/${id}`,
    what,
    to: 'json',
    spoil: (wire, sound) => answerWith(wire, sound, change(sound.body.toString())),
  };
}

const deep = 100_000;
const counts = /("\w*tokens?\w*"|"\w*TokenCount"):\s*\d+/gi;
const texts = /("(?:text|content|delta|message)"):\s*"(?:[^"\\]|\\.)*"/g;
const ids = /("id"):\s*"(?:[^"\\]|\\.)*"/g;

/** Everything that a log, a page, a terminal or a report might take for its own. */
const payload = [
  '\x1b[2J\x1b]0;title\x07\x1b]8;;http://x/\x07link\x1b]52;c;eA==\x07',
  '\r\n::error::injected\n::stop-commands::x\n::set-output name=a::b\n##[error]injected\n##vso[task.complete]x\n',
  'section_start:1:x\r\x1b[0K',
  '</script><script>alert(1)</script><img src=x onerror=alert(1)>]]>&lt;',
  '```\n# heading\n[link](javascript:alert(1)) ![x](http://x/) @everyone',
  '$(touch /tmp/x) `id` "\' \u202e \u2028 \ufeff \u0000',
].join(' ');
const written = JSON.stringify(payload).slice(1, -1);

/** Attacks within JSON: depth, width, numbers, names, texts. */
export const jsonAttacks: readonly Attack[] = [
  inserted(
    'deep-list',
    '100,000 lists in each other',
    () => `"zz":${'['.repeat(deep)}${']'.repeat(deep)}`,
  ),
  inserted(
    'deep-object',
    '100,000 objects in each other',
    () => `"zz":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
  ),
  inserted('wide', '100,000 members', () =>
    Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join(','),
  ),
  inserted('long-list', 'a list of a million', () => `"zz":[${'0,'.repeat(999_999)}0]`),
  inserted(
    'prototype',
    '__proto__ and constructor',
    () =>
      '"__proto__":{"polluted":true,"status":"completed"},"constructor":{"prototype":{"polluted":true}}',
  ),
  inserted(
    'lone-surrogates',
    'half of a pair, in names and texts',
    () => '"\\ud800":"\\udfff \\ud83d"',
  ),
  inserted(
    'twice',
    'members twice',
    () => '"id":"a","id":"b","usage":1,"usage":[],"model":null,"model":""',
  ),
  inserted('long-number', 'a number of 100,000 digits', () => `"zz":${'9'.repeat(100_000)}`),
  changed('infinite', 'counts of 1e400', (text) => text.replace(counts, '$1:1e400')),
  changed('negative', 'counts of -1', (text) => text.replace(counts, '$1:-1')),
  changed('not-a-number', 'counts of NaN', (text) => text.replace(counts, '$1:NaN')),
  changed('fractions', 'counts of 0.1', (text) => text.replace(counts, '$1:0.1')),
  changed('null-texts', 'null in the place of texts', (text) => text.replace(texts, '$1:null')),
  changed('object-texts', 'objects in the place of texts', (text) =>
    text.replace(texts, '$1:{"a":[]}'),
  ),
  changed('long-texts', 'texts of a megabyte', (text) =>
    text.replace(texts, (_, name: string) => `${name}:"${'a'.repeat(1_000_000)}"`),
  ),
  changed('long-ids', 'ids of two megabytes', (text) =>
    text.replace(ids, (_, name: string) => `${name}:"${'a'.repeat(2_000_000)}"`),
  ),
  changed('odd-ids', 'ids that no path can hold', (text) =>
    text.replace(ids, '$1:"../../\\u0000?#%2e%"'),
  ),
  changed('injected-texts', 'texts that are commands, markup and control characters', (text) =>
    text.replace(texts, (_, name: string) => `${name}:"${written}"`),
  ),
  changed('injected-ids', 'ids that are commands, markup and control characters', (text) =>
    text.replace(ids, (_, name: string) => `${name}:"${written}"`),
  ),
  changed('cut', 'JSON that ends in the middle', (text) => text.slice(0, text.length >> 1)),
  changed('rest', 'something after the JSON', (text) => `${text}]}garbage`),
  changed('mark', 'a byte order mark', (text) => `\ufeff${text}`),
  changed('empty', 'nothing', () => ''),
  changed('scalar', 'a number in the place of an object', () => '7'),
  changed('list', 'a list in the place of an object', (text) => `[${text}]`),
  changed('words', 'every word another', (text) => text.replace(/"(\w+)":/g, '"x$1":')),
];
