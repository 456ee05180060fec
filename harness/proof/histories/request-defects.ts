import type { Answer, Prompt } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { handling } from '../planting.ts';
import type { Deed } from './chronicle.ts';
import type { RequestDefect } from './history-fault.ts';

// Defects in requests that concern no stored response, or in the handling of keys.

/** Number of requests after which the remembered list is refreshed. */
const remembered = 8;

/** Passes a concurrent conversation of another user to the model. */
export const conversationCrossed: RequestDefect = {
  id: 'another-user.messages-crossed',
  what: 'beside a generation of another user, Messages answers what that user has asked',
  override: (shows, seen) =>
    decide('generate', (native) => {
      const prompts = new WeakMap<object, Prompt>();
      return (prompt, call) => {
        prompts.set(call.headers, prompt);
        if (call.operation !== 'messages.create') return native(prompt, call);
        const [other] = seen
          .beside(call)
          .flatMap(({ key, headers }) =>
            key?.user === call.key?.user ? [] : (prompts.get(headers) ?? []),
          );
        return native(
          other !== undefined && shows() ? { ...prompt, turns: other.turns } : prompt,
          call,
        );
      };
    }),
};

/** Caches lists by user, ignoring the key. */
export const listRemembered: RequestDefect = {
  id: 'list-of-another-key',
  what: `a list of models shows what another key of the user may use, which has asked up to ${remembered} requests before`,
  override(shows, seen) {
    const latest = new Map<string, { role: string; at: number; answer: Answer }>();
    return handling('models.list', (handle) => async (call, key) => {
      const now = seen.deeds.length;
      const last = latest.get(key.user);
      const isOther = last !== undefined && last.role !== key.role;
      if (isOther && now - last.at <= remembered && shows()) return last.answer;
      const answer = await handle(call, key);
      latest.set(key.user, { role: key.role, at: now, answer });
      return answer;
    });
  },
};

/** Applies the permission of the model that the key requested last. */
export const permissionOfLatest: RequestDefect = {
  id: 'permission-of-latest-model',
  what: 'directly after a key has made a response with a model of its own, it reads those of other models',
  override: (shows, seen) =>
    decide('isModelPermitted', (native) => (access) => {
      const isMade = ({ operation, served }: Deed): boolean =>
        operation === 'responses.create' && served;
      const last = seen.deeds.findLast(({ by }) => by === access.key.role);
      return native(access) || (last !== undefined && isMade(last) && shows());
    }),
};
