import { isDeepStrictEqual } from 'node:util';
import { sideOf } from '../../kernel/core/index.ts';
import type { RecordingHeader } from '../../kernel/recordings/index.ts';
import { readTarget, redactedTargetFile, type Target } from '../../kernel/targets/index.ts';
import { keyVariable } from '../../kernel/wire/index.ts';
import { bundleFiles, type SubjectFile, subjectFileOf } from './files.ts';

type Judged = Pick<RecordingHeader, 'target'>;

/** Text of the subject file, which is derived from the recording. */
export function subjectText({ target }: Judged): string {
  const { name, client } = target;
  return client === undefined
    ? redactedTargetFile(target)
    : `${JSON.stringify({ name, ...client }, null, 2)}\n`;
}

/** Explains why a file does not describe the subject of the recording. */
export function subjectProblems(name: SubjectFile, text: string, judged: Judged): string[] {
  const { exchanges, client } = bundleFiles;
  if (name !== subjectFileOf(judged)) {
    return [`${exchanges} is of a ${sideOf(judged)}, and ${name} is not of one`];
  }
  const what = name === client ? 'client' : 'target';
  // The whole text is compared, because a comment in it may try to mislead readers. What is not equal is not parsed.
  return text === subjectText(judged) && (name === client || isDescribed(text, judged))
    ? []
    : [`${name} describes another ${what} than ${exchanges}`];
}

/** True if a target file can describe the target, and this one does. */
function isDescribed(text: string, { target }: Judged): boolean {
  const played = Object.entries(target.providers?.keys ?? {}).map(([name, standIn]) => [
    `provider-${name}`,
    standIn,
  ]);
  const keys = [...Object.entries(target.keys), ...played].map(([key = '', standIn]) => [
    keyVariable(key),
    String(standIn),
  ]);
  const standIns = { ...target.variables, ...Object.fromEntries(keys) };
  const described = readTarget(text, bundleFiles.target, standIns, { needsFiles: false });
  return isDeepStrictEqual(inOneOrder(described), inOneOrder(target));
}

/** Sorts capabilities, because a file may name several of them by one word, without an order. */
function inOneOrder(target: Target): Target {
  const models = target.models.map(({ supports, lacks, ...model }) => ({
    ...model,
    supports: [...supports].sort(),
    lacks: [...lacks].sort(),
  }));
  return { ...target, models };
}
