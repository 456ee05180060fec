import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inProcess } from '../../../kernel/cli/testing.ts';
import { sampleCheck, sampleRun } from '../../../kernel/core/samples/run.ts';
import { renderJson } from '../../../kernel/report/json.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();

const pass = sampleRun([sampleCheck('storage/a.one', { state: 'pass' })]);
const failed = { state: 'fail', expected: 'a', actual: 'b', evidence: null } as const;
const fail = sampleRun([sampleCheck('storage/a.one', failed)], {
  runId: 'later',
  startedAt: '2025-01-03T03:04:05.000Z',
});
const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')];
writeFileSync(good, renderJson(pass));
writeFileSync(bad, renderJson(fail));

const call = (...line: string[]) => inProcess(line);

describe('diff', () => {
  test('exits with 1 where something got worse, with 0 where not, with 3 where it cannot compare', async () => {
    expect(await call('diff', good, bad)).toMatchObject({
      code: 1,
      out: expect.stringContaining('storage/a.one  pass → fail'),
    });
    expect(await call('diff', bad, good)).toMatchObject({
      code: 0,
      out: expect.stringContaining('The first report is the newer one'),
    });
    expect(await call('diff', good, join(folder, 'none.json'))).toMatchObject({ code: 3 });
    expect(await call('diff', good, bad, '--json', '--markdown')).toMatchObject({ code: 3 });
  });

  test('prints Markdown or JSON and nothing else', async () => {
    const markdown = await call('diff', good, bad, '--markdown');
    expect(markdown.out).toMatch(/^## ❌ 1 broken, 0 fixed\.\n/);
    const { code, out } = await call('diff', good, bad, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ counts: { broken: 1 }, older: { file: good } });
  });
});
