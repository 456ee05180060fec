import type { Faker } from '@faker-js/faker';
import type { CreationMode, Operation } from '../../kernel/model/index.ts';
import { operations, requestModes } from '../../kernel/model/index.ts';
import { actRequest, endpoints } from '../../kernel/protocols/index.ts';
import type { Act, Actor, ActsOn, Asks, Creates, History } from './history.ts';
import { generationsIn, isBackground } from './history.ts';
import { type ExploredModel, userOf, type World } from './world.ts';

type Operations = readonly Operation[];

/** Operations of which two go on side by side. */
const racing: Operations = ['delete', 'cancel', 'recover', 'continue', 'input-items', 'lookup'];

/** Operations whose effects are looked for. A repeated one is more frequent. */
const changing: Operations = [...operations, ...racing, 'cancel', 'recover', 'delete'];

const reading: Operations = ['lookup', 'lookup', 'lookup', 'input-items', 'input-items'];
/** Operations that show what others have done. */
const looking: Operations = [...reading, ...reading, 'lookup', 'continue', 'recover'];

/** Creation modes that a history prefers, because few acts of each mode show nothing that depends on several. */
const preferences: readonly (readonly CreationMode[])[] = [
  ...[[], [], [], ['websocket'] as const],
  ['background-stream', 'background'],
];

type SentBy = Pick<Act, 'actor' | 'region'>;

/**
 * Draws a history: conversations of several turns; acts on their responses, one after another or side by side; and
 * after these, looks at what they may have changed. The same generator state yields the same history.
 */
export function drawHistory(
  faker: Faker,
  world: World,
  { acts, generations }: Record<'acts' | 'generations', number>,
): History {
  const { number, helpers } = faker;
  const preference = helpers.arrayElement(preferences);
  /** True for inputs of several items, and pages of them. */
  const walks = isChance(25);
  const made: Creates[] = [];
  const steps: Act[][] = [];
  /** Responses of the conversation that the acts are about. */
  let talk: Creates[] = [];
  /** Responses that were deleted, by the numbers of their acts. */
  const gone = new Set<number>();
  let n = 0;
  let left = generations;
  while (n < acts) {
    converse();
    for (let more = number.int({ min: 4, max: 10 }); more > 0; more--) {
      if (made.length === 0 || isChance(12)) aside();
      else helpers.arrayElement([alter, alter, race, race, () => look(drawOf())])();
    }
  }
  const [actor] = world.actors;
  const [region] = world.regions;
  // Some histories end with a ledger query for all of their requests, which takes several requests.
  if (world.ledgers > 0 && actor !== undefined && region !== undefined && isChance(33)) {
    // A ledger may take only one request per query, and incomplete answers are polled.
    const requests = world.ledgers * (2 * acts + 10);
    steps.push([{ n: acts, actor, region, kind: 'ledger', requests }]);
  }
  const { settleMs: afterMs } = world;
  const [first, ...others] = steps[number.int({ min: 1, max: steps.length })] ?? [];
  if (first === undefined || afterMs === 0 || isChance(75)) return { steps };
  // A node that lost a change differs from a lagging one only after the permitted lag.
  return {
    steps: steps.map((step) => (step[0] === first ? [{ ...first, afterMs }, ...others] : step)),
  };

  function isChance(percent: number): boolean {
    return number.int(99) < percent;
  }

  /** Adds a step of concurrent acts, as far as the bounds allow. Returns its last act. */
  function go(...draws: readonly ((beside: readonly Act[]) => Act | null)[]): Act | undefined {
    const step: Act[] = [];
    for (const draw of draws) {
      const act = n < acts ? draw(step) : null;
      if (act === null) continue;
      step.push(isChance(12) ? { ...act, fresh: true } : act);
      if (act.kind === 'act' && act.operation === 'delete') gone.add(act.of);
      left -= generationsIn(act);
      n++;
    }
    if (step.length > 0) steps.push(step);
    made.push(...step.filter((act) => act.kind === 'create'));
    return step.at(-1);
  }

  function converse(): void {
    talk = [];
    for (let turns = helpers.arrayElement([1, 3, 3, 3, 4, 4]); turns > 0; turns--) {
      const turn = go(() => drawCreate([], talk.at(-1)));
      if (turn?.kind !== 'create') return;
      talk.push(turn);
      // A run that has begun a moment ago cannot be continued.
      if (isBackground(turn)) go(() => drawActOn(turn, isChance(30) ? 'cancel' : 'recover'));
      // The creation of a response may change what its key reaches elsewhere.
      else if (isChance(30)) look(helpers.arrayElement(made), turn);
    }
  }

  /** Acts on a response, and looks at it, or at a neighbour in its conversation. */
  function alter(): void {
    const one = drawOf();
    for (let times = isChance(40) ? 2 : 1; times > 0; times--) {
      const by = isChance(85) ? one : drawBy(one);
      go(() => drawActOn(one, helpers.arrayElement(changing), by));
    }
    const near = made.filter(({ n, previous }) => n === one.previous || previous === one.n);
    for (let looks = 2; looks > 0; looks--) {
      look(near.length === 0 || isChance(50) ? one : helpers.arrayElement(near));
    }
  }

  /** Acts on a response side by side, sometimes while others are being made, and looks at it. */
  function race(): void {
    const one = drawOf();
    const runs = isChance(25) ? begin(one) : [];
    const beside = (step: readonly Act[]): Act | null => {
      if (isChance(70)) return drawActOn(one, helpers.arrayElement(racing));
      return isChance(30) ? drawQuestion() : drawCreate(step, isChance(30) ? one : undefined);
    };
    const first = isChance(50) ? 'delete' : helpers.arrayElement(racing);
    go(() => drawActOn(one, first), ...(isChance(80) ? [beside] : [beside, beside]));
    if (isChance(75)) go(() => drawActOn(one, 'lookup'));
    else look(one);
    for (const run of runs) look(run);
  }

  /** Begins runs side by side, mostly of another user than the one of a response. Returns those that can be named. */
  function begin({ actor }: Creates): readonly Creates[] {
    const others = world.actors.filter((key) => userOf(key) !== userOf(actor));
    const by = helpers.arrayElement(others.length > 0 && isChance(70) ? others : world.actors);
    const run = (step: readonly Act[]): Act | null => drawCreate(step, undefined, by);
    const before = made.length;
    go(run, isChance(70) ? run : drawQuestion);
    return made.slice(before);
  }

  function look(of: Creates, by: SentBy = drawBy(of)): void {
    const operation = walks && isChance(60) ? 'input-items' : helpers.arrayElement(looking);
    walk(() => drawActOn(of, operation, by));
  }

  /** Asks for what belongs to no response, twice: the first answer may change the second. */
  function aside(): void {
    const draw = (): Act => {
      const region = helpers.arrayElement(world.regions);
      const actor = helpers.arrayElement(world.actors);
      return (isChance(35) ? null : drawQuestion()) ?? { n, actor, region, kind: 'list' };
    };
    walk(draw);
    go(draw);
  }

  /** Adds an act and, if it asks for a page, some for the pages after it. */
  function walk(draw: () => Act): void {
    let page = go(draw);
    while (page !== undefined && isChance(70)) {
      const before = page;
      if (before.kind === 'ask' && before.page !== undefined) {
        page = go(() => ({ ...before, n, page: before.n }));
      } else if (before.kind === 'act' && before.requestMode === 'page') {
        page = go(() => ({ ...before, n, after: before.n }));
      } else return;
    }
  }

  function drawQuestion(): Asks | null {
    const { questions } = world;
    const payable = questions.filter(({ endpoint }) => left > 0 || !endpoints[endpoint].generates);
    if (payable.length === 0) return null;
    const { endpoint, stream, model, permitted, regions } = helpers.arrayElement(payable);
    const actor = helpers.arrayElement(isChance(80) ? permitted : world.actors);
    const region = helpers.arrayElement(regions);
    const asked = { n, actor, region, kind: 'ask', endpoint, stream, model } as const;
    return endpoint === 'catalog' && isChance(50) ? { ...asked, page: 'first' } : asked;
  }

  /** @param by key whose run may go on for a while */
  function drawCreate(beside: readonly Act[], previous?: Creates, by?: Actor): Creates | null {
    if (left <= 0 || world.models.length === 0) return null;
    const able = world.models.filter(({ permitted }) => by === undefined || permitted.includes(by));
    const model = helpers.arrayElement(able.length > 0 ? able : world.models);
    const actor = by ?? helpers.arrayElement(isChance(95) ? model.permitted : world.actors);
    const here = { actor, region: helpers.arrayElement(model.regions) };
    const sent = previous !== undefined && isChance(94) ? previous : here;
    // Few continue with another model.
    const used = previous === undefined || isChance(5) ? model : (modelOf(previous.model) ?? model);
    const preferred = used.modes.filter((mode) =>
      by === undefined ? preference.includes(mode) : isBackground({ mode }),
    );
    const isPreferred = preferred.length > 0 && isChance(75);
    const mode = helpers.arrayElement(isPreferred ? preferred : used.modes);
    // A model may take only a text in the background.
    const isList = !isBackground({ mode }) && isChance(walks ? 80 : 15);
    const first: Creates = {
      ...{ n, actor: sent.actor, region: sent.region, model: used.id, mode },
      kind: 'create',
      ...(previous === undefined ? {} : { previous: previous.n }),
      ...(isList ? { items: true as const } : {}),
      store: isBackground({ mode }) || isChance(90),
    };
    // A continuation may be asked for again, and then gets another response.
    const mayBeLive = mode === 'background-stream' && previous === undefined;
    if (mayBeLive && isChance(80)) return { ...first, live: true };
    // Turns of one WebSocket come one after another.
    const socket = previous?.socket ?? number.int(1);
    const isUsed = beside.some((act) => act.kind === 'create' && act.socket === socket);
    if (mode !== 'websocket' || isUsed || isChance(15)) return first;
    return { ...first, socket, ...(isChance(25) ? { loses: true } : {}) };
  }

  function drawActOn(of: Creates, operation: Operation, { actor, region }: SentBy = of): ActsOn {
    const act = { n, actor, region, kind: 'act', of: of.n } as const;
    const supports = modelOf(of.model)?.supports ?? [];
    const forms = requestModes[operation].filter((requestMode) => {
      const { needs } = actRequest({ operation, requestMode });
      const generations = generationsIn({ ...act, operation, requestMode });
      return generations <= left && needs.every((need) => supports.includes(need));
    });
    const [plain, ...others] = forms;
    if (plain === undefined) return { ...act, operation: 'lookup', requestMode: 'path' };
    const isPlain = others.length === 0 || isChance(walks ? 40 : 70);
    return { ...act, operation, requestMode: isPlain ? plain : helpers.arrayElement(others) };
  }

  /** Draws who asks for a response: its creator at home, another key, or its creator in another region. */
  function drawBy({ actor, region }: SentBy): SentBy {
    const keys = world.actors.filter((one) => one !== actor);
    const regions = world.regions.filter((one) => one !== region);
    if (keys.length > 0 && isChance(40)) return { actor: helpers.arrayElement(keys), region };
    if (regions.length === 0 || isChance(84)) return { actor, region };
    return { actor, region: helpers.arrayElement(regions) };
  }

  /** Draws a response, mostly of the conversation, and the latest more often than another. */
  function drawOf(): Creates {
    const some = talk.length > 0 && isChance(85) ? talk : made;
    const there = isChance(80) ? some.filter((one) => !gone.has(one.n)) : [];
    const drawn = there.length > 0 ? there : some;
    return helpers.arrayElement(isChance(35) ? drawn.slice(-1) : drawn);
  }

  function modelOf(id: string): ExploredModel | undefined {
    return world.models.find((model) => model.id === id);
  }
}
