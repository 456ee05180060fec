import type { Answer, Route } from '../dialect.ts';
import type { JsonObject } from '../json.ts';
import { handling, moreRoutes } from '../planting.ts';
import { quoted, Refusal } from '../refusal.ts';
import type { Defect, Overrides, Seams } from '../seams.ts';
import type { Fault } from './fault.ts';

// A gateway that keeps messages, which the Messages endpoint does not offer.

export const storageFaults: readonly Fault[] = [
  {
    id: 'storage.message-as-message',
    what: 'A message can be looked up at /v1/messages/<id>.',
    breaks: ['messages/storage.not-offered:get-message'],
    override: keeping((kept) =>
      moreRoutes('messages', () => [
        reading(/^\/v1\/messages\/(?<id>msg_[^/]+)$/, kept, (body) => ({
          kind: 'messages.message',
          body,
        })),
      ]),
    ),
  },
  {
    id: 'storage.message-as-response',
    what: 'A message is stored like a response, and can be looked up as one.',
    breaks: ['messages/storage.not-offered:get-response'],
    override: keeping((kept) =>
      moreRoutes('responses', () => [
        reading(/^\/v1\/responses\/(?<id>msg_[^/]+)$/, kept, (body) => ({
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
    breaks: ['messages/storage.not-offered:previous-response-id'],
    override: keeping((kept) =>
      handling('responses.create', (handle) => (call, key) => {
        const { previous_response_id: previous, ...body } = call.body;
        const known = typeof previous === 'string' && kept.has(previous);
        return handle(known ? { ...call, body } : call, key);
      }),
    ),
  },
];

/** Keeps the messages of the gateway, and lets a second override read them. */
function keeping(
  use: (kept: ReadonlyMap<string, JsonObject>) => Defect['override'],
): Defect['override'] {
  return (seams): Overrides => {
    const kept = new Map<string, JsonObject>();
    const store = handling('messages.create', (handle) => async (call, key) => {
      const answer: Answer = await handle(call, key);
      if ('body' in answer) kept.set(String(answer.body.id), answer.body);
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
  kept: ReadonlyMap<string, JsonObject>,
  answer: (body: JsonObject) => Answer,
): Route {
  return {
    method: 'GET',
    path,
    operation: () => 'none',
    body: 'ignored',
    handle: ({ params }) => {
      const body = kept.get(params.id ?? '');
      if (body !== undefined) return answer(body);
      throw new Refusal('unknown-response', `${quoted(params.id ?? '')} not found.`);
    },
  };
}
