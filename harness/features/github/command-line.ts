import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../kernel/terminal/index.ts';
import { handedOn, takesValue } from './inputs.ts';

export type Inputs = Readonly<Record<string, string>>;

/** Names of the files that a run of the action writes. */
export const reportFiles = {
  json: 'report.json',
  html: 'report.html',
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  badge: 'badge.svg',
  record: 'exchanges.jsonl',
} as const;

/**
 * Returns the arguments of `touchstone` for the inputs of the action.
 *
 * @param summary file of the job summary
 * @throws {UsageError} when an input has an invalid value
 */
export function commandLineOf(inputs: Inputs, summary: string): string[] {
  const merge = linesOf(inputs.merge);
  return merge.length > 0 ? mergeLine(inputs, merge, summary) : runLine(inputs, summary);
}

function runLine(inputs: Inputs, summary: string): string[] {
  const { shard = '' } = inputs;
  const several = linesOf(inputs.target).length > 1;
  const folder = join(inputs.reports ?? '.', several ? '{target}' : '');
  const { record, ...reports } = reportFiles;
  return [
    'run',
    ...handedOn().flatMap((option) => {
      const name = option.long?.slice(2) ?? '';
      const given = inputs[name] ?? '';
      if (takesValue(option)) return linesOf(given).flatMap((line) => [`--${name}`, line]);
      return isOn(name, given)
        ? [`--${name}`]
        : name === 'settle' && given === 'false'
          ? ['--no-settle']
          : [];
    }),
    // A shard is at most partial, so only the merged result is annotated.
    ...(shard === '' ? ['--github', '--markdown', summary] : []),
    ...(shard === '' || inputs['allow-partial'] === 'true' ? [] : ['--allow-partial']),
    ...Object.entries(reports).flatMap(([name, file]) => [`--${name}`, join(folder, file)]),
    ...(isOn('record', inputs.record ?? '') ? ['--record', join(folder, record)] : []),
    '--',
    ...(inputs.ids ?? '').split(/\s+/).filter((id) => id !== ''),
  ];
}

function mergeLine(inputs: Inputs, patterns: readonly string[], summary: string): string[] {
  const { record: _, ...reports } = reportFiles;
  const recordings = filesOf('recordings', linesOf(inputs.recordings));
  return [
    'merge',
    ...filesOf('merge', patterns),
    ...(recordings.length === 0 ? [] : ['--recordings', ...recordings]),
    ...(isOn('allow-partial', inputs['allow-partial'] ?? '') ? ['--allow-partial'] : []),
    '--github',
    '--markdown',
    summary,
    ...Object.entries(reports).flatMap(([name, file]) => [
      `--${name}`,
      join(inputs.reports ?? '.', file),
    ]),
  ];
}

function filesOf(input: string, patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = matching(pattern);
    if (found.length === 0)
      throw new UsageError(`The input ${input}: no file is named ${pattern}.`);
    return found;
  });
}

/** The files that match a pattern, in which `*` matches anything but `/`. */
export function matching(pattern: string): string[] {
  const parts = pattern.split('/');
  let found = [parts[0] === '' ? '/' : ''];
  for (const part of parts) {
    if (part === '') continue;
    const form = new RegExp(`^${part.split('*').map(escaped).join('[^/]*')}$`);
    found = found.flatMap((folder) => {
      if (!part.includes('*')) return [join(folder, part)];
      const place = folder === '' ? '.' : folder;
      const names = existsSync(place) ? readdirSync(place) : [];
      return names.filter((name) => form.test(name)).map((name) => join(folder, name));
    });
  }
  return found.filter((file) => existsSync(file)).sort();
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

function linesOf(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function isOn(name: string, text: string): boolean {
  if (!['true', 'false', ''].includes(text)) {
    throw new UsageError(`The input ${name} is "${text}": say true or false.`);
  }
  return text === 'true';
}
