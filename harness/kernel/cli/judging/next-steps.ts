import {
  type Capability,
  commandLine,
  type RunResult,
  restrictionOf,
  servedIn,
} from '../../core/index.ts';
import { labelled, wrap } from '../../report/index.ts';
import { capabilityInFile, showable } from '../../targets/index.ts';
import type { Terminal } from '../../terminal/index.ts';
import type { TargetOptions } from '../options/choose-target.ts';

/**
 * Suggests a target file after a run without one, which knows only the command line and its observations. Empty for
 * any other run, and for one that left nothing untested.
 */
export function moreWithAFile(
  { checks }: Pick<RunResult, 'checks'>,
  { baseUrl, model = [], header = {}, restriction = [] }: TargetOptions,
  { program = 'touchstone' }: Pick<Terminal, 'program'> = {},
): string {
  const isOpen = checks.some(
    ({ verdict }) => verdict.state === 'untestable' && restrictionOf(verdict) === null,
  );
  if (baseUrl === undefined || !isOpen) return '';
  const models = model.flatMap((id) => ['--model', id]);
  const without = restriction.flatMap((name) => ['--restriction', name]);
  // Secrets from the command line are not repeated.
  const headers = Object.entries(showable(header, {})).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  const more = [
    '→ There is no target file yet. Look at the gateway, and write one to be added to:',
    `  ${program} ${commandLine(['init', '--base-url', baseUrl, ...models, ...headers, ...without])}`,
  ];
  return `${more.join('\n')}\n`;
}

/**
 * Lists capabilities that a run has seen and that its target file does not name, with the command that adds them.
 * Empty if there is no file, or nothing to add.
 */
export function moreForTheFile(
  { checks }: RunResult,
  { target }: TargetOptions,
  { program = 'touchstone', stdout }: Pick<Terminal, 'program' | 'stdout'>,
): string {
  if (target === undefined) return '';
  const seen = new Map<string, Capability[]>();
  for (const check of checks) {
    const noted = servedIn(check);
    if (noted === null) continue;
    seen.set(noted.model, [...(seen.get(noted.model) ?? []), noted.capability]);
  }
  if (seen.size === 0) return '';
  const models = [...seen].map(([model, served]) => ({
    model,
    names: served.map(capabilityInFile),
  }));
  const said = models.map(({ model, names }) => `${model} serves ${names.join(', ')}`).join('; ');
  const options = models.flatMap(({ model, names }) => ['--supports', `${model}=${names.join()}`]);
  const what = `${said}: ${target} does not say so, and what is about it was not tested. This adds it:`;
  const lines = [
    ...labelled('→ ', wrap(what, (stdout.columns || 100) - 2)),
    `  ${program} ${commandLine(['init', '--update', target, ...options])}`,
  ];
  return `${lines.join('\n')}\n`;
}
