import {
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  idOf,
  present,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { ordinary } from '../ordinary.ts';
import { afterTheBreak } from '../responses/broken-streams.ts';
import { storedResponse } from '../stored-responses.ts';
import { type Entry, entryOf, generationRecorded, meteredEntryOf } from './ledger.ts';
import { unknownModel } from './wrong-models.ts';

const probes = ['ledger'] as const;

/** What the ledger says of the ordinary compact call. */
export const compacted = scenario(
  'rules/metering/compact',
  {
    needs: { probes },
    after: { compacted: ordinary.compact, control: generationRecorded.responses },
    cost: { requests: 10, generations: 0, chain: 1 },
  },
  async (io, { compacted: { ordinary: call }, control }) => ({
    control,
    entry: await meteredEntryOf(io, call),
  }),
);

export type CountingEndpoint = Extract<
  EndpointName,
  'messages-count-tokens' | 'count-tokens' | 'input-tokens'
>;

/** What the ledger says of the ordinary counts, read after that of a generation of the protocol. */
export const counted = each(
  ['messages-count-tokens', 'count-tokens', 'input-tokens'],
  (name: CountingEndpoint) =>
    scenario(
      `rules/metering/${name}`,
      {
        needs: { probes },
        after: { counted: ordinary[name], control: generationRecorded[protocolOf(name)] },
        cost: { requests: 1, generations: 0 },
      },
      async (io, { counted: { ordinary: count }, control }) => ({
        control,
        entry: await entryOf(io, count),
      }),
    ),
);

function protocolOf(name: CountingEndpoint): 'responses' | 'messages' | 'generative' {
  const { protocol } = endpoints[name];
  if (protocol === 'messages' || protocol === 'generative') return protocol;
  return 'responses';
}

/** What the ledger says of a stored response before and after its deletion. */
export const deleted = scenario(
  'rules/metering/deleted',
  {
    needs: { probes },
    after: { stored: storedResponse('rules/metering/to-be-deleted') },
    cost: { requests: 12, generations: 0, chain: 3 },
  },
  async (io, { stored: { created, id } }) => {
    const before = await meteredEntryOf(io, created);
    const deletion = await io.responses.delete(id);
    return { before, deletion, after: await entryOf(io, created) };
  },
);

/** A background run that is cancelled after text has come. */
const cancelledRun = scenario(
  'rules/metering/cancelled-run',
  {
    needs: { model: { speaks: 'responses', supports: ['background', 'stream:responses'] } },
    cost: { requests: 2, generations: 1 },
  },
  async ({ responses, random }) => {
    const interrupted = await responses.stream(
      {
        input: `Write 400 words about ${random.word.noun()}.`,
        max_output_tokens: 512,
        store: true,
        background: true,
      },
      // The openings of response, item and part, and the first words.
      { cutAfterEvents: 8 },
    );
    return { interrupted, cancel: await responses.cancel(idOf(interrupted)) };
  },
);

/** What the ledger says of a run that was interrupted after text had come. */
export interface Interrupted {
  readonly entry: Entry;
  readonly control: Entry;
  /** The answer to the cancel; null where the client just left. */
  readonly cancel: Exchange | null;
}

export const interrupted: Readonly<Record<'cancel' | 'disconnect', Scenario<Interrupted>>> = {
  cancel: scenario(
    'rules/metering/cancelled',
    {
      needs: { probes },
      after: { run: cancelledRun, control: generationRecorded.responses },
      cost: { requests: 10, generations: 0, chain: 1 },
    },
    async (io, { run: { interrupted, cancel }, control }) => ({
      control,
      cancel,
      entry: await meteredEntryOf(io, interrupted),
    }),
  ),
  disconnect: scenario(
    'rules/metering/disconnected',
    {
      needs: { probes },
      after: { run: afterTheBreak.foreground, control: generationRecorded.responses },
      cost: { requests: 10, generations: 0, chain: 1 },
    },
    async (io, { run: { seen }, control }) => ({
      control,
      cancel: null,
      entry: await meteredEntryOf(io, seen),
    }),
  ),
};

/** What the ledger says of requests that have to be refused: a wrong model, and wrong bodies. */
export const refusedRequests = scenario(
  'rules/metering/refused',
  {
    needs: { probes },
    after: {
      wrongModel: present(unknownModel.responses, 'attempts with an unknown model'),
      control: generationRecorded.responses,
    },
    cost: { requests: 10, generations: 3, chain: 2 },
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
