import { setTimeout } from 'node:timers/promises';
import {
  type Defect,
  isObject,
  type JsonObject,
  Refusal,
  type ResponseTurn,
  type StoredResponse,
} from '../../../reference/index.ts';
import { continues, decide, relax, tighten } from '../../decisions.ts';
import { set, setting } from '../../editing.ts';
import { created, handling, responseAt, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Continuing a stored response over HTTP.

/** Changes the context of a continuation over HTTP. */
function remembering(history: (turn: ResponseTurn) => readonly JsonObject[]): Defect['override'] {
  return decide(
    'history',
    (native) => (previous, call) =>
      call.operation === 'responses.create' && previous.turn !== null
        ? history(previous.turn)
        : native(previous, call),
  );
}

const continuationFaults: readonly Fault[] = [
  ...planted({
    'continue.once-only': tighten(
      'isStored',
      ({ operation, record: { turn } }) =>
        operation === 'continue' && turn?.parts.request.previousResponseId != null,
    ),
    'continue.forgets-everything': remembering(() => []),
    'continue.forgets-in-background': decide(
      'history',
      (native) => (previous, call) => (call.body.background === true ? [] : native(previous, call)),
    ),
  }),
  ...each(['input-tokens', 'compact'] as const, (reader) => ({
    'continue.not-read-by-{}': decide(
      'history',
      (native) => (previous, call) =>
        call.operation === `responses.${reader}` ? [] : native(previous, call),
    ),
  })),
  ...planted({
    'continue.last-turn-only': remembering((turn) => [
      ...turn.parts.request.input,
      ...turn.output(),
    ]),
    'continue.keeps-instructions': remembering((turn) => {
      const { instructions } = turn.parts.request;
      const told = { type: 'message', role: 'developer', content: instructions };
      return [...(instructions === null ? [] : [told]), ...turn.context()];
    }),
    'continue.previous-not-named': responseAt(
      created,
      'one-body',
      setting('previous_response_id', null),
    ),
    'continue.names-itself': responseAt(created, 'one-body', (body) =>
      body.previous_response_id === null ? body : set(body, 'previous_response_id', `${body.id}`),
    ),
  }),
];

// Several continuations of one response.

/** The response before this one; null for the first of a conversation. */
function before({ turn }: StoredResponse): string | null {
  return turn?.parts.request.previousResponseId ?? null;
}

const branchFaults: readonly Fault[] = planted({
  'continue.no-second-branch': ({ policy }) => {
    const continued = new Set<string>();
    return {
      policy: {
        isStored: (access) => {
          const isOver = access.operation === 'continue' && continued.has(access.record.id);
          return !isOver && policy.isStored(access);
        },
        history: (previous, call) => {
          if (before(previous) !== null) continued.add(previous.id);
          return policy.history(previous, call);
        },
      },
    };
  },
  'continue.one-at-a-time': (seams) => {
    const waiting = new Map<string, () => void>();
    return handling('responses.create', (handle) => async (call, key) => {
      const { previous_response_id: previous, input } = call.body;
      if (typeof previous !== 'string') return handle(call, key);
      const continuation = JSON.stringify([previous, input]);
      const second = waiting.get(continuation);
      if (second !== undefined) {
        second();
        throw new Refusal('invalid-value', 'The response is being continued.');
      }
      // Until the second one arrives, or so long that it would have.
      const arrived = new Promise<void>((resolve) => waiting.set(continuation, resolve));
      await Promise.race([arrived, setTimeout(1_000)]);
      waiting.delete(continuation);
      return handle(call, key);
    })(seams);
  },
  'continue.branches-mixed': ({ policy }) => {
    const times = new Map<string, number>();
    return {
      policy: {
        history: (previous, call) => {
          const native = policy.history(previous, call);
          if (before(previous) === null) return native;
          const earlier = times.get(previous.id) ?? 0;
          times.set(previous.id, earlier + 1);
          const last = native.filter(isObject).slice(-1);
          return [...native, ...Array.from({ length: earlier }, () => last).flat()];
        },
      },
    };
  },
  'delete.deletes-predecessor': ({ policy }) => {
    const gone = new Set<string | null>();
    return {
      policy: {
        deleteDenies: (record, call) => {
          if (before(record) !== null) gone.add(before(record));
          return policy.deleteDenies(record, call);
        },
        isNotDeleted: (access) => !gone.has(access.record.id) && policy.isNotDeleted(access),
      },
    };
  },
});

// Conditions that are not checked where a continuation is streamed, in the background, or has tools.

const forms: Readonly<Record<string, (body: JsonObject) => boolean>> = {
  'as-stream': ({ stream }) => stream === true,
  'in-background': ({ background }) => background === true,
  'with-tool': ({ tools }) => tools !== undefined,
};

interface Forgotten {
  readonly id: string;
  /** Description of the responses that can be continued. */
  readonly whose: string;
  readonly condition:
    | 'isSameUser'
    | 'isOriginalRegion'
    | 'isModelPermitted'
    | 'isNotDeleted'
    | 'isWithinRetention'
    | 'isStored';
  readonly row: string;
  /** Further change without which the missing condition would not show. */
  further?(fits: (body: JsonObject) => boolean): Defect['override'];
}

const forgotten: readonly Forgotten[] = [
  {
    id: 'owners.any-user-continues',
    whose: "another user's response",
    condition: 'isSameUser',
    row: 'access/owners.other-user-denied',
  },
  {
    id: 'regions.continues-anywhere',
    whose: "another region's response",
    condition: 'isOriginalRegion',
    row: 'access/regions.other-region-denied',
  },
  {
    id: 'permissions.continues-any-model',
    whose: 'a response of a model that the key may not use',
    condition: 'isModelPermitted',
    row: 'access/permissions.lookup-needs-model',
    // The continuation names the same model.
    further: (fits) =>
      relax('mayUseModel', (_key, _model, call) => continues(call) && fits(call.body)),
  },
  {
    id: 'delete.continues-deleted',
    whose: 'a deleted response',
    condition: 'isNotDeleted',
    row: 'storage/deletion.denies-afterwards',
    further: () => tighten('deleteRemovesContent', () => true),
  },
  {
    id: 'store.continues-expired',
    whose: 'a response whose retention has ended',
    condition: 'isWithinRetention',
    row: 'storage/responses.gone-after-retention',
  },
  {
    id: 'store.continues-unstored',
    whose: 'a response that was not stored',
    condition: 'isStored',
    row: 'storage/responses.false-denies',
    further: () =>
      relax('keepsContent', (_execution, call) => call.operation === 'responses.create'),
  },
];

const continuationModeFaults: readonly Fault[] = Object.entries(forms).flatMap(
  ([form, fits]): Fault[] => [
    ...forgotten.map(
      ({ id, whose, condition, row, further }): Fault => ({
        id: `${id}-${form}`,
        what: `A continuation ${form.replaceAll('-', ' ')} reaches ${whose}.`,
        breaks: [`${row}:continue`],
        override: together(
          relax(condition, (access) => access.operation === 'continue' && fits(access.call.body)),
          ...(further === undefined ? [] : [further(fits)]),
        ),
      }),
    ),
    {
      id: `store.continues-unknown-${form}`,
      what: `A continuation ${form.replaceAll('-', ' ')} of no response is served like a new conversation.`,
      breaks: ['storage/responses.unknown-id-denied:continue'],
      override: tighten(
        'insists',
        (refusal, call) => refusal.reason === 'unknown-previous-response' && fits(call.body),
      ),
    },
  ],
);

export const storageContinuationFaults: readonly Fault[] = [
  ...continuationFaults,
  ...branchFaults,
  ...continuationModeFaults,
];
