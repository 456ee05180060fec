import { streamOver } from '../core/capability.ts';
import { permittedKeys } from '../target/roles.ts';
import type { Target } from '../target/target.ts';
import type { Actor, FirstMode } from './history.ts';

/** What there is to explore with, as the target file says. */
export interface World {
  readonly regions: readonly string[];
  readonly actors: readonly Actor[];
  readonly models: readonly ExploredModel[];
}

export interface ExploredModel {
  readonly id: string;
  /** Who may use it. */
  readonly permitted: readonly Actor[];
  /** The regions that have it for certain. No source says that every region has every model. */
  readonly regions: readonly string[];
  readonly modes: readonly FirstMode[];
  readonly compact: boolean;
  readonly inputTokens: boolean;
}

/** Of the models that speak Responses, so many: more make a history no richer. */
const mostModels = 3;

export function worldOf(target: Target): World {
  const regions = target.regions.map(({ name }) => name);
  const actors = (['owner', 'sameUser', 'otherUser', 'restricted'] as const).filter(
    (actor) => target.keys[actor] !== undefined,
  );
  const models = target.models
    .filter(({ protocols }) => protocols.includes('responses'))
    .map((model): ExploredModel => {
      const { supports } = model;
      const stream = supports.includes(streamOver('responses'));
      const background = supports.includes('background');
      const able: Readonly<Record<FirstMode, boolean>> = {
        'one-body': true,
        stream,
        background,
        'background-stream': background && stream,
        websocket: supports.includes('websocket'),
      };
      return {
        id: model.id,
        // Who may use it, of those whose keys there are.
        permitted: permittedKeys(model).filter((key) => actors.includes(key)),
        regions: model.regions ?? regions.slice(0, 1),
        modes: (Object.keys(able) as FirstMode[]).filter((mode) => able[mode]),
        compact: supports.includes('compact'),
        inputTokens: supports.includes('input_tokens'),
      };
    })
    .filter(({ permitted }) => permitted.includes('owner'))
    // Those that can do most show most.
    .sort((one, other) => other.modes.length - one.modes.length)
    .slice(0, mostModels);
  return { regions, actors, models };
}

/** Whose key it is: three of the four are of one user. */
export function userOf(actor: Actor): string {
  return actor === 'otherUser' ? 'another user' : 'the user';
}

/** What the permissions of a key allow. */
export function modelsOf({ models }: World, actor: Actor): readonly string[] {
  return models.filter(({ permitted }) => permitted.includes(actor)).map(({ id }) => id);
}
