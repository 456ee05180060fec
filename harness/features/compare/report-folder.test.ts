import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleChecks, sampleRun } from '../../kernel/core/samples/run.ts';
import { renderJson } from '../../kernel/report/json.ts';
import { temporaryFolder } from '../../testing.ts';
import { readHistory } from './report-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

test('reads reports at any depth, counts other files, and names those that are broken', () => {
  const report = renderJson(sampleRun(sampleChecks));
  const later = renderJson(sampleRun(sampleChecks, { runId: 'later' }));
  const folder = folderWith({
    'a.json': report,
    'deep/er/b.json': later,
    'deep/notes.txt': 'x',
    'package.json': '{"name": "x"}',
    'list.json': '[1, 2]',
    'old.json': report.replace('"version": 1', '"version": 9'),
    'cut.json': report.slice(0, 5_000),
    'empty.json': '',
    'odd.json': report.replace('"seed": 42', '"seed": "x"'),
  });
  symlinkSync(folder, join(folder, 'deep', 'loop'));
  const { series, ignored, leftOut } = readHistory(folder);
  expect(series.map(({ name, runs }) => [name, ...runs.map(({ head }) => head.file)])).toEqual([
    ['staging', 'a.json', 'deep/er/b.json'],
  ]);
  expect(ignored).toBe(3);
  expect(leftOut).toEqual([
    { file: 'cut.json', reason: expect.stringContaining('it is not JSON') },
    { file: 'empty.json', reason: expect.stringContaining('it is not JSON') },
    { file: 'odd.json', reason: 'it is not as fixtures/report.schema.json says' },
    { file: 'old.json', reason: 'it is a report of version 9; this suite reads version 1.' },
  ]);
});

test('a folder without a report says how to get one', () => {
  const folder = folderWith({ 'cut.json': '{"format": "gateway-touchstone/report",' });
  expect(() => readHistory(folder)).toThrow(/has no report.*run --json[\s\S]*cut\.json: it is not/);
  expect(() => readHistory(join(folder, 'missing'))).toThrow(/cannot be read as a folder/);
});
