import { admit, decide, relax } from '../decisions.ts';
import { changed } from '../editing.ts';
import { eachData, seam, together } from '../planting.ts';
import { twoNodes } from './balancer.ts';
import { honestGateways } from './gateways.ts';
import type { BrokenTwin, HonestGateway } from './honest-gateway.ts';
import { deleteLag, stopLag, storeLag } from './lag.ts';

type Defective = Pick<BrokenTwin, 'what' | 'breaks'> & {
  readonly override: NonNullable<HonestGateway['override']>;
};

/** Returns the honest gateway of this id with a defect in addition to its circumstances. */
function twin(of: string, name: string, { what, breaks, override }: Defective): BrokenTwin {
  const honest = honestGateways.find(({ id }) => id === of);
  if (honest === undefined) throw new Error(`There is no honest gateway ${of}`);
  const both = honest.override === undefined ? override : together(honest.override, override);
  return { ...honest, id: `${of}.${name}`, what, breaks, override: both };
}

/** Gateways with tolerated circumstances and a defect that these must not hide: each is nonconformant. */
export const brokenTwins: readonly BrokenTwin[] = [
  {
    id: 'lag.store-5000',
    what: 'What is stored can be found after 5 s: that is longer than anybody waits.',
    breaks: ['access/regions.original-region-served'],
    override: storeLag(5_000),
  },
  {
    id: 'lag.delete-5000',
    what: 'What is deleted is served for 5 s more.',
    breaks: ['storage/deletion.denies-afterwards:lookup'],
    override: deleteLag(5_000),
  },
  {
    id: 'lag.cancel-30000',
    what: 'A run stops 30 s after its cancel was answered: it has ended before.',
    breaks: ['background/cancel.stops-run'],
    override: stopLag(30_000),
  },
  {
    id: 'balancer.deletes-at-one-node',
    what: 'Behind the balancer, one node never hears of what was deleted at the other.',
    breaks: ['storage/deletion.denies-afterwards'],
    ...frontOf('balancer.two-nodes'),
    override: twoNodes(300, Number.POSITIVE_INFINITY),
  },
  twin('lockout.2s-after-30', 'any-key-deletes', {
    what: 'It locks out who shows wrong keys, and takes any key for a deletion.',
    breaks: ['access/credentials.unknown-key-refused:delete'],
    override: admit((secret, { operation }) => operation === 'responses.delete' && !!secret),
  }),
  twin('wall.challenge-403', 'any-key-counts', {
    what: 'Behind the wall, counting takes any key.',
    breaks: ['access/credentials.unknown-key-refused:messages-count-tokens'],
    override: admit(
      ({ length } = '', { operation }) => operation === 'messages.count-tokens' && length > 0,
    ),
  }),
  twin('pace.ten-a-second', 'no-key-check', {
    what: 'It limits the rate, and asks nobody for a key.',
    breaks: ['access/credentials.key-required'],
    override: admit(() => true),
  }),
  twin('pace.very-fast', 'any-user-reads', {
    what: 'It writes very fast, and any user reads what is stored.',
    breaks: ['access/owners.other-user-denied:lookup'],
    override: relax('isSameUser', ({ operation }) => operation === 'lookup'),
  }),
  twin('pace.held-streams', 'cancel-does-not-stop', {
    what: 'A proxy holds the streams, and a run that is cancelled goes on.',
    breaks: ['background/cancel.stops-run', 'background/cancel.run-ends'],
    override: decide('cancelStops', () => () => false),
  }),
  twin('pace.held-streams', 'deletion-does-not-stop', {
    what: 'A proxy holds the streams, and a run that is deleted goes on.',
    breaks: ['storage/deletion.cancels-running:background'],
    override: decide('deleteStops', () => () => false),
  }),
  twin('background.instant', 'deletes-nothing', {
    what: 'Background runs end at once, and what is deleted stays.',
    breaks: ['storage/deletion.denies-afterwards:lookup'],
    override: () => ({
      policy: { deleteDenies: () => false, deleteRemovesContent: () => false },
    }),
  }),
  twin('counts.differ-by-3', 'forgets-the-history', {
    what: 'Counts differ by 3, and a continuation does not read what came before.',
    breaks: ['storage/continuation.carries-context'],
    override: decide('history', () => () => []),
  }),
  twin('declines.forced-refused', 'drops-tools', {
    what: 'A forced call is refused, and tools are dropped where the choice is free.',
    breaks: ['generation/asked.supported-served:responses.tools'],
    override: decide(
      'generate',
      (native) => (prompt, call) => native({ ...prompt, tools: [] }, call),
    ),
  }),
  twin('resets.eight-in-a-hundred', 'breaks-without-a-key', {
    what: 'The proxy resets connections, and the gateway breaks each one that counts without a key.',
    breaks: ['access/credentials.key-required:messages-count-tokens'],
    override: seam('transport', 'send', (native) => async (out, head, body, context) => {
      const isKeyless = context.refusal?.reason === 'no-key';
      if (isKeyless && context.call.operation === 'messages.count-tokens') out.destroy();
      else await native(out, head, body, context);
    }),
  }),
  twin('thinking.and-silent-once', 'loses-streamed-text', {
    what: 'It thinks before it answers, and loses the text of streams on Chat Completions.',
    breaks: ['generation/chat-completions-stream.deltas-join-to-text'],
    override: eachData('chat-completions', (data) =>
      changed(data, 'choices.0.delta.content', () => ''),
    ),
  }),
  twin('thinking.six-tokens', 'no-limit', {
    what: 'It thinks before it answers, and writes past the limit.',
    breaks: ['generation/responses.output-limit'],
    override: decide('outputLimit', () => () => null),
  }),
];

function frontOf(of: string): Pick<HonestGateway, 'front'> {
  const { front } = honestGateways.find(({ id }) => id === of) ?? {};
  return front === undefined ? {} : { front };
}
