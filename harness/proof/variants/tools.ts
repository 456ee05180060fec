import type { Defect, DialectName, Operation } from '../../reference/index.ts';
import { retelling } from '../editing.ts';
import { bodies, eachData, handling, together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Models that call functions in another way.

type Calling = Extract<DialectName, 'responses' | 'chat-completions' | 'messages' | 'generative'>;

const asked: Readonly<Record<Calling, readonly Operation[]>> = {
  responses: ['responses.create'],
  'chat-completions': ['chat-completions.create'],
  messages: ['messages.create'],
  generative: ['generative.generate', 'generative.stream'],
};

/** Changes all texts of answers, in JSON bodies and in streams. */
function retoldAnswers(change: (text: string) => string): Defect['override'] {
  const told = retelling(change);
  return together(
    bodies('responses.response', told),
    bodies('chat-completions.completion', told),
    bodies('messages.message', told),
    bodies('generative.response', told),
    ...(Object.keys(asked) as Calling[]).map((protocol) => eachData(protocol, told)),
  );
}

/** Changes all texts of requests that offer functions, before the model reads them. */
function hearing(change: (text: string) => string): Defect['override'] {
  return together(
    ...Object.values(asked)
      .flat()
      .map((operation) =>
        handling(
          operation,
          (handle) => (call, key) =>
            handle(
              call.body.tools === undefined
                ? call
                : { ...call, body: retelling(change)(call.body) },
              key,
            ),
        ),
      ),
  );
}

export const toolsVariants: readonly Variant[] = planted({
  'tools.one-call-at-a-time': hearing((text) =>
    text.replace(/( in \p{Lu}\p{L}+) and in \p{Lu}\p{L}+/u, '$1'),
  ),
  'tools.argument-in-other-words': retoldAnswers((text) =>
    text.replaceAll(' forecast', ' prediction'),
  ),
});
