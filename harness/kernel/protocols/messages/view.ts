import { at, listAt, numberAt, textAt } from '../../core/index.ts';
import type { ViewFacts } from '../view-facts.ts';

const thoughts: readonly unknown[] = ['thinking', 'redacted_thinking'];

export const view: ViewFacts = {
  /** Each member has one event. */
  named: () => [],

  /** A thinking block ends with its signature; the grammar judges the other events. */
  ranked(event) {
    const type = textAt(event, 'delta.type');
    const rank = ['thinking_delta', 'signature_delta'].indexOf(type ?? '');
    if (type === null || rank < 0) return null;
    return { scope: `block ${numberAt(event, 'index')}`, rank, what: type };
  },

  unasked(value, asked) {
    const block = at(value, 'content_block');
    const blocks = [...listAt(value, 'content'), ...(block === undefined ? [] : [block])];
    const mayThink = !['disabled', undefined].includes(textAt(asked, 'thinking.type') ?? undefined);
    if (mayThink || !blocks.some((one) => thoughts.includes(at(one, 'type')))) return [];
    return [{ kind: 'reasoning', what: 'a block of thinking' }];
  },

  stateOf: () => null,
  shows: () => true,
};
