import type { Faker } from '@faker-js/faker';
import {
  type CreationMode,
  type Operation,
  operations,
  requestModes,
} from '../../kernel/model/index.ts';
import { actRequest, endpoints } from '../../kernel/protocols/index.ts';
import {
  type Act,
  type ActsOn,
  type Asks,
  type Creates,
  generationsIn,
  type History,
  isBackground,
} from './history.ts';
import type { ExploredModel, World } from './world.ts';

/** Bounds of a drawn history. */
interface Size {
  readonly acts: number;
  /** Maximum number of generations. */
  readonly generations: number;
}

type Often = Readonly<Partial<Record<Operation, number>>>;

/** Relative frequency of an operation. Default: 1. */
const usually: Often = { lookup: 2, 'input-items': 2, recover: 4, cancel: 4, delete: 5 };

/** Operations that show what others have done, and change nothing. */
const looks: readonly Operation[] = ['lookup', 'lookup', 'input-items'];

/** Emphasis of a history, because few acts of each kind show nothing that depends on several. */
interface Theme {
  readonly often?: Often;
  /** Creation modes that are preferred. */
  readonly modes?: readonly CreationMode[];
  /** True for inputs of several items, and pages of them. */
  readonly walks?: boolean;
}

const themes: readonly Theme[] = [
  {},
  { modes: ['websocket'] },
  { modes: ['background-stream', 'background'], often: { recover: 8, cancel: 8, delete: 4 } },
  { walks: true, often: { 'input-items': 12, delete: 5 } },
];

type SentBy = Pick<Act, 'n' | 'actor' | 'region'>;

/** Draws a history. The same generator state yields the same history. */
export function drawHistory(faker: Faker, world: World, { acts, generations }: Size): History {
  const { number, helpers } = faker;
  const theme = helpers.arrayElement(themes);
  // A history prefers some operations, and neglects others, so that their sequences are not rare.
  const weights = operations.map((value) => {
    const usual = theme.often?.[value] ?? usually[value] ?? 1;
    return { value, weight: usual * helpers.arrayElement([0.2, 1, 1, 4]) };
  });
  const made: Creates[] = [];
  const steps: Act[][] = [];
  let latest: Act | undefined;
  let left = generations;
  for (let n = 0; n < acts; ) {
    // Three of four steps are a single act, because concurrent acts hide the effects of sequential ones.
    const width = Math.min(acts - n, helpers.arrayElement([1, 1, 1, 1, 1, 1, 2, 3]));
    const step: Act[] = [];
    for (let place = 0; place < width; place++, n++) {
      const act = drawAct(n, step);
      step.push(isChance(12) ? { ...act, fresh: true } : act);
      left -= generationsIn(act);
    }
    made.push(...step.filter((act) => act.kind === 'create'));
    latest = step.at(-1);
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

  function isChance(percent: number): boolean {
    return number.int(99) < percent;
  }

  /** Inserts a pause, because a node that lost a change differs from a lagging one only after the permitted lag. */
  function withPause(): Act[][] {
    const at = number.int({ min: 1, max: Math.max(1, steps.length - 1) });
    const { settleMs: afterMs } = world;
    return steps.map((step, index) =>
      step.map((act, place) => (index === at && place === 0 ? { ...act, afterMs } : act)),
    );
  }

  function drawAct(n: number, beside: readonly Act[]): Act {
    const where = { n, actor: helpers.arrayElement(world.actors), region: drawRegion() };
    if (made.length === 0 || (left > 0 && isChance(30))) {
      return left > 0 ? drawCreate(n, beside) : { ...where, kind: 'list' };
    }
    const next = isChance(theme.walks === true ? 60 : 20) ? nextPageOf(n) : null;
    if (next !== null) return next;
    if (isChance(4)) return { ...where, kind: 'list' };
    return (isChance(12) ? drawQuestion(where) : null) ?? drawActOn(where);
  }

  /** Returns an act that asks for the page after a recent one of the owner, in the same way. */
  function nextPageOf(n: number): Act | null {
    const page = steps.flat().slice(-3).findLast(isPage);
    if (page?.kind === 'ask') return { ...page, n, page: page.n };
    if (page?.kind !== 'act') return null;
    const isOwn = made.some((one) => one.n === page.of && one.actor === page.actor);
    return isOwn ? { ...page, n, after: page.n } : null;
  }

  function drawQuestion(where: SentBy): Asks | null {
    const { questions } = world;
    const payable = questions.filter(({ endpoint }) => left > 0 || !endpoints[endpoint].generates);
    if (payable.length === 0) return null;
    const { endpoint, stream, model, permitted, regions } = helpers.arrayElement(payable);
    const actor = helpers.arrayElement(isChance(80) ? permitted : world.actors);
    const region = helpers.arrayElement(regions);
    const asked = { ...where, actor, region, kind: 'ask', endpoint, stream, model } as const;
    return endpoint === 'catalog' && isChance(50) ? { ...asked, page: 'first' } : asked;
  }

  function drawRegion(): string {
    // Mostly the region that created the response, because only that region has to serve it.
    const [home = '', ...others] = world.regions;
    return others.length > 0 && isChance(25) ? helpers.arrayElement(others) : home;
  }

  function drawCreate(n: number, beside: readonly Act[]): Creates {
    const model = helpers.arrayElement(world.models);
    const actor = helpers.arrayElement(isChance(95) ? model.permitted : world.actors);
    const region = helpers.arrayElement(model.regions);
    // A run that has begun a moment ago cannot be continued.
    const ready = made.filter((one) => !isBackground(one) || n - one.n > 4);
    // Most continuations go on from the latest response, with its key and region, so that chains become long.
    const latest = isChance(75) ? ready.at(-1) : ready[number.int(ready.length)];
    const previous = isChance(70) ? latest : undefined;
    const by = previous !== undefined && isChance(88) ? previous : { actor, region };
    // Few continue with another model.
    const used = previous === undefined || isChance(8) ? model : (modelOf(previous.model) ?? model);
    const preferred = used.modes.filter((one) => theme.modes?.includes(one));
    const isPreferred = preferred.length > 0 && isChance(75);
    const mode = helpers.arrayElement(isPreferred ? preferred : used.modes);
    const first: Creates = {
      ...{ n, actor: by.actor, region: by.region, model: used.id, mode },
      kind: 'create',
      ...(previous === undefined ? {} : { previous: previous.n }),
      ...(isChance(theme.walks === true ? 80 : 15) ? { items: true as const } : {}),
      store: isBackground({ mode }) || isChance(85),
    };
    // A continuation may be asked for again, and then gets another response.
    const mayBeLive = mode === 'background-stream' && previous === undefined;
    if (mayBeLive && isChance(80)) return { ...first, live: true };
    // Turns of one WebSocket come one after another.
    const socket = number.int(1);
    const isUsed = beside.some((act) => act.kind === 'create' && act.socket === socket);
    if (mode !== 'websocket' || isUsed || isChance(15)) return first;
    return { ...first, socket, ...(isChance(25) ? { loses: true } : {}) };
  }

  function drawActOn(where: SentBy): ActsOn {
    const response = lately();
    const supports = modelOf(response.model)?.supports ?? [];
    const forms = (operation: Operation) =>
      requestModes[operation].filter((requestMode) => {
        const request = actRequest({ operation, requestMode });
        const generations = generationsIn({ ...act, operation, requestMode });
        return generations <= left && request.needs.every((need) => supports.includes(need));
      });
    // Most acts are by the owner at home, so that they take effect.
    const own = isChance(65) ? { actor: response.actor, region: response.region } : {};
    const act = { ...where, ...own, kind: 'act', of: response.n } as const;
    const possible = weights.filter(({ value }) => forms(value).length > 0);
    // An act shows what it has changed at the next look.
    const isLook = isChance(latest?.kind === 'act' && looks.includes(latest.operation) ? 25 : 60);
    const operation = isLook ? helpers.arrayElement(looks) : helpers.weightedArrayElement(possible);
    const [plain = 'path', ...others] = forms(operation);
    const isPlain = others.length === 0 || isChance(theme.walks === true ? 40 : 75);
    return { ...act, operation, requestMode: isPlain ? plain : helpers.arrayElement(others) };
  }

  /** Picks a response, mostly a recent one: some defects show only after earlier acts on it. */
  function lately(): Creates {
    const of = latest?.kind === 'act' ? latest.of : latest?.n;
    const same = made.find(({ n }) => n === of);
    if (same !== undefined && isChance(55)) return same;
    return helpers.arrayElement(isChance(75) ? made.slice(-3) : made);
  }

  function modelOf(id: string): ExploredModel | undefined {
    return world.models.find((model) => model.id === id);
  }
}

function isPage(act: Act): boolean {
  return act.kind === 'ask'
    ? act.page !== undefined
    : act.kind === 'act' && act.requestMode === 'page';
}
