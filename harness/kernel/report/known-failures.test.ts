import { expect, test } from 'vitest';
import { excuse } from '../core/known-failures.ts';
import { sampleCheck, sampleChecks, sampleRun } from '../core/samples/run.ts';
import { renderConsole } from './console.ts';
import { renderGithub } from './github.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { isReport } from './report-schema.ts';

const failed = sampleChecks.filter(({ verdict }) => verdict.state === 'fail');
const passed = sampleCheck('generation/responses.shape', { state: 'pass' });
const id = 'storage/responses.lookup-served';
const excused = excuse(sampleRun([...failed, passed]), 'known.txt', [{ id, line: 1 }]);
const stale = excuse(sampleRun([passed]), 'known.txt', [{ id: passed.id, line: 1 }]);

const printed = (result: typeof excused): string =>
  renderConsole(result, { colour: false, width: 100 });

test('a known failure is told in short, and the verdict names it', () => {
  expect(printed(excused)).toContain('Known failures (1)  listed in known.txt');
  expect(printed(excused)).not.toContain('  repeat ');
  expect(printed(excused)).toContain('CONFORMANT but for 1 known failure ');
  expect(printed(excused)).toContain('→ Fix the known failures, too');
});

test('a stale entry is the reason for the verdict, and what to do about it is said', () => {
  expect(printed(stale)).toContain('Stale known failures (1)');
  expect(printed(stale)).toContain('NONCONFORMANT');
  expect(printed(stale)).toContain('1 known failure is stale.');
  expect(printed(stale)).toContain(
    '→ Remove what is fixed from known.txt: generation/responses.shape',
  );
});

test('programs see it as skipped, with what was found', () => {
  expect(renderJunit(excused)).toContain('failures="0" errors="0" skipped="1"');
  expect(renderJunit(excused)).toContain('<skipped message="known failure: expected');
  expect(renderGithub(excused)).not.toContain('::error');
});

test('the report says what the list did', () => {
  const report: unknown = JSON.parse(renderJson(excused));
  expect(isReport(report)).toBe(true);
  expect(report).toMatchObject({ knownFailures: { excused: [id], stale: [] } });
});
