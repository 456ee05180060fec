import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { touchstone } from '../../../kernel/cli/program.ts';
import { chatKey, startChatGateway } from '../../../kernel/cli/testing-chat-gateway.ts';
import { memoryTerminal } from '../../../kernel/terminal/testing-terminal.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();

test('a certificate that cannot be leaves no empty folder', async () => {
  const out = join(folder, 'certificate');
  const terminal = memoryTerminal({ TOUCHSTONE_KEY: chatKey });
  const gateway = await startChatGateway();
  onTestFinished(() => gateway.close());
  const line = ['certify', '--out', out, '--base-url', gateway.url, '--model', 'pico-1'];
  expect(await touchstone(line, terminal)).toBe(2);
  expect(terminal.written.err).toContain('Not certifiable');
  expect(existsSync(out)).toBe(false);
});

test('of an empty folder verify says one sentence', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  const terminal = memoryTerminal();
  expect(await touchstone(['verify', empty], terminal)).toBe(3);
  expect(terminal.written).toEqual({
    out: '',
    err: `${empty} is empty: \`certify\` wrote nothing there. It says why it did not.\n`,
  });
});
