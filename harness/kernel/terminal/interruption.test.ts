import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { interruptible } from './interruption.ts';
import { memoryTerminal } from './testing-terminal.ts';

test.each([
  [150, true],
  [90, false],
])(
  'with %i of 152 MB in use after a full collection, the run ends early: %s',
  async (used, ends) => {
    setFlagsFromString('--expose-gc');
    const said: string[] = [];
    const bytes = { used_heap_size: used * 2 ** 20, heap_size_limit: 200 * 2 ** 20 };
    const heap = () => ({ ...getHeapStatistics(), ...bytes });
    const { signal, release } = interruptible(memoryTerminal(), (line) => said.push(line), heap);
    onTestFinished(release);
    runInNewContext('gc')();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(signal.aborted).toBe(ends);
    const line = /^The 152 MB of memory .* nothing more is sent, and what was captured is judged/;
    expect(said).toEqual(ends ? [expect.stringMatching(line)] : []);
  },
);

test('a heap that is too small for a run is refused before the run', () => {
  const heap = () => ({ ...getHeapStatistics(), heap_size_limit: 112 * 2 ** 20 });
  const start = () => interruptible(memoryTerminal(), () => undefined, heap);
  expect(start).toThrow(/64 MB, and a run needs 80: raise --max-old-space-size/);
  expect(start).toThrow(expect.objectContaining({ code: 'ENOMEM' }));
});
