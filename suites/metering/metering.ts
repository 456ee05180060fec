import {
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  present,
  scenario,
} from '../../harness/index.ts';
import { baseline, found } from '../scenarios/baselines.ts';
import { entryOf, generationRecorded, looks, meteredEntryOf } from '../scenarios/ledger.ts';
import { formsOf } from '../scenarios/request-modes.ts';
import { storedResponse } from '../scenarios/stored-responses.ts';
import { unknownModel } from '../scenarios/wrong-models.ts';

const probes = ['ledger'] as const;

/** What the ledger says of the baseline compact call. */
export const compacted = scenario(
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

export type CountingEndpoint = Extract<
  EndpointName,
  'messages-count-tokens' | 'count-tokens' | 'input-tokens'
>;

/** What the ledger says of the baseline counts, read after that of a generation of the protocol. */
export const counted = each(
  ['messages-count-tokens', 'count-tokens', 'input-tokens'],
  (name: CountingEndpoint) =>
    scenario(
      `metering/ledger/${name}`,
      {
        needs: { probes },
        after: { counted: baseline[name], control: generationRecorded[protocolOf(name)] },
        cost: looks({ once: 1 }),
      },
      async (io, { counted: { baseline: count }, control }) => ({
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
  'metering/ledger/deleted',
  {
    needs: { probes },
    after: { stored: storedResponse('metering/ledger/to-be-deleted'), found },
    cost: (target) => ({ ...looks({ until: 1, once: 1, more: 1 })(target), chain: 3 }),
  },
  async (io, { stored: { created, id } }) => {
    const before = await meteredEntryOf(io, created);
    const deletion = await io.responses.delete(id);
    return { before, deletion, after: await entryOf(io, created) };
  },
);

/** What the ledger says of requests that have to be refused: a wrong model, and wrong bodies. */
export const refusedRequests = scenario(
  'metering/ledger/refused',
  {
    needs: { probes },
    after: {
      wrongModel: present(unknownModel.responses, 'attempts with an unknown model'),
      control: generationRecorded.responses,
    },
    cost: (target) => ({
      ...looks({ once: formsOf('responses').length + 3, more: 3 })(target),
      generations: 3,
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
