import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import '../features.ts';
import { matching } from '../features/github/index.ts';
import { touchstone } from '../kernel/cli/program.ts';
import type { Output } from '../kernel/terminal/index.ts';

// Runs the command lines of the pages one after another in this process: those of each page in a folder of its own.

interface PageLine {
  readonly page: string;
  readonly words: readonly string[];
}

const place = process.cwd();
const lines: readonly PageLine[] = JSON.parse(readFileSync('lines.json', 'utf8'));
const ended: { code: number; said: string }[] = [];

for (const { page, words } of lines) {
  const folder = `${place}/${page.replaceAll(/[^a-z]/gi, '-')}`;
  mkdirSync(`${folder}/reports`, { recursive: true });
  process.chdir(folder);
  if (words.includes('--known-failures') && !existsSync('known.txt'))
    writeFileSync('known.txt', '');
  nameTargets(words);
  let said = '';
  const write = (text: string): void => {
    said += text;
  };
  const output: Output = { write };
  const code = await touchstone(
    words.flatMap((word) => (word.includes('*') ? matching(word) : [word])),
    { stdout: output, stderr: output, environment: process.env, onInterrupt: () => () => {} },
  );
  ended.push({ code, said });
}
writeFileSync(`${place}/ended.json`, JSON.stringify(ended));

/** Writes the target files that pages name: the one that the first page wrote, each with a name of its own. */
function nameTargets(words: readonly string[]): void {
  const written = `${place}/README-md/staging.yaml`;
  const out = words[words.indexOf('--out') + 1];
  for (const file of words) {
    if (!file.endsWith('.yaml') || file === out || existsSync(file)) continue;
    const named = readFileSync(written, 'utf8').replace(
      /^name: .*$/m,
      `name: ${file.slice(0, -5)}`,
    );
    writeFileSync(file, named);
  }
}
