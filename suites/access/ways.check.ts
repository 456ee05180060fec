import {
  answerOf,
  assumeServed,
  type CallOptions,
  check,
  contentOf,
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  expect,
  expectValue,
  hasGeneratedContent,
  Inconclusive,
  type Io,
  idOf,
  isCarriedOut,
  isServed,
  isUnserved,
  json,
  judgeEach,
  type Needs,
  type Scenario,
  scenario,
  type Variation,
  type View,
  view,
} from '../../harness/index.ts';
import { baseline, readable, refusedCost } from '../scenarios/baselines.ts';
import { present } from '../scenarios/exchanges.ts';
import { inventedModel } from '../scenarios/generations/generation-calls.ts';
import { type Stored, unknownLike } from '../scenarios/stored/stored-responses.ts';
import { countedInput, expectNoMoreRead } from '../scenarios/token-counts.ts';
import { restrictedWorks } from './key-controls.ts';
import {
  aliasWays,
  believedHeaders,
  bodyWays,
  pathWays,
  segmentWays,
  shareOf,
  untypedWays,
  type ValueWay,
} from './ways.ts';

/** WaysTried to get something guarded in other ways, and the ordinary request, which is served. */
interface WaysTried {
  readonly control: Exchange;
  readonly attempts: readonly (readonly [way: string, exchange: Exchange])[];
  /** Words that no attempt may show. */
  readonly secret: readonly string[];
  /** Id of the response that an attempt may ignore if its type is wrong; null: nothing may be ignored. */
  readonly ignorable: string | null;
}

/** Judges that no way is served. A way that no gateway needs to know may be answered in any other form. */
function judgeWays({ control, attempts, secret, ignorable }: WaysTried) {
  return judgeEach(
    attempts,
    ([way]) => way,
    ([way, attempt]) => {
      if (isServed(attempt) || hasGeneratedContent(attempt)) {
        if (ignorable !== null && untypedWays.includes(way)) {
          expectIgnored(attempt, control, ignorable);
        } else {
          expect(attempt).toBeRefused({ control });
        }
      }
      expect(attempt).toShowNoneOf(secret);
      assumeServed(control);
      if (!isUnserved(attempt) && contentOf(attempt).ending !== 'failed') assumeServed(attempt);
    },
    { noun: 'way' },
  );
}

function expectIgnored(attempt: Exchange, control: Exchange, id: string): void {
  const shown = json.text(answerOf(attempt).value, 'previous_response_id');
  const about = { as: 'previous_response_id', of: attempt };
  expectValue(shown, about).toBe('another id, or none', () => shown !== id);
  // The earlier turn would add a prompt of this kind, and its answer.
  expectNoMoreRead(attempt, control, countedInput(control) ?? 0);
}

const keyless = [
  'models',
  'lookup',
  'responses',
  'chat-completions',
  'messages',
  'generate-content',
] as const;

/** A difference of a request from the ordinary one, and of its headers and connection. */
type Difference = readonly [way: string, change: Variation, headers: CallOptions];

/** Returns the ways to send a request without a key. Endpoints that generate share them. */
function keylessWays(name: (typeof keyless)[number]): readonly Difference[] {
  const isList = name === 'models';
  const paths = { ...pathWays, ...(isList ? {} : aliasWays) };
  const all = Object.fromEntries([
    ...Object.entries(paths).map(([way, change]): [string, Difference] => [
      way,
      [way, { change: (call) => ({ ...call, path: change(call.path) }) }, {}],
    ]),
    ...Object.entries(believedHeaders).map(([way, headers]): [string, Difference] => [
      way,
      [way, {}, { headers }],
    ]),
  ]);
  const generating = keyless.filter((one) => endpoints[one].generates);
  const part = generating.indexOf(name);
  return shareOf(all, Math.max(0, part), part < 0 ? 1 : generating.length).map(([, way]) => way);
}

const withoutKey = each(keyless, (name) => {
  const { actsOn } = endpoints[name];
  const differences = keylessWays(name);
  return scenario(
    `access/ways/keyless/${name}`,
    {
      ...{ hostile: 'credentials', aside: true },
      after: { baseline: baseline[name], ...(actsOn === 'none' ? {} : { subject: readable }) },
      cost: { ...refusedCost(name, differences.length + 1), requests: differences.length + 2 },
    },
    async (io, { baseline: { baseline: control, input }, subject }): Promise<WaysTried> => {
      const request = { input, ...(subject === undefined ? {} : { id: subject.id }) };
      const kept = io.lane('kept connection');
      const over = kept.connection();
      await kept.ask('models', {}, { over });
      const [onKept, ...others] = await Promise.all([
        kept.ask(name, request, { key: 'none', over }),
        ...differences.map(([way, change, options]) =>
          io.lane(way).ask(name, { ...request, ...change }, { key: 'none', ...options }),
        ),
      ]);
      const attempts = others.map((exchange, n) => [differences[n]?.[0] ?? '', exchange] as const);
      return {
        ...{ control, attempts: [['kept-connection', onKept], ...attempts] },
        ...{ secret: [], ignorable: null },
      };
    },
  );
});

check.each('access/ways.key-required', (name: (typeof keyless)[number]) => ({
  on: withoutKey[name],
  judge: judgeWays,
}));

const naming = [
  'responses',
  'chat-completions',
  'messages',
  'messages-count-tokens',
  'generate-content',
  'count-tokens',
] as const;
type NamingEndpoint = (typeof naming)[number];

/** Returns the ways to name a model in a request. Two endpoints share those of the same place. */
function modelWays(name: NamingEndpoint): readonly (readonly [string, ValueWay])[] {
  const ways = endpoints[name].namesModel === 'path' ? segmentWays('model') : bodyWays('model');
  return shareOf(ways, naming.indexOf(name) % 2, 2);
}

/** Requests a model by other names than its id. */
function byOtherNames(
  guarded: 'restricted' | 'undeclared',
  name: NamingEndpoint,
): Scenario<WaysTried> {
  const { model: role } = endpoints[name];
  const ways = modelWays(name);
  const isRestricted = guarded === 'restricted';
  const speaks = role?.speaks ?? 'responses';
  return scenario(
    `access/ways/${guarded}/${name}`,
    {
      ...{ hostile: 'credentials', aside: true },
      needs: isRestricted
        ? { model: { ...role, notPermittedFor: 'restricted' }, keys: ['restricted'] }
        : { models: { undeclared: { notSpeaks: speaks } } },
      after: {
        baseline: baseline[name],
        ...(isRestricted ? { works: restrictedWorks } : {}),
      },
      cost: { ...refusedCost(name, ways.length), chain: 1 },
    },
    async (io, { baseline: { baseline: control, input } }) => {
      const model = isRestricted ? io.model.id : io.role('undeclared').id;
      const other = inventedModel(io);
      const attempts = await Promise.all(
        ways.map(async ([way, change]) => {
          const request = {
            input,
            model,
            change: (call: Parameters<ValueWay>[0]) => change(call, model, other),
          };
          const options = isRestricted ? { key: 'restricted' as const } : {};
          return [way, await io.lane(way).ask(name, request, options)] as const;
        }),
      );
      return { control, attempts, secret: [], ignorable: null };
    },
  );
}

const restricted = each(naming, (name) => byOtherNames('restricted', name));
const undeclared = each(naming, (name) => byOtherNames('undeclared', name));

check.each('access/ways.unpermitted-refused', (name: NamingEndpoint) => ({
  on: restricted[name],
  judge: judgeWays,
}));

check.each('access/ways.undeclared-refused', (name: NamingEndpoint) => ({
  on: undeclared[name],
  judge: judgeWays,
}));

const reading = ['lookup', 'input-items', 'responses'] as const satisfies readonly EndpointName[];
type Reading = (typeof reading)[number];

/** A stored response that a request may not reach, and the options of such a request. */
interface OutOfReach {
  readonly needs: Needs;
  readonly subject: View<Pick<Stored, 'id' | 'secret'>>;
  options(io: Io): CallOptions;
}

const outOfReach = {
  'other-user': {
    needs: { keys: ['otherUser'] },
    subject: readable,
    options: () => ({ key: 'otherUser' }),
  },
  deleted: {
    needs: {},
    subject: view(
      { deletion: baseline.delete },
      ({ deletion: { baseline: answer, id, secret } }) => {
        if (isCarriedOut(answer)) return { id: present(id, 'id'), secret };
        throw new Inconclusive('the response was not deleted', answer);
      },
    ),
    options: () => ({}),
  },
  unstored: {
    needs: {},
    subject: view({ turn: baseline.websocket }, ({ turn: { baseline: answer, secret } }) => {
      return { id: idOf(answer), secret };
    }),
    options: () => ({}),
  },
  'other-region': {
    needs: { regions: 2 },
    subject: readable,
    options: ({ otherRegion: region }) => ({ region }),
  },
} as const satisfies Readonly<Record<string, OutOfReach>>;

const reasons = ['deleted', 'unstored', 'other-region'] as const;
type Reason = (typeof reasons)[number];

/** Names a response that cannot be reached by other texts than its id, each through one of these operations. */
function byOtherTexts(
  why: keyof typeof outOfReach,
  name: Reading,
  ways: readonly (readonly [string, ValueWay])[],
): Scenario<WaysTried> {
  const { needs, subject, options }: OutOfReach = outOfReach[why];
  const isInPath = name !== 'responses';
  const isDeleted = why === 'deleted';
  return scenario(
    `access/ways/${why}/${name}`,
    {
      ...{ hostile: 'credentials', aside: true, needs },
      after: { baseline: baseline[name], subject },
      cost: { ...refusedCost(name, ways.length + (isDeleted ? 1 : 0)), chain: isDeleted ? 2 : 1 },
    },
    async (io, { baseline: { baseline: control }, subject: { id, secret } }) => {
      const other = unknownLike(id);
      // Only once the deletion shows is anything denied.
      if (isDeleted) await io.responses.lookup(id);
      const attempts = await Promise.all(
        ways.map(async ([way, change]) => {
          const request: Variation = {
            ...(isInPath ? { id } : {}),
            change: (call) => change(call, id, other),
          };
          return [way, await io.lane(way).ask(name, request, options(io))] as const;
        }),
      );
      return { control, attempts, secret: [secret], ignorable: id };
    },
  );
}

const inPath = segmentWays('response_id');
const inBody = bodyWays('previous_response_id');

const byOtherUser = each(reading, (name) =>
  byOtherTexts('other-user', name, Object.entries(name === 'responses' ? inBody : inPath)),
);

check.each('access/ways.other-user-denied', (name: Reading) => ({
  on: byOtherUser[name],
  judge: judgeWays,
}));

/** The operations share the ways, and so do the reasons where a request may cost a generation. */
const unavailable = each(reasons, (why) =>
  each(reading, (name) =>
    byOtherTexts(
      why,
      name,
      name === 'responses'
        ? shareOf(inBody, reasons.indexOf(why), reasons.length)
        : shareOf(inPath, reading.indexOf(name), 2),
    ),
  ),
);

check.each('access/ways.unavailable-denied', (why: Reason, name: Reading) => ({
  on: unavailable[why][name],
  judge: judgeWays,
}));
