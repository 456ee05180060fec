import type { Call, Defect } from '../../reference/index.ts';
import type { Fault } from './fault.ts';
import { each } from './planted.ts';

// Faults in only the first answer to an act on a stored response. A run may retry because a store may lag, or
// because it varies the client's form, but must still judge the first answer.

interface Act {
  readonly what: string;
  /** Returns the id of the response that a call concerns; null for another act. */
  id(call: Call): string | null;
  /** Row that judges the answer, and other rows for some kinds of answers. */
  readonly row: string;
  readonly rows?: Readonly<Record<string, string>>;
}

const onPath =
  (operation: string) =>
  (call: Call): string | null =>
    call.operation === operation ? (call.params.id ?? null) : null;

const acts: Readonly<Record<string, Act>> = {
  lookup: {
    what: 'a lookup',
    id: onPath('responses.lookup'),
    row: 'storage/responses.lookup-served',
    rows: { another: 'storage/responses.lookup-equals-created' },
  },
  'input-items': {
    what: 'a list of input items',
    id: onPath('responses.input-items'),
    row: 'storage/responses.input-items-served',
  },
  cancel: {
    what: 'a cancel',
    id: onPath('responses.cancel'),
    row: 'background/cancel.no-body-served',
    rows: { another: 'background/cancel.shape' },
  },
  delete: {
    what: 'a deletion',
    id: onPath('responses.delete'),
    row: 'storage/deletion.shape',
    rows: { failed: 'storage/deletion.served' },
  },
  continue: {
    what: 'a continuation',
    id: ({ operation, body }) =>
      operation === 'responses.create' && typeof body.previous_response_id === 'string'
        ? body.previous_response_id
        : null,
    row: 'storage/continuation.served',
    rows: { another: 'storage/continuation.echoes-previous' },
  },
};

type Write = (body: string) => { readonly status?: number; readonly body: string };

const kinds: Readonly<Record<string, { readonly what: string; readonly write: Write }>> = {
  empty: { what: 'an empty object', write: () => ({ body: '{}' }) },
  failed: {
    what: 'an error with the status 500',
    write: () => ({
      status: 500,
      body: JSON.stringify({
        error: { message: 'Internal error', type: 'server_error', param: null, code: null },
      }),
    }),
  },
  another: {
    what: 'that to another response',
    write: (body) => ({
      body: body.replace(/resp_[0-9a-f]/g, (id) => (id.endsWith('0') ? 'resp_1' : 'resp_0')),
    }),
  },
  half: { what: 'half of its body', write: (body) => ({ body: body.slice(0, body.length / 2) }) },
};

function first({ id }: Act, write: Write): Defect['override'] {
  return ({ transport }) => {
    const seen = new Set<string>();
    return {
      transport: {
        send: async (out, head, body, context) => {
          const about = id(context.call);
          const isFirst = context.refusal === null && about !== null && !seen.has(about);
          if (!isFirst) return transport.send(out, head, body, context);
          seen.add(about);
          const { status = head.status, body: written } = write(body);
          return transport.send(out, { ...head, status }, written, context);
        },
      },
    };
  };
}

export const firstAnswerFaults: readonly Fault[] = each(
  Object.entries(acts).flatMap(([name, act]) =>
    Object.entries(kinds)
      .filter(([kind]) => !(name === 'input-items' && kind === 'another'))
      .map(([kind, { what, write }]) => ({
        ...{ name, act, to: act.what, kind, what, write },
        row: act.rows?.[kind] ?? act.row,
      })),
  ),
  ({ act, write }) => ({ 'first-answer.{name}-{kind}': first(act, write) }),
);
