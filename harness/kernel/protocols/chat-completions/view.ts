import { at, isObject, listAt, numberAt } from '../../core/index.ts';
import type { Extra, NamedMember, ViewFacts } from '../view-facts.ts';

export const view: ViewFacts = {
  named(chunk) {
    const members: NamedMember[] = [{ kind: 'answer', what: 'model', value: chunk.model }];
    for (const choice of listAt(chunk, 'choices')) {
      const of = numberAt(choice, 'index') ?? 0;
      const role = at(choice, 'delta.role');
      members.push({ kind: 'answer', what: `role of choice ${of}`, value: role });
      for (const call of listAt(choice, 'delta.tool_calls')) {
        const which = `call ${of}.${numberAt(call, 'index') ?? 0}`;
        const name = at(call, 'function.name');
        members.push({ kind: 'call-id', what: `id of ${which}`, value: at(call, 'id') });
        members.push({ kind: 'call-name', what: `name of ${which}`, value: name });
      }
    }
    return members;
  },

  /** The usage of the whole request comes right before the end. A chunk of a content filter has no id. */
  ranked(chunk) {
    if (chunk.id === '' || !Array.isArray(chunk.choices)) return null;
    const isUsage = chunk.choices.length === 0;
    if (isUsage && !isObject(chunk.usage)) return null;
    const what = isUsage ? 'the usage' : 'a chunk with choices';
    return { scope: 'stream', rank: isUsage ? 1 : 0, what };
  },

  unasked(value, asked) {
    const extras: Extra[] = [];
    const isChunk = value.object === 'chat.completion.chunk';
    if (isChunk && isObject(value.usage) && at(asked, 'stream_options.include_usage') !== true) {
      const isAlone = listAt(value, 'choices').length === 0;
      extras.push({ kind: isAlone ? 'usage-chunk' : 'usage-member', what: 'usage in a chunk' });
    }
    if (asked.logprobs !== true && listAt(value, 'choices').some((one) => at(one, 'logprobs'))) {
      extras.push({ kind: 'log-probabilities', what: 'choices[].logprobs' });
    }
    return extras;
  },

  stateOf: () => null,

  /** Gateways add members of their own for reasoning. */
  shows(choice) {
    const { role: _, content = null, ...others } = Object(at(choice, 'message'));
    return [content, ...Object.values(others)].some((one) =>
      Array.isArray(one) ? one.length > 0 : one !== null && one !== '',
    );
  },
};
