import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inProcess } from '../../../kernel/cli/testing.ts';
import { sampleCheck, sampleRun } from '../../../kernel/core/samples/run.ts';
import { renderJson } from '../../../kernel/report/json.ts';
import { temporaryFolder } from '../../../testing.ts';

// Tests of the commands that compare runs: two runs, or a folder of them.

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

describe('history', () => {
  test('prints a table, writes a page, and says where', async () => {
    const page = join(folder, 'pages', 'history.html');
    const { code, out } = await call('history', folder, '--html', page);
    expect(code).toBe(0);
    expect(out).toMatch(/^staging +2 +2025-01-03 03:04 UTC +nonconformant +1 /m);
    expect(out).toContain(`Written: ${page}\n`);
    expect(readFileSync(page, 'utf8')).toContain('broke 2025-01-03 03:04 UTC');
    // The page is in the folder now, and no report: the next one is the same but for that.
    expect((await call('history', folder)).out).toContain('1 other file ignored');
  });

  test('prints JSON, and refuses what is no folder', async () => {
    const page = join(folder, 'pages', 'history.html');
    const { out } = await call('history', folder, '--json', '--html', page);
    expect(JSON.parse(out)).toMatchObject({ targets: [{ name: 'staging', side: 'gateway' }] });
    expect(await call('history', join(folder, 'none'))).toMatchObject({ code: 3 });
  });
});
