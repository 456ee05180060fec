import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fixture, packageRoot } from '../../kernel/core/package-root.ts';
import { exitCodes } from '../../kernel/core/verdict.ts';
import { faults } from '../../proof/faults/index.ts';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { readPage } from './pages.ts';
import { commandsIn, type ShellCommand, shellCommands } from './shell-lines.ts';

/** Every command of the pages for users is run as it stands there, against the reference gateway. */

/** Commands that cannot be run here, by their beginning, and the reason. */
const notRun: readonly (readonly [RegExp, string])[] = [
  [/^npm (ci|start|test|run build)\b/, 'this very test is a part of it'],
  [/^npm (install|pack)\b/, 'harness/package.test.ts packs and installs it'],
  [/^sh found\.sh$/, 'harness/features/explore/commands/script.test.ts'],
  [/^docker\b/, 'harness/features/containers has tests with Docker'],
  [/^openssl\b/, 'no program of ours; a test of certificates makes keys'],
  [/ observe --target/, 'waits for clients: harness/features/observe/commands/observe.test.ts'],
  [/--har\b/, 'needs what a browser has saved: harness/features/observe/har.test.ts'],
  [/ (certify|verify)\b/, 'a run in full: harness/features/certificate/commands/certify.test.ts'],
  [
    /--upstream-of\b/,
    'needs a gateway that asks a provider: harness/features/client/commands/client-upstream.test.ts',
  ],
];

/** Replaces values in the pages that differ for every user. */
function withStandIns(word: string, baseUrl: string): string {
  return word
    .replace('https://gateway.example', baseUrl)
    .replace(/^m-1$/, 'ts-omni')
    .replace('$CI_NODE_INDEX', '1')
    .replace('$CI_NODE_TOTAL', '4')
    .replace(/^\$\{?GITHUB_STEP_SUMMARY\}?$/, 'summary.md');
}

/** Makes a command cheap: a run selects these few checks, and a client is not started. */
function cheaply([command = '', ...rest]: readonly string[]): string[] {
  const few = rest.some((word) => /^(@\S+|[a-z]+\/[a-z-]*)$/.test(word))
    ? []
    : ['counting/responses'];
  if (command === 'client') return [command, '--plan', ...rest];
  if (command === 'run') rest.unshift('--rps', '1000');
  return command === 'run' && !rest.includes('--rerun-failed')
    ? [command, ...rest, ...few]
    : [command, ...rest];
}

const program =
  /^(?:TOUCHSTONE_KEY=\S+ )?npx (?:--no gateway-touchstone|--yes \.\/gateway-touchstone-\S+\.tgz) /;
const pages = [
  'README.md',
  'fixtures/everyday.md',
  'fixtures/certificates.md',
  'fixtures/target.md',
  'fixtures/histories.md',
  'fixtures/pipelines/README.md',
  'fixtures/clients/README.md',
];
const pipelines = ['github-actions.yml', 'github-actions-matrix.yml', 'gitlab-ci.yml'];

const isRun = ({ line }: ShellCommand): boolean => !notRun.some(([form]) => form.test(line));

/** The commands in the scripts of a pipeline. */
function commandsOfPipeline(name: string): ShellCommand[] {
  const look = (value: unknown): string[] => {
    if (typeof value === 'string') return program.test(value) ? [value] : [];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(look) : [];
  };
  const documents = parseAllDocuments(readFileSync(fixture('pipelines', name), 'utf8'));
  return documents.flatMap((document) => look(document.toJS())).flatMap(shellCommands);
}

const sources: readonly (readonly [string, readonly ShellCommand[]])[] = [
  ...pages.map((page) => [page, commandsIn(readPage(page))] as const),
  ...pipelines.map((name) => [`fixtures/pipelines/${name}`, commandsOfPipeline(name)] as const),
];

// Something fails, so that there is something to run again.
const defect = faults.find(({ id }) => id === 'delete.says-false');
const gateway = await startReference(defect === undefined ? {} : { defect });
afterAll(() => gateway.close());

interface Line {
  readonly page: string;
  readonly words: readonly string[];
}

/** @returns what each command came to */
async function runAll(lines: readonly Line[]): Promise<Ended[]> {
  const folder = temporaryFolder();
  try {
    writeFileSync(join(folder, 'lines.json'), JSON.stringify(lines));
    const script = join(packageRoot, 'dist', 'harness', 'lab', 'run-lines.js');
    const environment = {
      PATH: process.env.PATH,
      TOUCHSTONE_KEY: gateway.keys.owner,
      NO_COLOR: '1',
      TOUCHSTONE_KEY_OTHER_USER: gateway.keys.otherUser,
    };
    await new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, [script], {
        cwd: folder,
        env: environment,
        stdio: 'inherit',
      });
      child.on('error', reject);
      child.on('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`exit code ${code}`)),
      );
    });
    return JSON.parse(readFileSync(join(folder, 'ended.json'), 'utf8'));
  } finally {
  }
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** True for the variables that a reader sets before the first command. */
const isSetting = ({ words }: ShellCommand): boolean => words[0] === 'export';

test('every command of the pages for users works', { timeout: 120_000 }, async () => {
  const [baseUrl = ''] = gateway.regions.map((region) => region.baseUrl);
  const commands = sources.flatMap(([page, all]) =>
    all
      .filter((command) => isRun(command) && !isSetting(command))
      .map((command) => ({ page, ...command })),
  );
  const unknown = commands.filter(({ line }) => !program.test(line));
  expect(unknown.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
  expect(commands.length).toBeGreaterThan(20);
  const lines = commands.map(({ page, words }) => {
    const own = words.slice(words.findIndex((word) => word.includes('gateway-touchstone')) + 1);
    return { page, words: cheaply(own).map((word) => withStandIns(word, baseUrl)) };
  });
  const ended = await runAll(lines);
  // A verdict is no matter of the page: a few checks of a run are partial.
  const verdicts = [exitCodes.conformant, exitCodes.nonconformant, exitCodes.undecided];
  const failed = ended.flatMap(({ code, said }, index) =>
    verdicts.some((verdict) => verdict === code)
      ? []
      : [`${commands[index]?.page}: ${commands[index]?.line}: exit code ${code}\n${said}`],
  );
  expect(failed).toEqual([]);
});

describe('what is not run', () => {
  test('has a reason that is needed', () => {
    const all = sources.flatMap(([, commands]) => commands);
    const idle = notRun.filter(([form]) => !all.some(({ line }) => form.test(line)));
    expect(idle.map(([form]) => String(form))).toEqual([]);
  });
});

test('commands are read as a shell reads them', () => {
  const script = 'a \'b c\' "d e" # f\n# g\nh \\\n  i && j#k\n\n';
  expect(shellCommands(script).map(({ words }) => words)).toEqual([
    ['a', 'b c', 'd e'],
    ['h', 'i'],
    ['j#k'],
  ]);
});
