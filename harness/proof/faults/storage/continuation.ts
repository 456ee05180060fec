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
import { wrong } from '../../generated/index.ts';
import { created, handling, responseAt, together } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Continuation of a stored response over HTTP.

/** Changes the context of a continuation over HTTP. */
function continuingFrom(
  history: (turn: ResponseTurn) => readonly JsonObject[],
): Defect['override'] {
  return decide(
    'history',
    (native) => (previous, call) =>
      call.operation === 'responses.create' && previous.turn !== null
        ? history(previous.turn)
        : native(previous, call),
  );
}

// Several continuations of one response.

/** Returns the id of the previous response; null for the first of a conversation. */
function before({ turn }: StoredResponse): string | null {
  return turn?.parts.request.previousResponseId ?? null;
}

// Conditions that are not checked for a continuation that is streamed, in the background, or has tools.

const forms = [
  { form: 'as-stream', words: 'as stream', mode: 'stream' },
  { form: 'in-background', words: 'in background', mode: 'background' },
  { form: 'with-tool', words: 'with tool', mode: 'tool' },
] as const;

const isAsked = {
  stream: ({ stream }: JsonObject) => stream === true,
  background: ({ background }: JsonObject) => background === true,
  tool: ({ tools }: JsonObject) => tools !== undefined,
};

export const storageContinuationFaults: readonly Fault[] = [
  ...planted({
    'continue.once-only': tighten(
      'isStored',
      ({ operation, record: { turn } }) =>
        operation === 'continue' && turn?.parts.request.previousResponseId != null,
    ),
    'continue.forgets-everything': continuingFrom(() => []),
    'continue.forgets-in-background': decide(
      'history',
      (native) => (previous, call) => (call.body.background === true ? [] : native(previous, call)),
    ),
    'continue.last-turn-only': continuingFrom((turn) => [
      ...turn.parts.request.input,
      ...turn.output(),
    ]),
    'continue.keeps-instructions': continuingFrom((turn) => {
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
  ...each(['input-tokens', 'compact'] as const, (reader) => ({
    'continue.not-read-by-{}': decide(
      'history',
      (native) => (previous, call) =>
        call.operation === `responses.${reader}` ? [] : native(previous, call),
    ),
  })),
  ...planted({
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
        // Waits for the second one to arrive, up to a limit.
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
  }),
  ...each(forms, ({ mode }) => {
    const where = { operation: 'continue', mode };
    const fits = isAsked[mode];
    return {
      'owners.any-user-continues-{form}': wrong('isSameUser', where),
      'regions.continues-anywhere-{form}': wrong('isOriginalRegion', where),
      'permissions.continues-any-model-{form}': together(
        wrong('isModelPermitted.continued', where),
        // The continuation names the same model.
        relax('mayUseModel', (_key, _model, call) => continues(call) && fits(call.body)),
      ),
      'delete.continues-deleted-{form}': wrong('isNotDeleted', where),
      'store.continues-expired-{form}': wrong('isWithinRetention', where),
      'store.continues-unstored-{form}': wrong('isStored', where),
      'store.continues-unknown-{form}': tighten(
        'insists',
        (refusal, call) => refusal.reason === 'unknown-previous-response' && fits(call.body),
      ),
    };
  }),
];
