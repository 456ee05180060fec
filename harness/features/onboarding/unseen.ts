import { type Capability, commandLine } from '../../kernel/core/index.ts';
import { counted } from '../../kernel/report/index.ts';
import { capabilitiesInFile, keyVariables, restrictionsOfKey } from '../../kernel/targets/index.ts';
import { costOfTrying } from './capability-tries.ts';
import type { Discovered } from './discovery.ts';
import type { Finding } from './finding.ts';
import type { HeaderSeen } from './headers.ts';
import type { Seen } from './init-target-file.ts';
import { openOf } from './seen-table.ts';

/**
 * Findings on facts that `init` could not see, with advice.
 *
 * @param file path of the target file that it writes
 * @param program command that starts Touchstone
 */
export function unseen(seen: Seen, file: string, program = 'touchstone'): Finding[] {
  const { models, generated, target, alsoServes } = seen;
  const found: Finding[] = [
    ...header(seen.headers.messages, 'Messages', `${target.names.vendorA}-version`, '--vendor-a'),
    ...header(
      seen.headers.generative,
      'generative-content',
      `x-${target.names.vendorB}-api-key`,
      '--vendor-b',
    ),
    ...(alsoServes.length === 0
      ? []
      : [{ mark: 'unknown' as const, what: `served, not judged: ${alsoServes.join(', ')}` }]),
    ...models.flatMap(({ id, notes }) =>
      notes.map((said) => ({ mark: 'unknown' as const, what: `${id}: ${said}` })),
    ),
  ];
  const open = models.filter((model) => openOf(model).length > 0);
  const { generations } = costOfTrying(open);
  if (open.length > 0 && !generated) {
    found.push({
      mark: 'unknown',
      what: 'what only a generation shows (? in the table)',
      next: `With ${counted(generations, 'short generation')} at most: ${program} ${commandLine(['init', '--update', file, '--generate'])}`,
    });
  }
  const untried = models.filter((model) => model.untried.length > 0);
  if (untried.length > 0) {
    found.push({
      mark: 'unknown',
      what: `what the budget left out, of ${ids(untried)}`,
      next: `To go on with it: ${program} ${commandLine(['init', '--update', file, '--generate'])}`,
    });
  }
  const left = (model: Discovered): Capability[] =>
    generated ? openOf(model).filter((name) => !model.untried.includes(name)) : [];
  for (const { names, of } of alike(models, left)) {
    const what = `the answers show nothing of ${names}: ${of}`;
    found.push({
      mark: 'unknown',
      what,
      next: 'Declare it under `supports` or `lacks`, if you know.',
    });
  }
  for (const { names, of } of alike(models, ({ ignores }) => ignores)) {
    const what = `answered as if it had not been asked for: ${names}: ${of}`;
    found.push({
      mark: 'unknown',
      what,
      next: 'Under `lacks`, a run judges whether it is refused.',
    });
  }
  return [...found, ...missingIn(seen)];
}

function header(seen: HeaderSeen, protocol: string, name: string, option: string): Finding[] {
  if (seen.state !== 'refused') return [];
  const what = `${protocol} does not take the key as it was sent, with ${name}: it ${seen.said}`;
  return [{ mark: 'unknown', what, next: `If the header has another name: ${option} NAME.` }];
}

/** Findings on facts that no request shows, because the user did not provide the prerequisites. */
function missingIn({ target, others, restrictions }: Seen): Finding[] {
  const found: Finding[] = [];
  const missing = (['sameUser', 'otherUser', 'restricted'] as const).filter(
    (name) =>
      target.keys[name] === undefined &&
      !restrictionsOfKey[name].some((one) => restrictions.includes(one)),
  );
  if (missing.length > 0) {
    found.push({
      mark: 'unknown',
      what: `other keys: ${missing.join(', ')}`,
      next: `Set ${missing.map((name) => keyVariables[name]).join(', ')}, as far as you have them, and uncomment them in the file; where the gateway has no such keys, say so there: singleUser, oneKeyPerUser, noPermissions.`,
    });
  }
  if (target.regions.length === 1 && !restrictions.includes('single-region')) {
    found.push({
      mark: 'unknown',
      what: 'other regions',
      next: 'Add them under `regions`, or say `singleRegion: true`.',
    });
  }
  if (others.length > 0) {
    const are = others.length === 1 ? 'one other model is' : `${others.length} other models are`;
    const next = '--model ID takes one by its name, --models N more of them.';
    found.push({ mark: 'unknown', what: `${are} listed`, next });
  }
  return found;
}

/** Groups models with equal findings. */
function alike(
  models: readonly Discovered[],
  saying: (model: Discovered) => readonly Capability[],
): { readonly names: string; readonly of: string }[] {
  const groups = new Map<string, Discovered[]>();
  for (const model of models) {
    const names = capabilitiesInFile(saying(model)).join(', ');
    if (names !== '') groups.set(names, [...(groups.get(names) ?? []), model]);
  }
  return [...groups].map(([names, group]) => ({
    names,
    of: group.length > 1 && group.length === models.length ? 'every model' : ids(group),
  }));
}

function ids(models: readonly { readonly id: string }[]): string {
  return models.map(({ id }) => id).join(', ');
}
