import {
  assumeServed,
  type Captures,
  type CreationMode,
  check,
  contentOf,
  type Exchange,
  everywhere,
  expect,
  expectValue,
  idOf,
  json,
  NothingToJudge,
  nativeBody,
  scenario,
  view,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import {
  assumeIdsDiffer,
  bodyDueAt,
  creationOf,
  isStopped,
  isSuccess,
  present,
} from '../scenarios/exchanges.ts';
import { isCalled } from '../scenarios/generations/tool-calls.ts';
import { toldInContinuation } from '../scenarios/generations/whole-responses.ts';
import { judgeLooks, lastLook } from '../scenarios/last-look.ts';
import { judgeServed, pointsFor } from '../scenarios/points/judged.ts';
import { resumed } from '../scenarios/running/interrupted-streams.ts';
import { continued, streamLookedUp, wholeText } from '../scenarios/stored/served-operations.ts';
import { lastOf } from '../scenarios/stored/stored-responses.ts';
import { storedTurn } from '../scenarios/websocket/conversation.ts';
import { given } from './given.ts';
import { callLookedUp, lookedUp } from './looked-up.ts';

check('storage/responses.omitted-is-stored', toldInContinuation, ({ lookup, control }) => {
  assumeServed(control);
  expect(lookup).toBeServed();
});

check('storage/responses.lookup-served', lookedUp, ({ lookup }) => {
  expect(lookup).toBeServed();
});

everywhere(
  'storage/responses.lookup-equals-created',
  { least: lookedUp, which: isLookup },
  (lookup, run) => {
    if (!hasEnded(lookup) && !isDue(lookup, run)) {
      throw new NothingToJudge('the response need not show its end yet');
    }
    if (isStopped(lookup, run)) throw new NothingToJudge('somebody stopped it');
    // An end without its output is judged: the creation has shown it.
    if (!hasEnded(lookup)) assumeServed(lookup);
    expect(lookup).toHaveSameAnswerAs(endOf(lookup, run));
    assumeIdsDiffer(lookup, run);
  },
);

/** True for a lookup; a recovery has the same path. */
function isLookup(exchange: Exchange): boolean {
  return exchange.about.operation === 'responses.lookup' && isSuccess(exchange);
}

function hasEnded(exchange: Exchange): boolean {
  return ['completed', 'incomplete'].includes(contentOf(exchange).ending ?? '');
}

/** True if the creation showed the end so long ago that every lookup must show it. */
function isDue(lookup: Exchange, run: WholeRun): boolean {
  const created = creationOf(lookup, run);
  if (created === null || created.failure !== null || !hasEnded(created)) return false;
  return lookup.times.started >= created.times.ended + run.target.limits.consistencyMs;
}

/** Returns the answer that showed the end of a response: its creation, or else the most complete lookup. */
function endOf(lookup: Exchange, run: WholeRun): Exchange {
  const created = creationOf(lookup, run);
  if (created !== null && created.failure === null && hasEnded(created)) return created;
  const path = new URL(lookup.request.url).pathname;
  const [most] = run.exchanges
    .filter((one) => isLookup(one) && hasEnded(one) && new URL(one.request.url).pathname === path)
    .toSorted((one, other) => contentOf(other).text.length - contentOf(one).text.length);
  if (most === undefined) throw new NothingToJudge('nothing else showed its end');
  return most;
}

everywhere(
  'storage/responses.lookup-shape',
  { least: lookedUp, ...bodyDueAt('lookup') },
  (exchange, run) => {
    assumeIdsDiffer(exchange, run);
    expect(exchange).toMatchSchema('responses/response');
  },
);

check.each('storage/responses.read-by-creation-mode', (mode: CreationMode) => ({
  on: pointsFor.none,
  judge: (none) => judgeServed(none, `storage/responses.read-by-creation-mode:${mode}`),
}));

check.each('storage/responses.read-in-each-state', (state: keyof typeof given) => ({
  on: given[state],
  judge: (acted) => judgeServed(acted, null),
}));

check('storage/responses.stream-is-stored', streamLookedUp, ({ streamed, lookup }) => {
  const text = wholeText(streamed);
  expect(lookup).toBeServed();
  expectValue(contentOf(lookup).text, { as: 'the stored text', of: lookup }).toEqual(text);
});

/** Creation modes of a looked-up response. */
type Made = 'one-body' | 'stream' | 'background' | 'websocket' | 'continuation' | 'call';

/** A response as its creation finally showed it, and its lookup. */
interface CreatedAndLookedUp {
  readonly created: Exchange;
  readonly lookup: Exchange;
}

const continuedAndLookedUp = scenario(
  'storage/responses/continued-and-looked-up',
  { after: { continued }, cost: { requests: 1, generations: 0 } },
  async ({ responses }, { continued: { second: created } }) => ({
    created,
    lookup: await responses.lookup(idOf(created)),
  }),
);

/** Responses that other checks create, and mostly also look up. */
const createdAndLookedUp: Readonly<Record<Made, Captures<CreatedAndLookedUp>>> = {
  'one-body': lookedUp,
  stream: view({ streamLookedUp }, ({ streamLookedUp: { streamed, lookup } }) => ({
    created: streamed,
    lookup,
  })),
  background: view({ resumed }, ({ resumed: { rest, lookups } }) => ({
    created: rest,
    lookup: lastOf(lookups),
  })),
  websocket: view({ storedTurn }, ({ storedTurn: { turn, lookup } }) => ({
    created: turn,
    lookup: present(lookup, `lookup of ${idOf(turn)}`),
  })),
  continuation: continuedAndLookedUp,
  call: view({ callLookedUp }, ({ callLookedUp: { created, lookup } }) => {
    if (lookup !== null && isCalled(created, 'responses')) return { created, lookup };
    throw new NothingToJudge('the model made no call');
  }),
};

/** Members that do not change after a response has ended. */
const members = [
  'status',
  'created_at',
  'model',
  'previous_response_id',
  'max_output_tokens',
  'background',
  'store',
  'incomplete_details.reason',
  'usage.input_tokens',
  'usage.output_tokens',
  'usage.total_tokens',
];

check.each('storage/responses.lookup-same-resource', (made: Made) => ({
  on: createdAndLookedUp[made],
  judge: ({ created, lookup }) => {
    assumeServed([created, lookup]);
    for (const member of members) {
      const [before, now] = [created, lookup].map((one) => json.at(nativeBody(one), member));
      // A member that one of the two lacks cannot differ. Another check judges its type.
      if (before == null || typeof now !== typeof before) continue;
      expectValue(now, { as: member, of: lookup }).toEqual(before);
    }
    if (made === 'continuation') {
      // Another check judges the text of the other modes.
      const text = contentOf(created).text;
      expectValue(contentOf(lookup).text, { as: 'text', of: lookup }).toEqual(text);
    }
    const [before = [], now = []] = [created, lookup].map((one) => contentOf(one).items);
    expectValue(now.map(typeOf), { as: 'types of the output items', of: lookup }).toEqual(
      before.map(typeOf),
    );
    for (const [n, item] of now.entries()) {
      for (const member of ['id', 'call_id', 'name', 'arguments']) {
        const [was, is] = [before[n], item].map((one) => json.text(one, member));
        if (was == null || is == null) continue;
        // Arguments are compared as JSON, because equal values may be written differently.
        const [said, shown] =
          member === 'arguments' ? [json.parsed(was), json.parsed(is)] : [was, is];
        expectValue(shown, { as: `output[${n}].${member}`, of: lookup }).toEqual(said);
      }
    }
  },
}));

function typeOf(item: unknown): string | null {
  return json.text(item, 'type');
}

check(
  'storage/responses.there-at-the-end',
  { lastLook, control: baseline.lookup },
  ({ lastLook, control: { baseline: control } }) =>
    judgeLooks(lastLook, 'there', ({ before, now }) => {
      assumeServed(control);
      expect(now).toBeServed();
      if (before !== null) expect(now).toHaveSameAnswerAs(before);
    }),
);
