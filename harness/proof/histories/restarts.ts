import type { Call, Defect, StoredResponse, StreamEvent } from '../../reference/index.ts';
import { relax } from '../decisions.ts';
import { type Restarting, startRestarting } from '../nodes/restarting.ts';
import type { SavedResponse, SavedTurn } from '../nodes/saved.ts';
import { eachEvent, handling, together } from '../planting.ts';
import { capital, type HistoryFault } from './history-fault.ts';
import { oneServer } from './stages.ts';
import type { Witness } from './witness.ts';
import { contentStays } from './wrongs.ts';

// Faults that show only after a restart, because the saved file is incomplete.

/** Operation whose answer makes the gateway exit. */
type Trigger = 'recover' | 'input-items';

/** Data missing in the file, and the values used instead. */
interface Loss {
  readonly id: string;
  /** Clause for a sentence, without its end. */
  readonly what: string;
  /** Returns the data saved for a response; null if none are. */
  readonly saves?: (one: SavedResponse) => Partial<SavedResponse> | null;
  /** Values that replace missing ones. */
  readonly usual?: Partial<SavedResponse>;
  /** Changes what the gateway keeps before it exits. */
  readonly keeps?: Defect['override'];
  /** Changes how the gateway shows the responses that were in the file, given by their ids. */
  readonly shows?: (wasThere: ReadonlySet<string>) => Defect['override'];
}

/** Exits on this operation, for a response with two earlier turns. */
function endsBy(trigger: Trigger, end: () => void): Defect['override'] {
  return handling(`responses.${trigger}`, (handle) => (call, key) => {
    if (isDeep(call.gateway.store.peek(call.params.id ?? ''), call)) end();
    return handle(call, key);
  });
}

function isDeep(record: StoredResponse | undefined, { gateway: { store } }: Call): boolean {
  const before = (one: StoredResponse | undefined): StoredResponse | undefined =>
    store.peek(one?.turn?.parts.request.previousResponseId ?? '');
  return before(before(record)) !== undefined;
}

function plantedLoss(trigger: Trigger, loss: Loss, witness: Witness): HistoryFault {
  const {
    id,
    what,
    saves = unchanged,
    usual = {},
    keeps = () => ({}),
    shows = () => () => ({}),
  } = loss;
  return {
    id: `histories/restart.${trigger}-of-2-turns.${id}`,
    what: `${capital(what)} after a restart, which a ${trigger} of what 2 turns came before brings about.`,
    ...{ group: 'restart', witness, stage: oneServer(), settleMs: null },
    async start() {
      let gateway: Restarting | null = null;
      const wasThere = new Set<string>();
      const override = together(
        keeps,
        shows(wasThere),
        endsBy(trigger, () => void gateway?.restart()),
      );
      gateway = await startRestarting({
        defect: { id, what, override },
        saves: ({ responses, records }) => ({
          responses: responses.flatMap((one) => saves(one) ?? []),
          records,
        }),
        reads(saved) {
          const responses = saved.responses.map((one) => ({ ...usual, ...one }));
          for (const one of responses) wasThere.add(one.id);
          return { ...saved, responses };
        },
      });
      return gateway;
    },
    watched: (met) => () => endsBy(trigger, met),
  };
}

function unchanged<Value>(one: Value): Value {
  return one;
}

const turnWith = (one: SavedResponse, change: (turn: SavedTurn) => SavedTurn): SavedResponse => ({
  ...one,
  turn: one.turn === null ? null : change(one.turn),
});

const losses = {
  continuations: {
    id: 'continuations-lost',
    what: 'what goes on from another is not there',
    saves: (one) => (one.turn?.request.previousResponseId === null ? one : null),
  },
  owners: {
    id: 'owners-lost',
    what: 'every response belongs to the first user',
    saves: ({ owner: _owner, ...one }) => one,
    usual: { owner: 'user-a' },
  },
  permissions: {
    id: 'permissions-lost',
    what: 'every key has the model of a response',
    saves: ({ permitted: _permitted, ...one }) => one,
    usual: { permitted: ['owner', 'sameUser', 'otherUser', 'restricted'] },
  },
  storing: {
    id: 'unstored-kept',
    what: 'what was not to be stored is there',
    saves: ({ store: _store, ...one }) => one,
    usual: { store: true },
    keeps: relax('keepsContent', () => true),
  },
  deletions: {
    id: 'deletions-lost',
    what: 'what was deleted is there again',
    saves: ({ deleted: _deleted, ...one }) => one,
    usual: { deleted: false },
    keeps: contentStays,
  },
  running: {
    id: 'running-lost',
    what: 'what had not ended is not there',
    saves: (one) => (['queued', 'running'].includes(one.turn?.state ?? '') ? null : one),
  },
  outputs: {
    id: 'outputs-lost',
    what: 'a response has no output',
    saves: (one) => turnWith(one, (turn) => ({ ...turn, written: 0 })),
  },
  inputs: {
    id: 'inputs-lost',
    what: 'the list of the input is empty',
    saves: (one) => turnWith(one, (turn) => ({ ...turn, request: { ...turn.request, input: [] } })),
  },
  events: {
    id: 'events-lost',
    what: 'of the events of a response only the last one is there',
    shows: (wasThere) => recovered(wasThere, () => (event) => (lasts.has(event.name) ? event : [])),
  },
  eventsCut: {
    id: 'events-cut',
    what: 'of the text that events tell the first piece is not there',
    shows: (wasThere) =>
      recovered(wasThere, () => {
        let isFirst = true;
        return (event) => {
          const isCut = isFirst && event.name === 'response.output_text.delta';
          if (isCut) isFirst = false;
          return isCut ? [] : event;
        };
      }),
  },
} satisfies Record<string, Loss>;

const lasts: ReadonlySet<string | null> = new Set([
  'response.completed',
  'response.incomplete',
  'response.cancelled',
]);

/** Changes the events of a recovery for a response from before the restart. */
function recovered(
  wasThere: ReadonlySet<string>,
  change: () => (event: StreamEvent) => StreamEvent | readonly StreamEvent[],
): Defect['override'] {
  return eachEvent('responses', ({ call, record }) =>
    call.operation === 'responses.recover' && record !== null && wasThere.has(record.id)
      ? change()
      : unchanged,
  );
}

const all: readonly (readonly [Trigger, Loss, Witness])[] = [
  ['recover', losses.continuations, 'create; continue; continue; recover; lookup'],
  [
    'recover',
    losses.owners,
    'create@otherUser; continue@otherUser; continue@otherUser; recover@otherUser; lookup@otherUser',
  ],
  ['recover', losses.permissions, 'create; continue; continue; recover; lookup@restricted'],
  ['recover', losses.storing, 'create!; create; continue; continue; recover; lookup#0'],
  ['recover', losses.deletions, 'create; continue; continue; delete#0; recover#2; lookup#0'],
  ['recover', losses.running, 'create; continue; continue; create:background; recover#2; lookup#3'],
  ['input-items', losses.outputs, 'create; continue; continue; input-items; lookup'],
  ['input-items', losses.inputs, 'create; continue; continue; input-items; input-items'],
  ['recover', losses.events, 'create; continue; continue:background-stream; recover; recover'],
  ['recover', losses.eventsCut, 'create; continue; continue:background-stream; recover; recover'],
];

export const restartFaults: readonly HistoryFault[] = all.map((one) => plantedLoss(...one));
