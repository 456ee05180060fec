import {
  answerOf,
  type Cell,
  type CreationMode,
  contentOf,
  creations,
  designs,
  type Exchange,
  type Fields,
  Inconclusive,
  type Io,
  idOf,
  isRefused,
  isServed,
  json,
  type Model,
  mostPolls,
  NothingToJudge,
  protocolModules,
  type Scenario,
  scenario,
  type Target,
} from '../../../harness/index.ts';
import { hasReason, type SubjectPlan } from '../../../harness/kernel/model/index.ts';
import { type Baseline, baseline, ownInput } from '../baselines.ts';
import { assumeDistinctIds, namesModel, present } from '../exchanges.ts';
import { lastOf, pollToTheEnd, witness } from '../stored/stored-responses.ts';
import {
  costOf,
  isUnmade,
  type Made,
  type Point,
  type Subject,
  tryAll,
  type Unmade,
} from './points.ts';

/** Responses of one creation mode, and their owner's reads that are free of charge. */
export interface Subjects {
  readonly subjects: readonly Subject[];
  readonly points: readonly Point[];
}

/** Returns the plans of one kind and mode at a target. */
export function plansAt(
  target: Target,
  kind: SubjectPlan['kind'],
  mode: CreationMode,
): readonly SubjectPlan[] {
  const design = designs.actsAt(target);
  return design.subjects.filter(
    (plan) => plan.kind === kind && plan.mode === mode && design.isMade(plan),
  );
}

/** Returns the matching cells that are tried on a response. */
export function cellsOn(target: Target, plan: SubjectPlan, fits: (cell: Cell) => boolean): Cell[] {
  return designs.actsAt(target).cellsOf(plan).filter(fits);
}

export function laneOf({ home, fate }: SubjectPlan): string {
  return `${home}-${fate}`;
}

/** True for the owner's reads right after the creation, which are free of charge. */
function isRead({ reason, operation, state }: Cell): boolean {
  const reads = operation === 'lookup' || operation === 'input-items' || operation === 'recover';
  return reason === 'none' && reads && state === 'finished';
}

/** True for acts without a good key, which a gateway may defend itself against. */
export function isKeyless(cell: Cell): boolean {
  return hasReason(cell, 'no-key', 'unknown-key');
}

/** Returns the acts that come right after the creation of such a response. */
function atOnce(kind: SubjectPlan['kind']): (cell: Cell) => boolean {
  return kind === 'stored' ? isRead : (cell) => !isKeyless(cell);
}

/** True for the continuation that creates another response. */
export function makesOne({ reason, mode, operation, requestMode }: Cell): boolean {
  const plain = operation === 'continue' && requestMode === 'body';
  return reason === 'none' && mode === 'one-body' && plain;
}

const ordinary = ['one-body', 'stream', 'background', 'background-stream', 'websocket'] as const;

const direct = Object.fromEntries(ordinary.map((mode) => [mode, madeBy(mode)])) as Readonly<
  Record<(typeof ordinary)[number], Scenario<Subjects>>
>;

/** Stored responses that acts are tried on, by creation mode. */
export const made: Readonly<Record<CreationMode, Scenario<Subjects>>> = {
  ...direct,
  continuation: continuing('stored'),
};

function madeBy(mode: (typeof ordinary)[number]): Scenario<Subjects> {
  return scenario(
    `points/made/${mode}`,
    {
      needs: { model: { speaks: 'responses' } },
      after: { witness },
      cost: (target) => costAt(target, 'stored', mode),
    },
    async (io, { witness: other }) =>
      subjectsOf(io, plansAt(io.target, 'stored', mode), (lane, plan) =>
        madeIn(lane, { plan, store: true }, other.created),
      ),
  );
}

/** Continuations of responses created in one body. Acts on unstored continuations are tried immediately. */
function continuing(kind: 'stored' | 'unstored'): Scenario<Subjects> {
  const mode = 'continuation';
  return scenario(
    `points/${kind === 'stored' ? 'made' : 'unstored'}/continuation`,
    { after: { parents: direct['one-body'] }, cost: (target) => costAt(target, kind, mode) },
    async (io, { parents }) => {
      const parentOf = ({ home }: SubjectPlan) =>
        parents.subjects.find(({ plan }) => plan.home === home)?.made;
      const make = async (lane: Io, plan: SubjectPlan): Promise<Made> => {
        const parent = parentOf(plan);
        if (!parent || isUnmade(parent)) {
          throw parent ?? new Inconclusive('there is no response to continue');
        }
        return madeIn(
          lane,
          { plan, store: kind === 'stored', previous: parent.id },
          parent.created,
        );
      };
      return subjectsOf(io, plansAt(io.target, kind, mode), make, parentOf);
    },
  );
}

/** Responses with `store: false`, and the operations on them that are denied even to the owner, with a good key. */
export const unstored: Readonly<
  Record<'one-body' | 'stream' | 'websocket' | 'continuation', Scenario<Subjects>>
> = {
  'one-body': unstoredBy('one-body'),
  stream: unstoredBy('stream'),
  websocket: unstoredBy('websocket'),
  continuation: continuing('unstored'),
};

function unstoredBy(mode: 'one-body' | 'stream' | 'websocket'): Scenario<Subjects> {
  return scenario(
    `points/unstored/${mode}`,
    {
      needs: { model: { speaks: 'responses' } },
      after: { witness, ...(mode === 'websocket' ? { given: baseline.websocket } : {}) },
      cost: (target) => costAt(target, 'unstored', mode),
    },
    async (io, { witness: other, given }) =>
      subjectsOf(io, plansAt(io.target, 'unstored', mode), async (lane, plan) => {
        const own = given && isGiven(plan, io.target) ? givenAs(plan, given, io.target) : null;
        return own ?? madeIn(lane, { plan, store: false }, other.created);
      }),
  );
}

/** True for an unstored response that the baseline request over WebSocket makes. */
function isGiven({ kind, mode, content, home }: SubjectPlan, { regions }: Target): boolean {
  const isLike = kind === 'unstored' && mode === 'websocket' && content === 'plain';
  return isLike && home === regions[0]?.name;
}

/** Returns the response of a baseline request as one to try acts on, if it is like the planned one. */
function givenAs(
  { mode, home: region }: SubjectPlan,
  { baseline: created, secret: word }: Baseline,
  target: Target,
): Made | null {
  const model = present(designs.actsAt(target).modelFor(mode), 'model').id;
  if (!isServed(created) || !namesModel(created, model)) return null;
  return madeOf({ region, model, id: idOf(created), word }, created, created);
}

function costAt(target: Target, kind: 'stored' | 'unstored', mode: CreationMode) {
  const plans = plansAt(target, kind, mode);
  const acts = costOf(
    target,
    plans.flatMap((plan) => cellsOn(target, plan, atOnce(kind))),
  );
  const polls = mode === 'background' ? mostPolls(target) : 0;
  const given = plans.filter((plan) => isGiven(plan, target)).length;
  return {
    ...acts,
    requests: acts.requests + (5 + polls) * plans.length,
    chain: acts.chain + 5 + polls,
    spare: (acts.spare ?? 0) + Math.max(0, polls - 1) * plans.length,
    generations: acts.generations + plans.length - given,
    fallback: given + plans.filter(({ content }) => content !== 'plain').length,
    continues: (acts.continues ?? 0) + (mode === 'continuation' ? plans.length : 0),
  };
}

async function subjectsOf(
  io: Io,
  plans: readonly SubjectPlan[],
  make: (lane: Io, plan: SubjectPlan) => Promise<Made>,
  parentOf?: (plan: SubjectPlan) => Made | Unmade | undefined,
): Promise<Subjects> {
  const all = await Promise.all(
    plans.map(async (plan) => {
      const lane = io.lane(laneOf(plan));
      const made = await make(lane, plan).catch((error) => whyNot(lane, plan, error));
      const points = await tryAll(
        io,
        laneOf(plan),
        cellsOn(io.target, plan, atOnce(plan.kind)),
        made,
      );
      return { plan, made, points: [...points, ...continuedBy(io, plan, made, parentOf?.(plan))] };
    }),
  );
  return { subjects: all, points: all.flatMap(({ points }) => points) };
}

/** Creates a continuation, which is also an act on the response that it continues. */
function continuedBy(
  io: Io,
  { mode, home, kind }: SubjectPlan,
  made: Made | Unmade,
  parent: Made | Unmade | undefined,
): Point[] {
  if (mode !== 'continuation' || kind !== 'stored') return [];
  const cell = designs.actsAt(io.target).cells.find((one) => makesOne(one) && one.home === home);
  if (cell === undefined || parent === undefined) return [];
  if (isUnmade(parent)) return [{ cell, blocked: parent }];
  if (!isUnmade(made)) return [{ cell, made: parent, attempt: made.created }];
  const exchange = made instanceof Inconclusive ? made.exchange : null;
  const isOwn = exchange?.about.operation === 'responses.create';
  return [isOwn ? { cell, made: parent, attempt: exchange } : { cell, blocked: made }];
}

/**
 * Returns the reason why the response does not exist. No source says that every region has every model and every
 * channel. A further region may refuse a model that it does not list, or open no WebSocket.
 */
export async function whyNot(
  { lists, responses, target }: Io,
  { mode, home: region }: SubjectPlan,
  error: unknown,
): Promise<Unmade> {
  if (error instanceof NothingToJudge) return error;
  const unmade = inconclusive(error);
  const model = designs.actsAt(target).modelFor(mode);
  const { exchange } = unmade;
  const isFurther = region !== target.regions[0]?.name;
  if (model === null || !isFurther || exchange === null) return unmade;
  if (mode === 'websocket' && opensNone(exchange)) {
    const again = await responses.connect({ region });
    return opensNone(await again.exchange()) ? new NoWebSocket(region) : unmade;
  }
  if (!isRefused(exchange)) return unmade;
  const list = await lists.list({ region });
  const shown = JSON.stringify(answerOf(list).value ?? null);
  if (!isServed(list) || shown.includes(JSON.stringify(model.id))) return unmade;
  return new NothingToJudge(`${region} lists no model for it`);
}

/** True if the upgrade is refused for a reason other than the key. */
function opensNone(exchange: Exchange): boolean {
  const { about, response, socket } = exchange;
  const isUpgrade = about.operation === 'responses.connect' && socket === null;
  const isForKey = response?.status === 401 || response?.status === 403;
  return isUpgrade && !isForKey && isRefused(exchange, { capability: true });
}

/** Reason for a region without the WebSocket endpoint. */
export class NoWebSocket extends NothingToJudge {
  readonly region: string;

  constructor(region: string) {
    super(`${region} opens no WebSocket`);
    this.region = region;
  }
}

export function inconclusive(error: unknown): Inconclusive {
  if (error instanceof Inconclusive) return error;
  throw error;
}

type Content = Cell['content'];

/** Members of the body that makes a response of each content. */
const contents: Readonly<
  Record<Content, (io: Io, model: Model, own: ReturnType<typeof ownInput>) => Fields>
> = {
  plain: (_io, _model, { input }) => ({ input }),
  truncated: ({ target, text }, _model, { secret }) => ({
    input: text(4 * target.limits.maxOutputTokens, secret),
  }),
  tools: ({ target }, { supports }, { input }) => {
    const { forbiddenCall } = protocolModules.responses.tools;
    return supports.includes('tools')
      ? forbiddenCall(target.limits.maxOutputTokens, input)
      : { input };
  },
  items: (_io, _model, { input }) => ({
    input: [{ role: 'user', content: [{ type: 'input_text', text: input }] }],
  }),
};

interface How {
  readonly plan: SubjectPlan;
  readonly store: boolean;
  readonly previous?: string;
}

/** Creates a response. @throws {Inconclusive} if it has the id of another one */
async function madeIn(io: Io, how: How, other: Exchange): Promise<Made> {
  const { responses } = io;
  const { plan, store, previous } = how;
  const { mode, content, home: region } = plan;
  const model = present(designs.actsAt(io.target).modelFor(mode), 'model');
  const own = ownInput(io);
  const goesOn = previous === undefined ? {} : { previous_response_id: previous };
  const make = (of: Content): Promise<Exchange> => {
    const body = { model: model.id, ...contents[of](io, model, own), store, ...goesOn };
    return creations[mode].send(responses, body, { region });
  };
  const first = await make(content);
  // A model may refuse lists and tools in some modes. Other checks judge how they are served.
  const answer = content !== 'plain' && isRefused(first) ? await make('plain') : first;
  assumeDistinctIds([answer], [other]);
  const id = idOf(answer);
  const isBackground = mode === 'background';
  const created = isBackground ? lastOf(await pollToTheEnd(io, id, { region })) : answer;
  const seen = store ? await responses.lookup(id, { region }) : created;
  return madeOf({ region, model: model.id, id, word: own.secret }, created, seen);
}

function madeOf(
  given: Pick<Made, 'region' | 'model' | 'id' | 'word'>,
  created: Exchange,
  seen: Exchange,
): Made {
  return { ...given, created, seen, text: contentOf(created).text, item: itemOf(created) };
}

function itemOf(created: Exchange): string | null {
  const messages = contentOf(created).items.filter((item) => json.text(item, 'type') === 'message');
  return json.text(messages[0], 'id');
}
