import {
  assumeServed,
  type Captures,
  check,
  checkEach,
  type EndpointName,
  type Exchange,
  each,
  ending,
  expectValue,
  generatedText,
  Inconclusive,
  inputTokens,
  isRefused,
  type LedgerRecord,
  NothingToJudge,
  numberAt,
  outputTokens,
  type Protocol,
  present,
  protocolOfEndpoint,
  protocols,
  type StreamingProtocol,
  scenario,
  usage,
  type View,
  view,
} from '../../harness/index.ts';
import { noTextHint } from '../scenarios/assumptions.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline, lookupControl } from '../scenarios/baselines.ts';
import {
  assumeCharged,
  type Entry,
  entryOf,
  generationRecorded,
  interrupted,
  isMetered,
  looks,
  meteredEntryOf,
} from '../scenarios/ledger.ts';
import { unknownModel } from '../scenarios/requests/models.ts';
import { formsOf } from '../scenarios/requests/request-modes.ts';
import { lastOf, polled } from '../scenarios/running/background-runs.ts';
import { continued } from '../scenarios/stored/served-operations.ts';
import { storedResponse } from '../scenarios/stored/stored-responses.ts';

const probes = ['ledger'] as const;

/** What the ledger says of the baseline compact call. */
const compacted = scenario(
  'metering/ledger/compact',
  {
    needs: { probes },
    after: { compacted: baseline.compact, control: generationRecorded.responses },
    cost: looks({ until: 1 }),
  },
  async (io, { compacted: { baseline: call }, control }) => ({
    control,
    entry: await meteredEntryOf(io, call),
  }),
);

check('metering/ledger.compact-metered', compacted, ({ control, entry }) => {
  assumeRecorded(control);
  assumeServed(entry.request);
  expectMetered(entry);
});

/** What a ledger does not know of a baseline generation, it need not know of another request. */
function assumeRecorded({ request, records }: Entry): void {
  if (records.some(isMetered)) return;
  throw new Inconclusive('the ledger has no record of a generation', request);
}

function expectMetered({ request, records }: Entry): void {
  expectValue(records, { as: 'records', of: request }).toBe(
    'one at least with usage or a charge',
    () => records.some(isMetered),
  );
}

type CountingEndpoint = Extract<
  EndpointName,
  'messages-count-tokens' | 'count-tokens' | 'input-tokens'
>;

/** What the ledger says of the baseline counts, read after that of a generation of the protocol. */
const counted = each(
  ['messages-count-tokens', 'count-tokens', 'input-tokens'],
  (name: CountingEndpoint) =>
    scenario(
      `metering/ledger/${name}`,
      {
        needs: { probes },
        after: { counted: baseline[name], control: generationRecorded[protocolOfEndpoint[name]] },
        cost: looks({ once: 1 }),
      },
      async (io, { counted: { baseline: count }, control }) => ({
        control,
        entry: await entryOf(io, count),
      }),
    ),
);

checkEach('metering/ledger.counting-free', (endpoint: CountingEndpoint) => ({
  on: counted[endpoint],
  judge: ({ control, entry }) => {
    assumeCharged(control);
    assumeServed(entry.request);
    expectFree(entry);
  },
}));

function expectFree({ request, records }: Entry): void {
  const charges = records.map(({ charge }) => charge).filter((charge) => charge > 0);
  expectValue(charges, { as: 'charges', of: request }).toEqual([]);
}

/** What the ledger says of a stored response before and after its deletion. */
const deleted = scenario(
  'metering/ledger/deleted',
  {
    needs: { probes },
    after: { stored: storedResponse('metering/ledger/to-be-deleted'), lookupControl },
    cost: (target) => ({ ...looks({ until: 1, once: 1, more: 1 })(target), chain: 3 }),
  },
  async (io, { stored: { created, id } }) => {
    const before = await meteredEntryOf(io, created);
    const deletion = await io.responses.delete(id);
    return { before, deletion, after: await entryOf(io, created) };
  },
);

check('metering/ledger.kept-after-deletion', deleted, ({ before, deletion, after }) => {
  assumeRecorded(before);
  assumeServed(deletion);
  for (const record of before.records) {
    const words = JSON.stringify(record);
    const kept = (): boolean => after.records.some((one) => holds(one, record));
    const as = 'records after the deletion';
    expectValue(after.records, { as, of: after.answers[0] ?? null }).toBe(`still ${words}`, kept);
  }
});

/**
 * True when nothing of the record was lost. Its status may well show the deletion, its id may be
 * another, and a ledger that is written in steps may have more by now.
 */
function holds(now: LedgerRecord, before: LedgerRecord): boolean {
  return (
    now.inputTokens >= before.inputTokens &&
    now.outputTokens >= before.outputTokens &&
    now.charge >= before.charge
  );
}

checkEach('metering/ledger.interrupted-recorded', (how: keyof typeof interrupted) => ({
  on: interrupted[how],
  judge: ({ control, cancel, entry }) => {
    assumeRecorded(control);
    const { request } = entry;
    if (generatedText(request) === '') {
      const reason = `no text had come when the run was interrupted: ${noTextHint}`;
      throw new Inconclusive(reason, request);
    }
    if (cancel !== null && ending(cancel) !== 'cancelled') {
      throw new Inconclusive('the run was not cancelled while it went on', cancel);
    }
    expectMetered(entry);
  },
}));

/** What the ledger says of requests that have to be refused: a wrong model, and wrong bodies. */
const refusedRequests = scenario(
  'metering/ledger/refused',
  {
    needs: { probes },
    after: {
      wrongModel: present(unknownModel.responses, 'attempts with an unknown model'),
      control: generationRecorded.responses,
    },
    cost: (target) => ({
      ...looks({ once: formsOf('responses').length + 3, more: 3 })(target),
      generations: 0,
      refused: 3,
      chain: 2,
    }),
  },
  async (io, { wrongModel: { attempts }, control }) => {
    const bodies = [
      { input: 42 },
      { previous_response_id: `resp_${io.word()}` },
      { background: true, store: false },
    ];
    const requests: readonly Exchange[] = [
      ...attempts,
      ...(await Promise.all(
        bodies.map((body, n) => io.lane(`refused-${n}`).responses.create(body)),
      )),
    ];
    const entries = await Promise.all(
      requests.map((request, n) => entryOf(io.lane(`ledger-${n}`), request)),
    );
    return { control, entries };
  },
);

check('metering/ledger.refusals-free', refusedRequests, ({ control, entries }) => {
  assumeCharged(control);
  const refused = entries.filter(({ request }) => isRefused(request));
  if (refused.length === 0) {
    throw new Inconclusive('no request was refused', entries[0]?.request ?? null);
  }
  for (const entry of refused) expectFree(entry);
});

/** A way to ask for a generation. */
type Asked = Protocol | CreationMode;

/** What the ledger says of a generation, and the answer that has its usage. */
interface Recorded {
  readonly entry: Entry;
  readonly answer: Exchange;
}

const inOneBody = each(
  protocols,
  (protocol: Protocol): View<Recorded> =>
    view({ entry: generationRecorded[protocol] }, ({ entry }) => ({
      entry,
      answer: entry.request,
    })),
);

interface Generated {
  readonly request: Exchange;
  readonly answer: Exchange;
}

/** Generations that other checks ask for, too. */
const generatedByMode = {
  'responses-stream': streamOf('responses'),
  'chat-completions-stream': streamOf('chat-completions'),
  'messages-stream': streamOf('messages'),
  'generative-stream': streamOf('generative'),
  websocket: view({ turn: baseline.websocket }, ({ turn: { baseline } }) => alone(baseline)),
  background: view({ polled }, ({ polled: { created, lookups } }) => ({
    request: created,
    answer: lastOf(lookups),
  })),
  continuation: view({ continued }, ({ continued: { second } }) => alone(second)),
} satisfies Readonly<Record<string, View<Generated>>>;

type CreationMode = keyof typeof generatedByMode;

function streamOf(protocol: StreamingProtocol): View<Generated> {
  return view({ stream: baselineStream[protocol] }, ({ stream }) => alone(stream.streamed));
}

function alone(answer: Exchange): Generated {
  return { request: answer, answer };
}

const byMode = each(Object.keys(generatedByMode) as CreationMode[], (asked: CreationMode) =>
  scenario(
    `metering/ledger/recorded/${asked}`,
    {
      needs: { probes: ['ledger'] },
      after: { generated: generatedByMode[asked] },
      cost: looks({ until: 1 }),
    },
    async (io, { generated: { request, answer } }): Promise<Recorded> => ({
      entry: await meteredEntryOf(io, request),
      answer,
    }),
  ),
);

/** What the ledger says of a generation, however it was asked for. */
const recorded: Readonly<Record<Asked, Captures<Recorded>>> = { ...inOneBody, ...byMode };

checkEach('metering/ledger.generation-recorded', (asked: Asked) => ({
  on: recorded[asked],
  judge: ({ entry: { request, records }, answer }) => {
    assumeServed(answer);
    expectValue(records, { as: 'records', of: request }).toBe(
      'one at least with usage or a charge',
      () => records.some(isMetered),
    );
  },
}));

checkEach('metering/ledger.record-matches-usage', (asked: Exclude<Asked, 'systemone'>) => ({
  on: recorded[asked],
  judge: ({ entry: { request, records }, answer }) => {
    assumeServed(answer);
    const reported = { input: inputTokens(answer) ?? 0, output: outputTokens(answer) ?? 0 };
    const kept = records.map((one) => ({ input: one.inputTokens, output: one.outputTokens }));
    if (reported.input === 0 || reported.output === 0) {
      throw new NothingToJudge('the answer does not show how many tokens were used');
    }
    // Thoughts are counted beside the output, and may be charged like it.
    const thoughts = numberAt(usage(answer), 'thoughtsTokenCount') ?? 0;
    const outputs = [reported.output, reported.output + thoughts];
    const [inputSum, outputSum] = [sum(kept, 'input'), sum(kept, 'output')];
    if (inputSum + outputSum === 0) throw new NothingToJudge('the ledger shows no usage');
    const asOutput = 'recorded output tokens, of each record and together';
    const counts = [...kept.map(({ output }) => output), outputSum];
    expectValue(counts, { as: asOutput, of: request }).toBe(`${reported.output} among them`, () =>
      counts.some((count) => outputs.includes(count)),
    );
    // What was read from a cache is not in the input of every protocol, and is charged.
    const as = 'recorded input tokens';
    expectValue(inputSum, { as, of: request }).toBe(`${reported.input} at least`, (n) =>
      Boolean(Number(n) >= reported.input),
    );
  },
}));

function sum(
  counts: readonly { readonly input: number; readonly output: number }[],
  which: 'input' | 'output',
): number {
  return counts.reduce((so, count) => so + count[which], 0);
}
