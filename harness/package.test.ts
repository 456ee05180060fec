import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from './kernel/core/package-root.ts';
import { exampleIn, isTest, temporaryFolder } from './testing.ts';

/** The package as users get it: packed, and installed in an empty folder. */
const folder = temporaryFolder();
// The action installs it in this folder, too.
const installed = join(folder, 'touchstone');
const patience = 600_000;

interface Ended {
  readonly code: number;
  readonly out: string;
}

/** Runs a command to its end, whatever its exit code; `out` is all that it wrote. */
async function call(
  cwd: string,
  command: string,
  line: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const {
    NO_COLOR: _,
    FORCE_COLOR: __,
    GITHUB_ACTIONS: ___,
    VITEST: ____,
    ...inherited
  } = process.env;
  const options = {
    cwd,
    env: { ...inherited, NO_COLOR: '1', ...environment },
    maxBuffer: 64 * 1024 * 1024,
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, line, options);
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error;
    const code = 'code' in error && typeof error.code === 'number' ? error.code : -1;
    return { code, out: `${error.stdout}${error.stderr}` };
  }
}

async function succeed(cwd: string, command: string, ...line: string[]): Promise<string> {
  const { code, out } = await call(cwd, command, line);
  if (code !== 0) throw new Error(`${command} ${line.join(' ')} exits with ${code}:\n${out}`);
  return out;
}

const touchstone = (...line: string[]): Promise<Ended> =>
  call(installed, join(installed, 'node_modules', '.bin', 'touchstone'), line);

// Packs what `npm test` has built: to build again, as `npm publish` does, would clean dist/, which other
// tests use meanwhile.
await succeed(packageRoot, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
const list = await succeed(folder, 'tar', '-tzf', tarball);
const files = list
  .trimEnd()
  .split('\n')
  .map((path) => path.replace(/^package\//, ''));
mkdirSync(installed);
writeFileSync(join(installed, 'package.json'), '{ "private": true, "type": "module" }');
// Nothing that Touchstone needs has to be compiled on the user's machine.
const how = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
await succeed(installed, 'npm', 'install', ...how, tarball);

test('has what it needs, and nothing that only its tests do', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'package.json',
      'dist/harness/main.js',
      'dist/harness/features/library/library.js',
      'dist/harness/features/library/library.d.ts',
      'dist/harness/features/library/mock.js',
      'dist/harness/features/library/vitest.js',
      'dist/suites/generation/responses.check.js',
      'dist/catalogue.json',
      'dist/commands.json',
      'dist/licences.txt',
      'fixtures/target.schema.json',
    ]),
  );
  const places =
    /^(dist\/(chunks|harness|suites)\/|dist\/(catalogue\.json|commands\.json|licences\.txt)$|fixtures\/|harness\/proof\/[a-z-]+\.txt$|(LICENSE|package\.json|README\.md|CHANGELOG\.md)$)/;
  expect(files.filter((path) => !places.test(path))).toEqual([]);
  const ours = /tsbuildinfo|__snapshots__|(?<!\.d)\.ts$/;
  const sourceOf = (path: string): string => path.replace(/(\.d\.ts|\.js)$/, '.ts');
  expect(files.filter((path) => ours.test(path) || isTest(sourceOf(path)))).toEqual([]);
});

test('has the code and the data of the clone that it was made in', () => {
  const own = join(installed, 'node_modules', 'gateway-touchstone');
  const others = files.filter(
    (path) => !readFileSync(join(own, path)).equals(readFileSync(join(packageRoot, path))),
  );
  // The digest in certificates is taken over these files.
  expect(others).toEqual([]);
});

test('satisfies publint', async () => {
  const bytes = await new Blob([readFileSync(tarball)]).arrayBuffer();
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: 'suggestion' });
  expect(pkg?.name).toBe('gateway-touchstone');
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
});

test('certifies the reference gateway, in full, and verifies it', {
  timeout: patience,
}, async () => {
  const bundle = join(folder, 'certificate');
  const line = ['certify', '--reference', 'embedded', '--out', bundle, '--quiet'];
  const { code, out } = await touchstone(...line);
  expect(out).toContain('CONFORMANT');
  expect(code, out).toBe(0);
  const verified = await touchstone('verify', bundle);
  expect(verified.out).toMatch(/^exchanges +\d{4}, judged again with the same verdicts/m);
  expect(verified.out).toContain('\nINTACT: ');
  expect(verified.code).toBe(2);
});

test('takes few packages and little room', async () => {
  const modules = join(installed, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const [kilobytes] = (await succeed(modules, 'du', '-sk', '.')).split('\t');
  expect(Object.keys(packages).length).toBeLessThanOrEqual(10);
  expect(Number(kilobytes) / 1024).toBeLessThanOrEqual(12);
});

test('says what containers need, which is not installed with it', async () => {
  expect(await touchstone('run', '--reference', 'container')).toEqual({
    code: 3,
    out: 'The reference gateway in containers needs testcontainers, which is not installed: npm install testcontainers@11\n',
  });
});

test('says that its Vitest project needs Vitest, which is not installed with it, or too old', async () => {
  const script = "(await import('gateway-touchstone/vitest')).touchstone()";
  const told = async (): Promise<string> =>
    (await call(installed, process.execPath, ['--input-type=module', '-e', script])).out;
  expect(await told()).toContain(
    'MissingPackage: gateway-touchstone/vitest needs vitest, which is not installed: npm install vitest@4\n',
  );
  const older = join(installed, 'node_modules', 'vitest');
  mkdirSync(older);
  onTestFinished(() => rmSync(older, { recursive: true }));
  writeFileSync(join(older, 'package.json'), '{ "name": "vitest", "version": "3.2.7" }');
  expect(await told()).toContain(
    'needs vitest 4 or newer, and 3.2.7 is installed: npm install vitest@4\n',
  );
});

/** As `npm install vitest@4` would, without the wait: the Vitest that runs this test. It goes when the test has ended. */
function installVitest(): void {
  const place = join(installed, 'node_modules', 'vitest');
  symlinkSync(join(packageRoot, 'node_modules', 'vitest'), place, 'dir');
  onTestFinished(() => rmSync(place));
}

const doors = ['library', 'mock', 'vitest'];

test('has types that fit its examples', async () => {
  installVitest();
  for (const door of doors) {
    writeFileSync(
      join(installed, `${door}.ts`),
      exampleIn(join(packageRoot, 'harness', 'features', 'library', `${door}.ts`)),
    );
  }
  const modules = join(packageRoot, 'node_modules');
  const flags = '--strict --noEmit --target es2023 --module nodenext --types node';
  const line = [...flags.split(' '), '--typeRoots', join(modules, '@types')];
  const compiler = join(modules, '.bin', 'tsc');
  const { out } = await call(installed, compiler, [...line, ...doors.map((door) => `${door}.ts`)]);
  expect(out).toBe('');
});

test('gives a Vitest project in which a check is an ordinary test', async () => {
  installVitest();
  const config = [
    "import { defineConfig } from 'vitest/config';",
    "import { touchstone } from 'gateway-touchstone/vitest';",
    'export default defineConfig({ test: { projects: [touchstone({ seed: 7 })] } });',
  ];
  writeFileSync(join(installed, 'vitest.config.js'), config.join('\n'));
  const id = 'generation/responses.shape';
  const vitest = join(packageRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const line = [vitest, 'run', '--project', 'touchstone', '-t', id];
  const file = join(installed, 'vitest.json');
  const reporter = ['--reporter', 'json', '--outputFile', file];
  const { code, out } = await call(installed, process.execPath, [...line, ...reporter]);
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 0, success: true });
  expect(code, out).toBe(0);
});

test('is run by the action, which reports and says the verdict', {
  timeout: patience,
}, async () => {
  const { runs } = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'));
  const script = join(folder, 'action.sh');
  writeFileSync(script, runs.steps.find(({ id }: { id?: string }) => id === 'run').run);
  const runner = {
    RUNNER_TEMP: folder,
    GITHUB_OUTPUT: join(folder, 'output.txt'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_ACTIONS: 'true',
  };
  const reports = join(folder, 'reports');
  const inputs = {
    version: basename(tarball),
    reference: 'embedded',
    ids: 'generation/responses. generation/messages.',
    strict: 'true',
    record: 'true',
    reports,
  };
  // As the runner starts a step with `shell: bash`.
  const line = ['--noprofile', '--norc', '-eo', 'pipefail', script];
  const { code, out } = await call(folder, 'bash', line, {
    ...runner,
    INPUTS: JSON.stringify(inputs),
  });
  expect(code, out).toBe(2);
  expect(readFileSync(runner.GITHUB_OUTPUT, 'utf8')).toBe('exit-code=2\nverdict=partial\n');
  expect(readFileSync(runner.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^#/);
  expect(readdirSync(reports).sort()).toEqual([
    'badge.svg',
    'ctrf.json',
    'exchanges.jsonl',
    'junit.xml',
    'report.html',
    'report.json',
  ]);
  const report = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'));
  expect(report).toMatchObject({
    filters: ['generation/responses.', 'generation/messages.'],
    strict: true,
    counts: { fail: 0 },
  });
});
