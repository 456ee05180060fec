import { at, listAt } from '../../core/index.ts';
import type { Extra, ViewFacts } from '../view-facts.ts';

export const view: ViewFacts = {
  named: ({ modelVersion }) => [{ kind: 'answer', what: 'modelVersion', value: modelVersion }],

  /** The grammar judges the order. */
  ranked: () => null,

  unasked(value, asked) {
    const extras: Extra[] = [];
    const config = at(asked, 'generationConfig') ?? at(asked, 'generation_config');
    const candidates = listAt(value, 'candidates');
    const asksLogprobs =
      at(config, 'responseLogprobs') === true || at(config, 'response_logprobs') === true;
    if (!asksLogprobs && candidates.some((one) => at(one, 'logprobsResult'))) {
      extras.push({ kind: 'log-probabilities', what: 'candidates[].logprobsResult' });
    }
    const thinking = at(config, 'thinkingConfig') ?? at(config, 'thinking_config');
    const asksThoughts =
      at(thinking, 'includeThoughts') === true || at(thinking, 'include_thoughts') === true;
    const parts = candidates.flatMap((one) => listAt(one, 'content.parts'));
    if (!asksThoughts && parts.some((part) => at(part, 'thought') === true)) {
      extras.push({ kind: 'reasoning', what: 'a part with `thought`' });
    }
    return extras;
  },

  stateOf: () => null,
  shows: (candidate) => listAt(candidate, 'content.parts').length > 0,
};

/** Paths of the requested number of answers, in both spellings of the protocol. */
export const candidates = ['generationConfig.candidateCount', 'generation_config.candidate_count'];
