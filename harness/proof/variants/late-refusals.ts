import type { Call } from '../../reference/call.ts';
import type { Answer } from '../../reference/dialect.ts';
import type { JsonObject } from '../../reference/json.ts';
import { Refusal, type RefusalReason } from '../../reference/refusal.ts';
import type { Defect } from '../../reference/seams.ts';
import { handling, together } from '../planting.ts';
import type { Variant } from './variant.ts';

// A background request that cannot be served is accepted, and fails when its turn has come.

const foundOutLater: readonly RefusalReason[] = [
  'unknown-model',
  'unpermitted-model',
  'undeclared-protocol',
  'unknown-previous-response',
];

interface Accepted {
  readonly user: string | undefined;
  readonly response: JsonObject;
  readonly message: string;
}

function accept(call: Call, { message }: Refusal): Accepted {
  const response = {
    id: call.gateway.seams.encode.id('resp_', call),
    object: 'response',
    created_at: Math.floor(call.gateway.now() / 1000),
    status: 'queued',
    background: true,
    model: call.body.model ?? null,
    output: [],
  };
  return { user: call.key?.user, response, message };
}

const failsLater: Defect['override'] = (seams) => {
  const accepted = new Map<unknown, Accepted>();
  const creating = handling('responses.create', (handle) => async (call, key) => {
    try {
      return await handle(call, key);
    } catch (error) {
      const late = call.body.background === true && call.body.stream !== true;
      if (!late || !(error instanceof Refusal) || !foundOutLater.includes(error.reason))
        throw error;
      const one = accept(call, error);
      accepted.set(one.response.id, one);
      return { kind: 'responses.response', body: one.response };
    }
  });
  const lookingUp = handling(
    'responses.lookup',
    (handle) =>
      (call, key): Answer | Promise<Answer> => {
        const one = accepted.get(call.params.id);
        if (one === undefined || one.user !== key.user) return handle(call, key);
        const error = { code: 'invalid_prompt', message: one.message };
        return { kind: 'responses.response', body: { ...one.response, status: 'failed', error } };
      },
  );
  return together(creating, lookingUp)(seams);
};

export const lateRefusalVariants: readonly Variant[] = [
  {
    id: 'background.fails-later',
    what: 'A background request whose model or previous response may not be used is accepted, and then fails.',
    override: failsLater,
  },
];
