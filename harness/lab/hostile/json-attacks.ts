import { type Attack, family } from './attack.ts';
import { written } from './payload.ts';

const { changed } = family('json', 'json');
/** Inserts members after the first brace, in a body or in the first event of a stream. */
const inserted = (id: string, members: () => string): Attack =>
  changed(id, (text) => text.replace('{', () => `{${members()},`));

const deep = 100_000;
const counts = /("\w*tokens?\w*"|"\w*TokenCount"):\s*\d+/gi;
const texts = /("(?:text|content|delta|message)"):\s*"(?:[^"\\]|\\.)*"/g;
const ids = /("id"):\s*"(?:[^"\\]|\\.)*"/g;
const valued = (id: string, places: RegExp, value: () => string): Attack =>
  changed(id, (text) => text.replace(places, (_, name: string) => `${name}:${value()}`));

/** Attacks within JSON: depth, width, numbers, names, texts. */
export const jsonAttacks: readonly Attack[] = [
  inserted('deep-list', () => `"zz":${'['.repeat(deep)}${']'.repeat(deep)}`),
  inserted('deep-object', () => `"zz":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`),
  inserted('wide', () => Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join(',')),
  inserted('long-list', () => `"zz":[${'0,'.repeat(999_999)}0]`),
  inserted(
    'prototype',
    () =>
      '"__proto__":{"polluted":true,"status":"completed"},"constructor":{"prototype":{"polluted":true}}',
  ),
  inserted('lone-surrogates', () => '"\\ud800":"\\udfff \\ud83d"'),
  inserted('twice', () => '"id":"a","id":"b","usage":1,"usage":[],"model":null,"model":""'),
  {
    ...inserted('400-kilobytes', () => `"zz":"${'a'.repeat(400_000)}"`),
    wholeRunMegabytes: 450,
  },
  inserted('long-number', () => `"zz":${'9'.repeat(100_000)}`),
  valued('infinite-counts', counts, () => '1e400'),
  valued('negative-counts', counts, () => '-1'),
  valued('counts-of-nan', counts, () => 'NaN'),
  valued('fractions-as-counts', counts, () => '0.1'),
  valued('null-texts', texts, () => 'null'),
  valued('object-texts', texts, () => '{"a":[]}'),
  valued('long-texts', texts, () => `"${'a'.repeat(1_000_000)}"`),
  valued('long-ids', ids, () => `"${'a'.repeat(2_000_000)}"`),
  valued('ids-that-no-path-can-hold', ids, () => '"../../\\u0000?#%2e%"'),
  valued('injected-texts', texts, () => `"${written}"`),
  valued('injected-ids', ids, () => `"${written}"`),
  changed('cut', (text) => text.slice(0, text.length >> 1)),
  changed('garbage-after', (text) => `${text}]}garbage`),
  changed('byte-order-mark', (text) => `\ufeff${text}`),
  changed('empty', () => ''),
  changed('scalar', () => '7'),
  changed('list', (text) => `[${text}]`),
  changed('other-words', (text) => text.replace(/"(\w+)":/g, '"x$1":')),
];
