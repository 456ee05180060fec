import { expect, test } from 'vitest';
import { isTest, sourcesOf } from './testing.ts';

// Whatever is written comes through the last gate (redaction/gate.ts), which lets no key out. Nobody writes
// around it.

/** Files that may write by themselves, and the reason. */
const writers: Readonly<Record<string, string>> = {
  'harness/kernel/redaction/gate.ts': 'the gate',
  'harness/kernel/terminal/terminal.ts': 'puts the gate before the outputs of the process',
  'harness/kernel/recordings/held-file.ts': 'the id of this process',
  'harness/kernel/recordings/recorder.ts': 'sends each line through the gate',
  'harness/kernel/wire/spool.ts':
    'a file that is gone as soon as it is open, of what was masked before',
  'harness/main.ts': 'before anything is loaded, and when all has ended',
  'harness/features/github/main.ts': 'knows no key: the command is a process of its own',
  'harness/features/github/steps.ts': 'the same',
  'harness/features/containers/container-image.ts': 'a Dockerfile',
  'harness/features/containers/container-process.ts': 'says that the containers run',
  'harness/features/explore/commands/socket-program.ts': 'the text of a program that users start',
};

/** Programs of their own, and what users do not get. */
const others = /^harness\/(?:reference|proof|lab|docs)\/|\/testing\.ts$/;

const writes =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|writeSync|writev)\(|process\.(?:stdout|stderr)\b|\bconsole\.\w+\(/;

test('every output comes through the gate', () => {
  const sources = [...sourcesOf('harness')].filter(([file]) => !isTest(file) && !others.test(file));
  const found = sources
    .filter(([, text]) => writes.test(text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')))
    .map(([file]) => file);
  expect(found.filter((file) => !(file in writers))).toEqual([]);
  // A list that names who does not write hides who begins to.
  expect(Object.keys(writers).filter((file) => !found.includes(file))).toEqual([]);
});
