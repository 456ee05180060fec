import type { Faker } from '@faker-js/faker';
import { requestModes } from '../../kernel/model/index.ts';
import { endpoints } from '../../kernel/protocols/index.ts';
import {
  type Act,
  type ActsOn,
  type Asks,
  type Creates,
  generationsIn,
  type History,
  type TriedOperation,
} from './history.ts';
import type { ExploredModel, World } from './world.ts';

/** Bounds of a drawn history. */
interface Size {
  readonly acts: number;
  /** Maximum number of generations. */
  readonly generations: number;
}

/**
 * Relative frequency of each operation. Operations that end a response are rare, because few others remain possible
 * after them.
 */
const often: Readonly<Record<TriedOperation, number>> = {
  lookup: 8,
  'input-items': 3,
  recover: 3,
  cancel: 2,
  delete: 3,
  compact: 1,
  'input-tokens': 1,
  'item-reference': 1,
};

/** Draws a history. The same generator state yields the same history. */
export function drawHistory(faker: Faker, world: World, { acts, generations }: Size): History {
  const { number, helpers } = faker;
  const made: Creates[] = [];
  const steps: Act[][] = [];
  let left = generations;
  for (let n = 0; n < acts; ) {
    // Two of three steps are a single act, because concurrent acts hide the effects of sequential ones.
    const width = Math.min(acts - n, helpers.arrayElement([1, 1, 1, 1, 2, 3]));
    const step: Act[] = [];
    for (let place = 0; place < width; place++, n++) {
      const act = drawAct(n);
      step.push(act);
      left -= generationsIn(act);
    }
    made.push(...step.filter((act) => act.kind === 'create'));
    steps.push(step);
  }
  const [actor] = world.actors;
  const [region] = world.regions;
  // Some histories end with a ledger query for all of their requests, which takes several requests.
  if (world.ledgers > 0 && actor !== undefined && region !== undefined && number.int(2) === 0) {
    // A ledger may take only one request per query, and incomplete answers are polled.
    const requests = world.ledgers * (2 * acts + 10);
    steps.push([{ n: acts, actor, region, kind: 'ledger', requests }]);
  }
  return { steps: world.settleMs > 0 && number.int(3) === 0 ? withPause() : steps };

  /** Inserts a pause, because a node that lost a change differs from a lagging one only after the permitted lag. */
  function withPause(): Act[][] {
    const at = number.int({ min: 1, max: Math.max(1, steps.length - 1) });
    const { settleMs: afterMs } = world;
    return steps.map((step, index) =>
      step.map((act, place) => (index === at && place === 0 ? { ...act, afterMs } : act)),
    );
  }

  function drawAct(n: number): Act {
    const where = { n, actor: helpers.arrayElement(world.actors), region: drawRegion() };
    const [first] = made;
    if (first === undefined || (left > 0 && number.int(99) < 30)) {
      if (left > 0) return drawCreate(n);
      return { ...where, kind: 'list' };
    }
    const chance = number.int(99);
    if (chance < 4) return { ...where, kind: 'list' };
    return (chance < 16 ? drawQuestion(where) : null) ?? drawActOn(where);
  }

  function drawQuestion(where: Omit<Asks, 'kind' | 'endpoint' | 'stream' | 'model'>): Asks | null {
    const { questions } = world;
    const payable = questions.filter(({ endpoint }) => left > 0 || !endpoints[endpoint].generates);
    if (payable.length === 0) return null;
    const { endpoint, stream, model, permitted, regions } = helpers.arrayElement(payable);
    const actor = helpers.arrayElement(number.int(99) < 80 ? permitted : world.actors);
    const region = helpers.arrayElement(regions);
    return { ...where, actor, region, kind: 'ask', endpoint, stream, model };
  }

  function drawRegion(): string {
    // Mostly the region that created the response, because only that region has to serve it.
    const [home = '', ...others] = world.regions;
    return others.length > 0 && number.int(99) < 25 ? helpers.arrayElement(others) : home;
  }

  function drawCreate(n: number): Creates {
    const model = helpers.arrayElement(world.models);
    const actor = helpers.arrayElement(number.int(99) < 90 ? model.permitted : world.actors);
    const mode = helpers.arrayElement(model.modes);
    const store = isBackground(mode) || number.int(99) < 85;
    const region = helpers.arrayElement(model.regions);
    const first = { n, actor, region, kind: 'create', model: model.id, mode, store } as const;
    const previous = made.length > 0 && number.int(99) < 45 ? lately() : undefined;
    const goesOnThere = mode === 'websocket' && left > 1 && number.int(1) === 0;
    if (previous === undefined) return goesOnThere ? { ...first, secondTurn: true } : first;
    // Two of three continuations keep the key and the region, so that chains become long.
    const isHome = number.int(2) > 0;
    const from = isHome
      ? { actor: previous.actor, region: previous.region }
      : { actor, region: drawRegion() };
    return {
      ...first,
      ...from,
      model: previous.model,
      mode: modeFor(previous.model, mode),
      previous: previous.n,
    };
  }

  function modeFor(model: string, wanted: Creates['mode']): Creates['mode'] {
    return modelOf(model)?.modes.includes(wanted) === true ? wanted : 'one-body';
  }

  function drawActOn(where: Omit<ActsOn, 'kind' | 'of' | 'operation' | 'requestMode'>): ActsOn {
    const response = lately();
    const model = modelOf(response.model);
    const operations = (Object.keys(often) as TriedOperation[]).filter((operation) => {
      if (operation === 'compact') return model?.compact === true && left > 0;
      if (operation === 'item-reference') return left > 0;
      return operation !== 'input-tokens' || model?.inputTokens === true;
    });
    const operation = helpers.weightedArrayElement(
      operations.map((value) => ({ value, weight: often[value] })),
    );
    // Half of the acts are by the owner at home, so that they take effect.
    const own = number.int(1) > 0 ? { actor: response.actor, region: response.region } : {};
    const requestMode = helpers.arrayElement(requestModes[operation]);
    return { ...where, ...own, kind: 'act', of: response.n, operation, requestMode };
  }

  /**
   * Picks a response, mostly a recent one: defects that depend on a sequence show on responses with earlier acts.
   */
  function lately(): Creates {
    const recent = number.int(99) < 75 ? made.slice(-3) : made;
    return helpers.arrayElement(recent);
  }

  function modelOf(id: string): ExploredModel | undefined {
    return world.models.find((model) => model.id === id);
  }
}

function isBackground(mode: Creates['mode']): boolean {
  return mode === 'background' || mode === 'background-stream';
}
