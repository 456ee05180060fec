import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fixture } from '../../core/package-root.ts';
import type { RunResult } from '../../core/result.ts';
import { sampleCheck, sampleRun } from '../../core/samples/run.ts';
import type { CheckVerdict } from '../../core/verdict.ts';
import { inMarkdown } from '../document/markdown.ts';
import { printed } from '../document/terminal.ts';
import { type Comparison, caveatCodes, compare } from './comparison.ts';
import { type ComparisonDetail, comparisonDocument } from './document.ts';
import { renderComparisonJson } from './json.ts';

const pass: CheckVerdict = { state: 'pass' };
const excluded: CheckVerdict = { state: 'excluded', reason: 'no filter names it' };
const esc = String.fromCharCode(27);
const fail: CheckVerdict = {
  state: 'fail',
  expected: 'a 404',
  actual: `200 with ${esc}[31m<img src=x> @everyone`,
  evidence: null,
};

/** A run of checks by their ids. */
function run(
  verdicts: Readonly<Record<string, CheckVerdict>>,
  fields: Partial<RunResult> = {},
): RunResult {
  const checks = Object.entries(verdicts).map(([id, verdict]) => sampleCheck(id, verdict));
  return sampleRun(checks, fields);
}

function compared(older: RunResult, newer: RunResult): Comparison {
  return compare({ file: 'old.json', result: older }, { file: 'new.json', result: newer });
}

const later = { runId: 'later', startedAt: '2025-01-03T03:04:05.000Z' };
const before = run({
  'storage/a.one:x': pass,
  'storage/a.one:y': pass,
  'storage/a.two': fail,
  'storage/a.three': pass,
  'storage/a.four': excluded,
});
const after = run(
  {
    'storage/a.one:x': fail,
    'storage/a.one:y': fail,
    'storage/a.two': pass,
    'storage/a.three': excluded,
    'storage/a.four': fail,
  },
  later,
);

const plain = { colour: false, width: 80 };

describe('a comparison', () => {
  const comparison = compared(before, after);

  test('distinguishes what broke from what nobody knew of', () => {
    expect(comparison.counts).toMatchObject({
      broken: 2,
      'newly-failing': 1,
      fixed: 1,
      'no-longer-judged': 1,
    });
    expect(comparison.gotWorse).toBe(true);
    expect(compared(before, run({}, later)).gotWorse).toBe(false);
  });

  test('says which runs it compares, what changed, and the counts', () => {
    const text = printed(comparisonDocument(comparison, { inFull: 5 }), plain);
    expect(text).toMatch(/^older {2}2025-01-02 03:04 UTC {2}staging {2}nonconformant\n/);
    expect(text).toContain('newer  2025-01-03 03:04 UTC  staging  nonconformant');
    expect(text).toContain('       Touchstone 0.1.0, specification 1, seed 42\n');
    expect(text).toContain('Broken (2)  held before, and does not now; 1 cause');
    expect(text).toContain('storage/a.one: x, y  pass → fail');
    expect(text).toMatch(/\n2 broken, 1 failing that were not judged before, 1 fixed, 1 no longer/);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('tells neutral changes, and more than there is room for, only where it is asked for', () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`storage/b.r${index}`, pass] as const),
    );
    const none = Object.fromEntries(Object.keys(many).map((id) => [id, excluded] as const));
    const lost = compared(run(many), run(none, later));
    const itemsIn = (one: Comparison, detail: ComparisonDetail): unknown => {
      const section = comparisonDocument(one, detail).blocks.at(-1);
      const [list] = section?.block === 'section' ? section.blocks : [];
      return list?.block === 'list' ? list.items.map(({ text }) => text) : null;
    };
    expect(itemsIn(lost, { inFull: 5 })).toEqual(['pass → excluded (9)']);
    expect(itemsIn(lost, { inFull: 5, verbose: true })).toHaveLength(9);
    const back = compared(
      run(none),
      run(Object.fromEntries(Object.keys(many).map((id) => [id, fail] as const)), later),
    );
    expect(itemsIn(back, { inFull: 2, named: 3 })).toHaveLength(4);
    expect(itemsIn(back, { inFull: 2, named: 3 })).toContain('and 6 more requirements');
  });

  test('begins with the counts in Markdown', () => {
    const text = inMarkdown(comparisonDocument(comparison, { inFull: 30, named: 30 }), 2);
    expect(text).toMatch(/^## ❌ 2 broken, /);
    expect(text).toContain('- **`storage/a.one: x, y`** pass → fail<br>');
    expect(text).not.toMatch(/<img|@everyone/);
  });

  test('is JSON as the published schema says', () => {
    const schema: object = JSON.parse(readFileSync(fixture('comparison.schema.json'), 'utf8'));
    const validate: ValidateFunction = new Ajv2020({
      formats: { 'date-time': true },
    }).compile(schema);
    const value: unknown = JSON.parse(renderComparisonJson(comparison));
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    expect(value).toMatchObject({
      older: { file: 'old.json', judged: 4, runId: before.runId },
      changes: [
        { id: 'storage/a.one:x', kind: 'broken', from: 'pass', to: 'fail', known: false },
        { id: 'storage/a.one:y', kind: 'broken' },
        { id: 'storage/a.four', kind: 'newly-failing' },
        { id: 'storage/a.two', kind: 'fixed' },
        { id: 'storage/a.three', kind: 'no-longer-judged' },
      ],
    });
    const { properties } = schema as {
      properties: { caveats: { items: { properties: { code: { enum: string[] } } } } };
    };
    expect(properties.caveats.items.properties.code.enum).toEqual(caveatCodes);
  });
});

describe('warns where two runs cannot be compared', () => {
  const one = run({ 'storage/a.one': pass, 'storage/a.two': pass });
  const two = run({ 'storage/a.one': pass, 'storage/a.two': pass }, later);
  const at = (baseUrl: string, name = 'staging') => ({ name, regions: [{ name: 'eu', baseUrl }] });
  const codes = (older: RunResult, newer: RunResult): readonly string[] =>
    compared(older, newer).caveats.map(({ code }) => code);

  test('and not where only the seed, the time or the port of this machine differs', () => {
    expect(codes(one, { ...two, seed: 7 })).toEqual([]);
    const ports = ['http://127.0.0.1:1', 'http://127.0.0.1:2'].map((url) => ({ target: at(url) }));
    expect(codes({ ...one, ...ports[0] }, { ...two, ...ports[1] })).toEqual([]);
  });

  test.each<readonly [string, Partial<RunResult>]>([
    ['same-run', { runId: one.runId }],
    ['swapped', { startedAt: '2024-01-01T00:00:00.000Z' }],
    ['target', { target: at('https://eu.example', 'another') }],
    ['address', { target: at('https://other.example') }],
    ['suite', { suiteVersion: '0.2.0' }],
    ['catalogue', { specification: { revision: 2, date: '2025-02-01', sha256: '1'.repeat(64) } }],
    ['filters', { filters: ['storage/'] }],
    ['shard', { shard: { index: 1, of: 2 } }],
    ['interrupted', { interrupted: true }],
    ['observed', { observed: 'proxy' }],
    ['claims', { target: { ...one.target, claims: { profiles: ['chat'], stated: true } } }],
    ['thorough', { target: { ...one.target, thorough: true } }],
    ['strict', { strict: true }],
    ['known-failures', { knownFailures: { file: 'k', entries: ['a'], excused: [], stale: [] } }],
  ])('%s', (code, fields) => {
    expect(codes(one, { ...two, ...fields })).toEqual([code]);
  });

  test('or judged not the same', () => {
    const budget = { state: 'excluded', reason: 'Left out by --generations 10' } as const;
    const less = run({ 'storage/a.one': pass, 'storage/a.two': budget }, later);
    const [caveat] = compared(one, less).caveats;
    expect(caveat).toMatchObject({ code: 'coverage' });
    expect(caveat?.text).toContain('1 check only in the older run (1 excluded: Left out by --gen');
    expect(codes(one, run({ 'storage/a.one': pass }, later))).toEqual(['catalogue', 'coverage']);
  });
});
