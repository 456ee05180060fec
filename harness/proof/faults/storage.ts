import type { Answer, Route } from '../../reference/dialect.ts';
import type { JsonObject } from '../../reference/json.ts';
import { quoted, Refusal } from '../../reference/refusal.ts';
import type { Defect, Overrides, Seams } from '../../reference/seams.ts';
import { handling, moreRoutes } from '../planting.ts';
import type { Fault } from './fault.ts';

// A gateway that keeps messages, which the Messages endpoint does not offer.

/** A message, and what it answered. */
interface Kept {
  readonly request: JsonObject;
  readonly message: JsonObject;
}

export const storageFaults: readonly Fault[] = [
  {
    id: 'storage.message-as-message',
    what: 'A message can be looked up at /v1/messages/<id>.',
    breaks: ['storage/messages.not-offered:get-message'],
    override: keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, ({ message: body }) => ({
          kind: 'messages.message',
          body,
        })),
      ]),
    ),
  },
  {
    id: 'storage.message-as-response',
    what: 'A message is stored like a response, and can be looked up as one.',
    breaks: ['storage/messages.not-offered:get-response'],
    override: keeping((kept) =>
      moreRoutes('responses', () => [
        reading(/^\/v1\/responses\/(?<id>msg_[^/]+)$/, kept, ({ message: body }) => ({
          kind: 'responses.response',
          body: {
            id: body.id,
            object: 'response',
            status: 'completed',
            model: body.model,
            output: [{ type: 'message', role: 'assistant', content: body.content }],
          },
        })),
      ]),
    ),
  },
  {
    id: 'storage.message-continued',
    what: 'The id of a message is taken as `previous_response_id`.',
    breaks: ['storage/messages.not-offered:previous-response-id'],
    override: keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const { previous_response_id: previous, ...body } = call.body;
        const known = typeof previous === 'string' && kept.has(previous);
        return handle(known ? { ...call, body } : call, key);
      }),
    ),
  },
  {
    id: 'storage.message-quoted',
    what: 'That a message cannot be looked up at /v1/messages/<id> is said with its text.',
    breaks: ['storage/messages.not-offered:get-message'],
    override: keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, (one) => {
          throw new Refusal('unknown-response', quoting(one));
        }),
      ]),
    ),
  },
  {
    id: 'storage.message-quoted-as-response',
    what: 'That a message is no response is said with its text.',
    breaks: ['storage/messages.not-offered:get-response'],
    override: keeping((kept) =>
      moreRoutes('responses', () => [
        reading(/^\/v1\/responses\/(?<id>msg_[^/]+)$/, kept, (one) => {
          throw new Refusal('unknown-response', quoting(one));
        }),
      ]),
    ),
  },
  {
    id: 'storage.message-quoted-to-continue',
    what: 'That nothing can go on from a message is said with its text.',
    breaks: ['storage/messages.not-offered:previous-response-id'],
    override: keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const one = kept.get(String(call.body.previous_response_id));
        if (one === undefined) return handle(call, key);
        throw new Refusal('unknown-previous-response', quoting(one));
      }),
    ),
  },
];

function quoting({ request }: Kept): string {
  return `Nobody may read the answer to ${JSON.stringify(request.messages ?? null)}.`;
}

/** Keeps the messages of the gateway, and lets a second override read them. */
function keeping(use: (kept: ReadonlyMap<string, Kept>) => Defect['override']): Defect['override'] {
  return (seams): Overrides => {
    const kept = new Map<string, Kept>();
    const store = handling('messages.create', (handle) => async (call, key) => {
      const answer: Answer = await handle(call, key);
      if ('body' in answer)
        kept.set(String(answer.body.id), { request: call.body, message: answer.body });
      return answer;
    });
    const storing: Seams = {
      ...seams,
      endpoints: { ...seams.endpoints, ...store(seams).endpoints },
    };
    return use(kept)(storing);
  };
}

function reading(
  path: RegExp,
  kept: ReadonlyMap<string, Kept>,
  answer: (one: Kept) => Answer,
): Route {
  return {
    method: 'GET',
    path,
    operation: () => 'none',
    body: 'ignored',
    handle: ({ params }) => {
      const one = kept.get(params.id ?? '');
      if (one !== undefined) return answer(one);
      throw new Refusal('unknown-response', `${quoted(params.id ?? '')} not found.`);
    },
  };
}
