import { expect, test, vi } from 'vitest';
import { interruptible } from './interruption.ts';
import { memoryTerminal } from './testing-terminal.ts';

test('the first Ctrl-C aborts and says what a second does, which ends the process at once with 130', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
  const terminal = memoryTerminal();
  const said: string[] = [];
  const { signal } = interruptible(terminal, (line) => said.push(line));
  terminal.interrupt();
  expect([signal.aborted, said.join()]).toEqual([true, expect.stringContaining('Ctrl-C again')]);
  expect(exit).not.toHaveBeenCalled();
  expect(() => terminal.interrupt()).toThrow('ended');
  expect(exit).toHaveBeenCalledWith(130);
  exit.mockRestore();
});
