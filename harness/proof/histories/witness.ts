import {
  type Act,
  type Actor,
  actsOf,
  type FirstMode,
  firstModes,
  type History,
  neededBy,
  type World,
} from '../../features/explore/index.ts';
import { type Operation, operations, requestModes } from '../../kernel/model/index.ts';

/**
 * Short form of the shortest history that shows a fault, such as `create; lookup | delete; lookup@otherUser#0`.
 *
 * - `;` ends a step, `|` separates the concurrent acts in it.
 * - An act is `create`, `continue`, an operation, or an endpoint of another protocol: `chat-completions:stream`.
 *   `create:background` sets the mode, `create!` disables storage. `try-continue` is an act that nothing goes on from.
 * - `+fresh` is on a new connection, `+items` has a list as input, `+live` is not awaited, `+0` is a turn of that
 *   WebSocket, and `+lost` loses it. `catalog+page` is the first page, `+next` the one after the latest.
 * - `create=1` requests the second model; the default is the ablest one.
 * - `~lookup` waits until all earlier changes are visible.
 * - `#0` names the first created response; the default is the latest one of earlier steps.
 * - `@otherUser` sets the key, by default the owner's; `@owner/1` also sets the second region.
 */
export type Witness = string;

/** Members of an act that a flag sets. */
const asFlags: Readonly<Record<string, string>> = {
  ...{ fresh: 'fresh', items: 'items', live: 'live', lost: 'loses' },
};

const form =
  /^(?<later>~)?(?<what>[a-z-]+)(?::(?<mode>[a-z-]+))?(?<how>(?:\+\w+)*)(?<unstored>!)?(?:=(?<model>\d))?(?:#(?<of>\d+))?(?:@(?<actor>\w+)(?:\/(?<region>\d))?)?$/;

/** Parses a witness. @throws {Error} for an invalid text */
export function historyOf(witness: Witness, world: World): History {
  const { regions, actors, models } = world;
  const made: number[] = [];
  let n = 0;
  let page = 0;
  const steps = witness.split(';').map((step) => {
    const creates: number[] = [];
    const acts = step.split('|').map((text): Act => {
      const {
        later,
        what = '',
        mode,
        how = '',
        unstored,
        model: index = '0',
        of,
        actor: named = 'owner',
        region = '0',
      } = form.exec(text.trim())?.groups ?? {};
      const actor = actors.find((one: Actor) => one === named);
      if (actor === undefined || what === '') throw new Error(`${text} is no act of a witness`);
      const pause = later === undefined ? {} : { afterMs: world.settleMs };
      const flags = how.split('+').slice(1);
      const flagged = Object.fromEntries(
        flags.flatMap((flag) => (Object.hasOwn(asFlags, flag) ? [[asFlags[flag], true]] : [])),
      );
      const socket = flags.find((flag) => /^\d$/.test(flag));
      const asked = { n: n++, actor, region: regions[Number(region)] ?? '', ...pause, ...flagged };
      const before = page;
      if (flags.includes('next') || flags.includes('page') || mode === 'page') page = asked.n;
      const target = of === undefined ? made.at(-1) : made[Number(of)];
      if (what === 'list') return { ...asked, kind: 'list' };
      if (what === 'create' || what === 'continue') {
        creates.push(asked.n);
        const goesOn = what === 'continue' && target !== undefined ? { previous: target } : {};
        const model = models[Number(index)]?.id;
        if (model === undefined) throw new Error(`${text}: there is no model ${index}`);
        return {
          ...{ ...asked, kind: 'create', model, mode: modeNamed(mode ?? 'one-body', text) },
          ...{ store: unstored === undefined, ...goesOn },
          ...(socket === undefined ? {} : { socket: Number(socket) }),
        };
      }
      const stream = mode === 'stream';
      const questions = questionsOf(world, what, stream);
      if (questions.length > 0) {
        const { endpoint, model = null } = questions[Number(index)] ?? {};
        if (endpoint === undefined) throw new Error(`${text}: there is no model ${index}`);
        const pages = flags.includes('next') ? { page: before } : {};
        const first = flags.includes('page') ? { page: 'first' as const } : pages;
        return { ...asked, kind: 'ask', endpoint, stream, model, ...first };
      }
      const operation = operationNamed(what.replace(/^try-/, ''), text);
      const requestMode =
        requestModes[operation].find((one) => one === mode) ?? requestModes[operation][0];
      const after = flags.includes('next') ? { after: before } : {};
      return { ...asked, kind: 'act', of: target ?? 0, operation, requestMode, ...after };
    });
    made.push(...creates);
    return acts;
  });
  return { steps };
}

function questionsOf({ questions }: Pick<World, 'questions'>, name: string, stream: boolean) {
  return questions.filter((one) => one.endpoint === name && one.stream === stream);
}

type Shown = Pick<World, 'regions' | 'models' | 'questions'>;

export function inShort(history: History, world: Shown): Witness {
  const { regions } = world;
  const made = actsOf(history).filter(({ kind }) => kind === 'create');
  const act = (one: Act): string => {
    const needed = neededBy(one);
    const of = needed === null ? '' : `#${made.findIndex(({ n }) => n === needed)}`;
    const region = regions.indexOf(one.region);
    const place = region > 0 ? `/${region}` : '';
    const by = one.actor === 'owner' && place === '' ? '' : `@${one.actor}${place}`;
    const later = one.afterMs === undefined ? '' : '~';
    const index = modelIn(one, world);
    return `${later}${actName(one)}${index > 0 ? `=${index}` : ''}${of}${by}`;
  };
  return history.steps.map((step) => step.map(act).join(' | ')).join('; ');
}

/** Returns the index of the requested model, among those that the act could request. */
function modelIn(act: Act, world: Shown): number {
  if (act.kind === 'create') return world.models.findIndex(({ id }) => id === act.model);
  if (act.kind !== 'ask') return 0;
  const { endpoint, stream, model } = act;
  return questionsOf(world, endpoint, stream).findIndex((one) => one.model === model);
}

function actName(act: Act): string {
  const flags = Object.entries(asFlags).flatMap(([flag, member]) =>
    Object.hasOwn(act, member) ? [`+${flag}`] : [],
  );
  const how = flags.join('');
  if (act.kind === 'act') {
    const { operation, requestMode } = act;
    const form = requestMode === requestModes[operation][0] ? '' : `:${requestMode}`;
    const tried = operation === 'continue' ? 'try-' : '';
    return `${tried}${operation}${form}${act.after === undefined ? '' : '+next'}${how}`;
  }
  if (act.kind === 'ask') {
    const page = act.page === undefined ? '' : act.page === 'first' ? '+page' : '+next';
    return `${act.endpoint}${act.stream ? ':stream' : ''}${page}${how}`;
  }
  if (act.kind !== 'create') return `${act.kind}${how}`;
  const mode = act.mode === 'one-body' ? '' : `:${act.mode}`;
  const socket = act.socket === undefined ? '' : `+${act.socket}`;
  const what = act.previous === undefined ? 'create' : 'continue';
  return `${what}${mode}${socket}${how}${act.store ? '' : '!'}`;
}

function modeNamed(name: string, text: string): FirstMode {
  const mode = firstModes.find((one) => one === name);
  if (mode === undefined) throw new Error(`${text}: there is no mode ${name}`);
  return mode;
}

function operationNamed(name: string, text: string): Operation {
  const operation = operations.find((one) => one === name);
  if (operation === undefined) throw new Error(`${text}: there is no operation ${name}`);
  return operation;
}
