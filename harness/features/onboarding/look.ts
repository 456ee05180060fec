import { protocols, type Restriction, restrictionNames } from '../../kernel/core/index.ts';
import {
  type Ask,
  answerOf,
  asker,
  assertLooksLikeGateway,
  catalogModels,
  isServed,
  jsonOf,
  listedModels,
  noModel,
  socketAsker,
} from '../../kernel/probing/index.ts';
import { catalogCall, listCall } from '../../kernel/protocols/index.ts';
import { counted, printable, wrap } from '../../kernel/report/index.ts';
import type { Keys, Target } from '../../kernel/targets/index.ts';
import { canAsk, question, type Terminal, UsageError } from '../../kernel/terminal/index.ts';
import { costOfTrying, tryCapabilities } from './capability-tries.ts';
import { type Discovered, discover } from './discovery.ts';
import { furtherEndpoints } from './further-endpoints.ts';
import { findHeaders } from './headers.ts';
import type { Seen } from './init-target-file.ts';

/** Options of an inspection of a gateway. */
export interface LookOptions {
  readonly model?: readonly string[];
  /** Maximum number of listed models to inspect. */
  readonly models: number;
  readonly vendorA?: string;
  readonly vendorB?: string;
  readonly generate?: boolean;
  readonly generations?: number;
  readonly yes?: boolean;
  /** Features that the gateway does not have. */
  readonly restriction?: readonly Restriction[];
}

/** True if the user may be asked for missing options. */
export function mayAsk({ yes }: LookOptions, terminal: Terminal): boolean {
  return yes !== true && canAsk(terminal);
}

/** Inspects a gateway that no target file describes yet. */
export async function look(
  start: Target,
  options: LookOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Seen> {
  const ids = (await listedModels(asker(start, signal))) ?? [];
  const any = options.model?.[0] ?? ids[0];
  const atModel = any === undefined ? start : withModel(start, any);
  await assertLooksLikeGateway(atModel, asker(start, signal));
  const { target, ...headers } = await findHeaders(start, any ?? noModel, options, signal);
  const ask = asker(target, signal);
  const listed = await listedFor(target, ask);
  const catalog = await catalogModels(ask);
  const all = [...(listed.get('owner') ?? [])];
  const chosen = options.model ?? (await chooseModels(all, options, terminal, signal));
  if (chosen.length === 0) {
    throw new UsageError(`${await noModels(ask)} Name a model with --model ID.`);
  }
  const free: Discovered[] = [];
  for (const id of chosen) free.push(await discover(id, { ask, catalog }));
  const { models, generated } = await tryOut(free, target, options, terminal, signal);
  const restrictions = await restrictionsOf(target, options, terminal, signal);
  return {
    ...{ target, headers, models, generated, restrictions },
    alsoServes: await furtherEndpoints(ask),
    others: all.filter((id) => !chosen.includes(id)),
    // The lists tell nothing about a model that none of them shows.
    permitted: (id: string) =>
      listed.get('owner')?.has(id) === true
        ? [...keysOf(target)].filter((key) => listed.get(key)?.has(id) ?? key !== 'restricted')
        : null,
  };
}

/** Features that a run needs of a target, and that a small gateway lacks. */
const wanted: Readonly<Record<Exclude<Restriction, 'without-storage'>, string>> = {
  'single-region': 'a second region',
  'single-user': 'a second user',
  'one-key-per-user': 'a second key of one user',
  'no-permissions': 'a key that may not use every model',
  'without-probes': 'probes: endpoints that show what was charged, and age what is stored',
};

/** Restrictions of the gateway: from the command line, and from the user if a prompt is possible. */
async function restrictionsOf(
  { keys, regions }: Target,
  options: LookOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<readonly Restriction[]> {
  // A gateway that takes no keys cannot distinguish users.
  const ofNoKeys: readonly Restriction[] =
    keys.owner === undefined ? ['single-user', 'one-key-per-user', 'no-permissions'] : [];
  const said = [...new Set([...(options.restriction ?? []), ...ofNoKeys])];
  if (!mayAsk(options, terminal) || signal.aborted) return said;
  const isGiven: Readonly<Record<keyof typeof wanted, boolean>> = {
    'single-region': regions.length > 1,
    'single-user': keys.otherUser !== undefined,
    'one-key-per-user': keys.sameUser !== undefined || keys.restricted !== undefined,
    'no-permissions': keys.restricted !== undefined,
    'without-probes': false,
  };
  const open = restrictionNames
    .filter((name) => name !== 'without-storage')
    .filter((name) => !isGiven[name] && !said.includes(name));
  if (open.length === 0) return said;
  const lines = open.map((name, index) => `  ${index + 1}  ${wanted[name]}`);
  terminal.stdout.write(`\nNot given, and wanted by some checks:\n${lines.join('\n')}\n`);
  while (!signal.aborted) {
    const text = 'Which of these does the gateway not have, such as 1,3-5? Enter says none: ';
    const line = await question(terminal, text, signal);
    if (line === '') return said;
    const numbers = numbersIn(line, open.length);
    if (numbers !== null) return [...said, ...numbers.flatMap((one) => open[one - 1] ?? [])];
    terminal.stdout.write(`Numbers from 1 to ${open.length}, with commas between.\n`);
  }
  return said;
}

function keysOf({ keys }: Target): (keyof Keys)[] {
  return (['owner', 'sameUser', 'otherUser', 'restricted'] as const).filter(
    // Without any keys, every caller counts as the owner.
    (key) => key === 'owner' || keys[key] !== undefined,
  );
}

/**
 * Models that each key is shown. A key that gets no list is left out, because that tells nothing about its permissions.
 */
async function listedFor(target: Target, ask: Ask): Promise<Map<keyof Keys, ReadonlySet<string>>> {
  const listed = new Map<keyof Keys, ReadonlySet<string>>();
  for (const key of keysOf(target)) {
    const list = await listedModels(ask, { key });
    const catalog = await catalogModels(ask, { key });
    if (list === null && catalog === null) continue;
    listed.set(key, new Set([...(list ?? []), ...(catalog?.models ?? []).map(({ id }) => id)]));
  }
  return listed;
}

/** Maximum number of models to choose from. */
const mostShown = 60;

/** Returns the first listed models, or on a terminal those that the user selects. */
async function chooseModels(
  all: readonly string[],
  options: LookOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const first = all.slice(0, options.models);
  if (all.length < 2 || !mayAsk(options, terminal)) return first;
  const shown = all.slice(0, mostShown);
  const lines = shown.map((id, index) => `  ${String(index + 1).padStart(3)}  ${printable(id)}`);
  const rest = all.length - shown.length;
  terminal.stdout.write(
    `The gateway lists ${all.length} models:\n${lines.join('\n')}\n${rest > 0 ? `  and ${rest} more: see --model\n` : ''}`,
  );
  const which = first.length === all.length ? 'all' : `the first ${first.length}`;
  while (!signal.aborted) {
    const line = await question(
      terminal,
      `Test with which, such as 1,3-5? Enter takes ${which}: `,
      signal,
    );
    if (line === '') return first;
    const numbers = numbersIn(line, shown.length);
    if (numbers !== null) return numbers.flatMap((number) => shown[number - 1] ?? []);
    terminal.stdout.write(`Numbers from 1 to ${shown.length}, with commas between.\n`);
  }
  return first;
}

/** Parses `1,3-5`. Null for any other text. */
function numbersIn(text: string, most: number): number[] | null {
  const numbers = new Set<number>();
  for (const part of text.split(/[\s,]+/)) {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (from === undefined || to === undefined) return null;
    if (Number(from) < 1 || Number(to) > most || Number(from) > Number(to)) return null;
    for (let number = Number(from); number <= Number(to); number++) numbers.add(number);
  }
  return [...numbers];
}

/** Tries what free requests have not shown, if generations are allowed. Prints the cost first. */
export async function tryOut(
  models: readonly Discovered[],
  target: Target,
  options: LookOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly models: readonly Discovered[]; readonly generated: boolean }> {
  const cost = costOfTrying(models);
  const most = Math.min(cost.generations, options.generations ?? Number.POSITIVE_INFINITY);
  const may = options.generate === true || options.generations !== undefined;
  const what =
    `${counted(most, 'short generation')} at most` +
    (most < cost.generations
      ? ` of the ${cost.generations} that would show everything; all of these ask for `
      : ', for ') +
    `${cost.outputTokens} output tokens, not counting compact calls and System One`;
  const width = Math.min(terminal.stdout.columns || 80, 100);
  const ends = async (): Promise<boolean> => {
    if (!mayAsk(options, terminal) || most === 0) return !may;
    const told = may
      ? `Trying every capability costs ${what}.`
      : `Free requests do not show everything. Trying the rest costs ${what}.`;
    terminal.stdout.write(`\n${wrap(told, width).join('\n')}\n`);
    const text = may ? 'Go on? [Y/n] ' : 'Try it? [y/N] ';
    const line = (await question(terminal, text, signal)).toLowerCase();
    return line === '' ? !may : !line.startsWith('y');
  };
  if ((await ends()) || signal.aborted || most === 0) {
    return { models: models.map(withoutLeftOut), generated: false };
  }
  const { stderr } = terminal;
  if (!mayAsk(options, terminal)) {
    stderr.write(`${wrap(`Trying every capability: ${what}.`, width).join('\n')}\n`);
  }
  const asking = { ask: asker(target, signal), askOverSocket: socketAsker(target, signal) };
  const tried = await tryCapabilities(models, most, asking, (asked) => {
    if (stderr.isTTY === true) stderr.write(`\r${counted(asked, 'generation')} of ${most} at most`);
  });
  stderr.write(
    `${stderr.isTTY === true ? '\r\u001b[K' : ''}Asked for ${counted(tried.generations, 'generation')}.\n`,
  );
  return { models: tried.models.map(withoutLeftOut), generated: true };
}

/** A model that no catalog shows and that served no generation does not speak generative-content. */
function withoutLeftOut(model: Discovered): Discovered {
  const isOpen = model.leftOut && model.speaks.generative === null;
  return isOpen ? { ...model, speaks: { ...model.speaks, generative: false } } : model;
}

/** Returns the target with a model that declares every protocol, because nothing is known of it yet. */
function withModel(target: Target, id: string): Target {
  const nothing = { supports: [], lacks: [], permitted: null, deterministic: false };
  return { ...target, models: [{ id, protocols, ...nothing }] };
}

/** Explains why there is no model to inspect: the lists are empty, refused, or of another form. */
async function noModels(ask: Ask): Promise<string> {
  const said = await Promise.all(
    [listCall(), catalogCall()].map(async (call) => {
      const exchange = await ask(call);
      const { data, models } = Object(jsonOf(exchange));
      const isList = Array.isArray(data) || Array.isArray(models);
      if (!isServed(exchange)) return `GET ${call.path} ${answerOf(exchange)}`;
      return `GET ${call.path} ${isList ? 'lists none' : 'has another form than a list of models'}`;
    }),
  );
  return `No model was found: ${said.join(', ')}.`;
}
