import type { Exchange } from '../../core/index.ts';
import type { Call, Caller, CallOptions } from '../call.ts';
import type { Defaults, Fields } from '../defaults.ts';

/** The System One protocol: decisions in one body, without an output limit. */
export interface SystemOneClient {
  create(body?: Fields, options?: CallOptions): Promise<Exchange>;
}

export interface SystemOneDialect {
  readonly dialect: 'public' | 'custom';
  /** The body to send if the dialect is `custom`. */
  readonly body: Fields | null;
}

/** @param defaults called for each request, because a scenario may lack a suitable model */
export function systemoneClient(
  caller: Caller,
  defaults: () => Defaults,
  dialect: SystemOneDialect,
): SystemOneClient {
  return {
    create: (body, options) =>
      caller.send(systemoneCall({ ...systemoneQuestion(defaults(), dialect), ...body }), options),
  };
}

/**
 * The minimal body of a request. The specification shows none. The dialect `custom` uses the body of the target
 * file, and `public` that of the public System One API with one question of each type.
 */
export function systemoneQuestion(
  { model, input }: Pick<Defaults, 'model' | 'input'>,
  { dialect, body }: SystemOneDialect,
): Fields {
  if (dialect === 'custom') return { ...body, model };
  return {
    model,
    state: input,
    questions: {
      polite: { type: 'noul', instructions: 'Is the text polite?' },
      topic: {
        type: 'choice',
        instructions: 'What is the text about?',
        criteria: { weather: 'the weather', travel: 'a journey', other: null },
      },
      length: {
        type: 'score',
        instructions: 'How long is the text?',
        criteria: ['a few words', 'a sentence', 'a page'],
      },
    },
  };
}

export function systemoneCall(body: Fields): Call {
  return {
    operation: 'systemone.create',
    protocol: 'systemone',
    method: 'POST',
    path: '/v1/systemone',
    body,
    expects: 'json',
  };
}
