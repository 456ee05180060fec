import {
  type Act,
  type Actor,
  actsOf,
  type FirstMode,
  type History,
  neededBy,
  type TriedOperation,
} from '../../explore/history.ts';
import type { World } from '../../explore/world.ts';
import { requestModes } from '../../model/access.ts';

/**
 * The shortest history that shows a fault, in short: `create; lookup | delete; lookup@otherUser#0`.
 *
 * - `;` ends a step, `|` parts the acts that go side by side in it.
 * - `create`, `continue` or an operation; `create:background` says the mode, `create!` stores nothing.
 * - `~lookup` comes when all that was done before has had its time to show.
 * - `#0` names the first response that was made; otherwise it is the last one of the steps before.
 * - `@otherUser` says whose key, otherwise that of the owner; `@owner/1` the second region.
 */
export type Witness = string;

const form =
  /^(?<later>~)?(?<what>[a-z-]+)(?::(?<mode>[a-z-]+))?(?<unstored>!)?(?:#(?<of>\d+))?(?:@(?<actor>\w+)(?:\/(?<region>\d))?)?$/;

/** The history that a witness stands for, with the model that can do most. @throws {Error} for a text that is none */
export function historyOf(witness: Witness, world: World): History {
  const {
    regions,
    actors,
    models: [model],
  } = world;
  if (model === undefined) throw new Error('A witness needs a model');
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
        return {
          ...{ ...asked, kind: 'create', model: model.id, mode: modeOf(mode ?? 'one-body', text) },
          ...{ store: unstored === undefined, ...goesOn },
        };
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

/** A history in short, as a witness says it; of a model and of the endpoints of other protocols it says nothing. */
export function inShort(history: History, { regions }: Pick<World, 'regions'>): Witness {
  const made = actsOf(history).filter(({ kind }) => kind === 'create');
  const act = (one: Act): string => {
    const needed = neededBy(one);
    const of = needed === null ? '' : `#${made.findIndex(({ n }) => n === needed)}`;
    const region = regions.indexOf(one.region);
    const place = region > 0 ? `/${region}` : '';
    const by = one.actor === 'owner' && place === '' ? '' : `@${one.actor}${place}`;
    const later = one.afterMs === undefined ? '' : '~';
    return `${later}${named(one)}${of}${by}`;
  };
  return history.steps.map((step) => step.map(act).join(' | ')).join('; ');
}

function named(act: Act): string {
  if (act.kind === 'act') return act.operation;
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
