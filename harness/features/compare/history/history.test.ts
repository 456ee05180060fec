import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fixture } from '../../../kernel/core/package-root.ts';
import { sampleCheck, sampleRun } from '../../../kernel/core/samples/run.ts';
import type { CheckState } from '../../../kernel/core/verdict.ts';
import { verdictTones } from '../../../kernel/report/comparison/words.ts';
import { pageOf } from '../../../kernel/report/document/page.ts';
import { printed } from '../../../kernel/report/document/terminal.ts';
import { sampleClientRun } from '../../../kernel/report/samples/client.ts';
import { historyDocument } from './document.ts';
import { type History, historyOf } from './history.ts';
import { incidentInWords } from './incidents.ts';
import { renderHistoryJson } from './json.ts';
import { pastRun } from './past-run.ts';
import { sampleHistory, samplePast } from './samples/history.ts';

const historyPage = (history: History): string => pageOf(historyDocument(history));

const incidentsOf = (...days: Readonly<Record<string, CheckState>>[]): readonly string[] => {
  const history = historyOf(
    'reports',
    days.map((states, day) => samplePast(day, states)),
    [],
    0,
  );
  const [series] = history.series;
  if (series === undefined) throw new Error('there is no run');
  return series.incidents.map(
    (incident) =>
      `${incident.checks.join(' ')} ${incidentInWords(incident, series.runs).replaceAll(/2025-01-0| 03:04 UTC/g, '')}`,
  );
};

describe('what broke, and when it was fixed', () => {
  test('is told with the runs in which it showed', () => {
    expect(
      incidentsOf(
        { 'storage/a.one': 'pass' },
        { 'storage/a.one': 'fail' },
        { 'storage/a.one': 'pass' },
      ),
    ).toEqual(['storage/a.one broke 2; fixed 3']);
    expect(incidentsOf({ 'storage/a.one': 'fail' })).toEqual([
      'storage/a.one broken when first judged, 1; still broken',
    ]);
  });

  test('is not ended by a run that did not judge it', () => {
    const one = (state: CheckState) => ({ 'storage/a.one': state });
    expect(incidentsOf(one('pass'), one('excluded'), one('fail'), one('inconclusive'))).toEqual([
      'storage/a.one broke 3; not judged since 3',
    ]);
    expect(incidentsOf(one('pass'), one('fail'), {}, one('note'))).toEqual([
      'storage/a.one broke 2; fixed 4',
    ]);
  });

  test('joins the checks of a requirement that went together, what is broken still first', () => {
    const states = (x: CheckState, y: CheckState, z: CheckState) => ({
      'storage/a.one:x': x,
      'storage/a.one:y': y,
      'storage/a.two': z,
    });
    expect(
      incidentsOf(
        states('pass', 'pass', 'pass'),
        states('fail', 'fail', 'pass'),
        states('pass', 'pass', 'warn'),
      ),
    ).toEqual([
      'storage/a.two broke 3; still broken',
      'storage/a.one:x storage/a.one:y broke 2; fixed 3',
    ]);
  });
});

describe('a history', () => {
  test('is the same in whichever order the files were found', () => {
    const runs = [0, 1, 2].map((day) => samplePast(day, { 'storage/a.one': 'pass' }));
    const page = historyPage(historyOf('reports', runs, [], 0));
    expect(historyPage(historyOf('reports', [...runs].reverse(), [], 0))).toBe(page);
  });

  test('leaves out parts of runs, and what is there twice', () => {
    const whole = sampleRun([sampleCheck('storage/a.one', { state: 'pass' })]);
    const part = { ...whole, runId: 'part', shard: { index: 1, of: 2 } };
    const runs = [pastRun('a.json', whole), pastRun('b.json', whole), pastRun('c.json', part)];
    expect(historyOf('reports', runs, [], 0).leftOut).toEqual([
      { file: 'b.json', reason: 'the same run as a.json' },
      { file: 'c.json', reason: 'a part of a run: `touchstone merge` joins the parts' },
    ]);
  });

  test('keeps gateways and clients of one name apart, and a client together across its versions', () => {
    const client = sampleClientRun();
    const { target } = client;
    if (target.client === undefined) throw new Error('the sample has a client');
    const newer = { ...target, client: { ...target.client, version: '9.9.9' } };
    const runs = [
      pastRun('a.json', client),
      pastRun('b.json', { ...client, runId: 'b', target: newer }),
      pastRun('c.json', sampleRun([], { runId: 'c', target: { name: target.name, regions: [] } })),
    ];
    const { series } = historyOf('reports', runs, [], 0);
    expect(series.map(({ side, runs }) => `${side} ${runs.length}`)).toEqual([
      'client 2',
      'gateway 1',
    ]);
  });

  test('is a short table at a terminal', () => {
    const text = printed(historyDocument(sampleHistory()), { colour: false, width: 80 });
    expect(text).toMatch(/^production +\d+ +2025-01-0\d 03:04 UTC +conformant +0 +2\.50 s$/m);
    expect(text).toMatch(/^staging +\d+ .* nonconformant +1 /m);
    expect(text).toContain('\n  ✓✗✓✗\n');
    expect(text).toContain('8 runs of 2 targets from 2025-01-01');
    expect(text).toContain('! cut.json is left out: it is not JSON');
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('is JSON as the published schema says', () => {
    const schema: object = JSON.parse(readFileSync(fixture('history.schema.json'), 'utf8'));
    const validate: ValidateFunction = new Ajv2020({
      formats: { 'date-time': true },
    }).compile(schema);
    const { $defs } = schema as {
      $defs: { run: { properties: { verdict: { enum: string[] } } } };
    };
    expect($defs.run.properties.verdict.enum.toSorted()).toEqual(Object.keys(verdictTones).sort());
    const value: unknown = JSON.parse(renderHistoryJson(sampleHistory()));
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  });
});

describe('its page', () => {
  const page = historyPage(sampleHistory());

  test('has verdicts, what broke, areas and times, and what is left out', () => {
    for (const part of [
      '8 runs of 2 targets from 2025-01-01 03:04 UTC to 2025-01-04 03:04 UTC; 3 other files ignored.',
      'storage/deletion.gone',
      'broke 2025-01-02 03:04 UTC',
      'fixed 2025-01-03 03:04 UTC',
      'with another Touchstone',
      'Areas over time',
      'Side by side',
      'at most 2.50 s',
      'it is not JSON',
    ]) {
      expect(page).toContain(part);
    }
  });

  test('runs no script and loads nothing', () => {
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).not.toMatch(/<script|script-src|(src|action)="|<link|url\(|@import/);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => !link.startsWith('#'))).toEqual([]);
  });

  test('grows with what happened, and not with the number of checks that hold', () => {
    const states = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`storage/a.r${index}`, 'pass' as const]),
      );
    const sizeOf = (count: number): number =>
      historyPage(historyOf('r', [samplePast(0, states(count))], [], 0)).length;
    expect(sizeOf(1000) - sizeOf(10)).toBeLessThan(100);
  });
});
