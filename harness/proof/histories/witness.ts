import {
  type Act,
  type Actor,
  actsOf,
  type FirstMode,
  type History,
  neededBy,
  type TriedOperation,
  type World,
} from '../../features/explore/index.ts';
import { requestModes } from '../../kernel/model/index.ts';

/**
 * Short form of the shortest history that shows a fault, such as `create; lookup | delete; lookup@otherUser#0`.
 *
 * - `;` ends a step, `|` separates the concurrent acts in it.
 * - An act is `create`, `continue`, an operation, or an endpoint of another protocol: `chat-completions:stream`.
 *   `create:background` sets the mode, `create!` disables storage.
 * - `create=1` requests the second model; the default is the ablest one.
 * - `~lookup` waits until all earlier changes are visible.
 * - `#0` names the first created response; the default is the latest one of earlier steps.
 * - `@otherUser` sets the key, by default the owner's; `@owner/1` also sets the second region.
 */
export type Witness = string;

const form =
  /^(?<later>~)?(?<what>[a-z-]+)(?::(?<mode>[a-z-]+))?(?<unstored>!)?(?:=(?<model>\d))?(?:#(?<of>\d+))?(?:@(?<actor>\w+)(?:\/(?<region>\d))?)?$/;

/** Parses a witness. @throws {Error} for an invalid text */
export function historyOf(witness: Witness, world: World): History {
  const { regions, actors, models } = world;
  const made: number[] = [];
  let n = 0;
  const steps = witness.split(';').map((step) => {
    const creates: number[] = [];
    const acts = step.split('|').map((text): Act => {
      const {
        later,
        what = '',
        mode,
        unstored,
        model: index = '0',
        of,
        actor: named = 'owner',
        region = '0',
      } = form.exec(text.trim())?.groups ?? {};
      const actor = actors.find((one: Actor) => one === named);
      if (actor === undefined || what === '') throw new Error(`${text} is no act of a witness`);
      const pause = later === undefined ? {} : { afterMs: world.settleMs };
      const asked = { n: n++, actor, region: regions[Number(region)] ?? '', ...pause };
      const target = of === undefined ? made.at(-1) : made[Number(of)];
      if (what === 'list') return { ...asked, kind: 'list' };
      if (what === 'create' || what === 'continue') {
        creates.push(asked.n);
        const goesOn = what === 'continue' && target !== undefined ? { previous: target } : {};
        const model = models[Number(index)]?.id;
        if (model === undefined) throw new Error(`${text}: there is no model ${index}`);
        return {
          ...{ ...asked, kind: 'create', model, mode: modeOf(mode ?? 'one-body', text) },
          ...{ store: unstored === undefined, ...goesOn },
        };
      }
      const stream = mode === 'stream';
      const questions = questionsOf(world, what, stream);
      if (questions.length > 0) {
        const { endpoint, model = null } = questions[Number(index)] ?? {};
        if (endpoint === undefined) throw new Error(`${text}: there is no model ${index}`);
        return { ...asked, kind: 'ask', endpoint, stream, model };
      }
      const operation = operationOf(what, text);
      const requestMode =
        requestModes[operation].find((one) => one === mode) ?? requestModes[operation][0];
      return { ...asked, kind: 'act', of: target ?? 0, operation, requestMode };
    });
    made.push(...creates);
    return acts;
  });
  return { steps };
}

/** Returns the questions that a world has for an endpoint, one for each model. */
function questionsOf({ questions }: Pick<World, 'questions'>, name: string, stream: boolean) {
  return questions.filter((one) => one.endpoint === name && one.stream === stream);
}

type Shown = Pick<World, 'regions' | 'models' | 'questions'>;

/** Returns a history as a witness. */
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
    return `${later}${named(one)}${index > 0 ? `=${index}` : ''}${of}${by}`;
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

function named(act: Act): string {
  if (act.kind === 'act') return act.operation;
  if (act.kind === 'ask') return `${act.endpoint}${act.stream ? ':stream' : ''}`;
  if (act.kind !== 'create') return act.kind;
  const mode =
    act.mode === 'one-body' ? '' : `:${act.mode}${act.secondTurn === true ? '-twice' : ''}`;
  return `${act.previous === undefined ? 'create' : 'continue'}${mode}${act.store ? '' : '!'}`;
}

const modes: readonly FirstMode[] = [
  'one-body',
  'stream',
  'background',
  'background-stream',
  'websocket',
];

function modeOf(name: string, text: string): FirstMode {
  const mode = modes.find((one) => one === name);
  if (mode === undefined) throw new Error(`${text}: there is no mode ${name}`);
  return mode;
}

const operations: readonly TriedOperation[] = [
  'lookup',
  'input-items',
  'recover',
  'cancel',
  'delete',
  'compact',
  'input-tokens',
];

function operationOf(name: string, text: string): TriedOperation {
  const operation = operations.find((one) => one === name);
  if (operation === undefined) throw new Error(`${text}: there is no operation ${name}`);
  return operation;
}
