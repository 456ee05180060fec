import {
  type EndpointName,
  type Exchange,
  each,
  endpoints,
  present,
  scenario,
} from '../../harness/index.ts';
import { found, ordinary } from '../ordinary.ts';
import { storedResponse } from '../stored-responses.ts';
import { formsOf } from './forms.ts';
import { entryOf, generationRecorded, looks, meteredEntryOf } from './ledger.ts';
import { unknownModel } from './wrong-models.ts';

const probes = ['ledger'] as const;

/** What the ledger says of the ordinary compact call. */
export const compacted = scenario(
  'rules/metering/compact',
  {
    needs: { probes },
    after: { compacted: ordinary.compact, control: generationRecorded.responses },
    cost: looks({ until: 1 }),
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
        cost: looks({ once: 1 }),
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
    after: { stored: storedResponse('rules/metering/to-be-deleted'), found },
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
  'rules/metering/refused',
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
