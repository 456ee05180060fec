import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { mergeCommand } from './commands/merge.ts';
import { runCommand } from './commands/run.ts';
import { fixture, packageRoot } from './core/package-root.ts';
import { processTerminal } from './terminal/terminal.ts';

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
  [runCommand(processTerminal(), () => {}), mergeCommand(processTerminal(), () => {})].map(
    (command) => [command.name(), command.options.map(({ long }) => long)],
  ),
);

/** The command lines in a text: which command, and its options. */
function commandLines(text: string): { command: string; options: string[] }[] {
  const lines = text.matchAll(/\btouchstone(?:@\S+)? (run|merge)\b(.*)/g);
  return [...lines].map(([, command = '', rest = '']) => ({
    command,
    options: [...rest.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option),
  }));
}

const { version }: { version: string } = JSON.parse(read('package.json'));
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
    for (const [, named] of source.matchAll(/gateway-touchstone@v?(\S+)/g)) {
      expect(named).toBe(version);
    }
  });

  test('is in the list', () => {
    expect(read('fixtures', 'pipelines', 'README.md')).toContain(`](${name})`);
  });
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: unknown }>>;
  readonly runs: { readonly steps: readonly { readonly env: object; readonly run: string }[] };
}

describe('the action', () => {
  const action: Action = parseAllDocuments(read('action.yml'))[0]?.toJS();
  const [step] = action.runs.steps;

  test('hands all its inputs to its step through the environment, where they are no code', () => {
    const given = textsOf(step?.env).map((text) => /inputs\.([a-z-]+)/.exec(text)?.[1]);
    expect(given.sort()).toEqual(Object.keys(action.inputs).sort());
    expect(step?.run).not.toContain('${{');
  });

  test('installs this version, and uses options that the command has', () => {
    expect(action.inputs.version?.default).toBe(version);
    const script = step?.run ?? '';
    const line = script.slice(script.indexOf('line=(run'));
    const options = [...line.matchAll(/(?<=[ (])--[a-z-]+/g)].map(([option]) => option);
    expect(options.length).toBeGreaterThan(5);
    expect(optionsOf.get('run')).toEqual(expect.arrayContaining(options));
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
