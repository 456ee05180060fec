import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing.ts';
import { readRecording } from '../../recordings/recording.ts';
import { scenario } from '../scenario.ts';
import { record, slowTarget } from '../testing.ts';

const cost = { requests: 1, generations: 0 };

describe('a file that is no recording is refused', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'run.jsonl');

  test.each([
    ['which is not there', null, /no such file/],
    ['empty', '', /its first line does not say how it was made\. Record a run with/],
    ['of exchanges only', '{"labels":{},"exchange":{}}\n', /its first line does not say/],
    [
      'of an earlier version',
      `{"format":"gateway-touchstone/recording","version":1,"seed":1,"runId":"a","startedAt":"b","strict":false,"filters":[],"target":{}}\n`,
      /version 1, and this Touchstone reads version 2: record the run again with this version\.$/,
    ],
  ])('%s', (_, text, message) => {
    rmSync(file, { force: true });
    if (text !== null) writeFileSync(file, text);
    expect(() => readRecording(file)).toThrow(message);
  });

  test('but a last line that was cut is left out, and said', async () => {
    const { target } = await slowTarget([0]);
    const { path } = await record(target, [
      scenario('t/two', { cost }, async ({ lists }) => [await lists.list(), await lists.list()]),
    ]);
    const text = readFileSync(path, 'utf8');
    expect(readRecording(path)).toMatchObject({ cut: false, exchanges: [{}, {}] });
    writeFileSync(path, text.slice(0, -20));
    const { cut, exchanges } = readRecording(path);
    expect([cut, exchanges.length]).toEqual([true, 1]);
    const [header = '', peer = '', first = '', second = ''] = text.split('\n');
    writeFileSync(path, `${[header, peer, first.slice(0, -20), second].join('\n')}\n`);
    expect(() => readRecording(path)).toThrow(/line 3: .* not JSON/);
    writeFileSync(path, `${[header, peer, first, first].join('\n')}\n`);
    expect(() => readRecording(path)).toThrow(/line 4: There are two exchanges t\/two#main\/0/);
  });
});
