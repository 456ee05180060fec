import { at, listAt, numberAt, textAt } from '../../core/index.ts';
import type { Extra, NamedMember, ViewFacts } from '../view-facts.ts';

/** The grammar judges the order, and the ids of items and of their calls. */
export const view: ViewFacts = {
  named(event) {
    const { response, item } = event;
    const members: NamedMember[] = [
      { kind: 'answer', what: 'model', value: at(response, 'model') },
      { kind: 'answer', what: 'created_at', value: at(response, 'created_at') },
    ];
    const place = numberAt(event, 'output_index') ?? 0;
    for (const [index, one] of [[place, item] as const, ...listAt(response, 'output').entries()]) {
      if (at(one, 'type') !== 'function_call') continue;
      const value = at(one, 'name');
      members.push({ kind: 'call-name', what: `name of the call at output ${index}`, value });
    }
    return members;
  },

  ranked: () => null,

  unasked(value, asked) {
    const extras: Extra[] = [];
    const included = listAt(asked, 'include');
    const items = [
      ...listAt(value, 'output'),
      ...listAt(value, 'response.output'),
      ...(value.item === undefined ? [] : [value.item]),
    ];
    const asksLogprobs =
      included.includes('message.output_text.logprobs') || numberAt(asked, 'top_logprobs');
    const parts = items.flatMap((item) => listAt(item, 'content'));
    if (!asksLogprobs && parts.some((part) => listAt(part, 'logprobs').length > 0)) {
      extras.push({ kind: 'log-probabilities', what: 'logprobs of a text' });
    }
    const reasoning = items.filter((item) => at(item, 'type') === 'reasoning');
    const asksSummary =
      textAt(asked, 'reasoning.summary') ?? at(asked, 'reasoning.generate_summary');
    if (!asksSummary && reasoning.some((item) => listAt(item, 'summary').length > 0)) {
      extras.push({ kind: 'reasoning', what: 'a summary of the reasoning' });
    }
    return extras;
  },

  stateOf: (item) => textAt(item, 'status'),
  shows: () => true,
};
