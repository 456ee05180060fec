// System One: decisions on questions about a state.

import { count, tick } from './model.mjs';
import { isObject, newId, Refusal, sendJson } from './wire.mjs';

/** Shares a probability of 1 among labels, in two decimals, the most to the first. */
function shared(labels) {
  const rest = Math.floor(100 / (labels.length + 1));
  const first = 100 - rest * (labels.length - 1);
  return Object.fromEntries(labels.map((label, n) => [label, (n === 0 ? first : rest) / 100]));
}

const answers = {
  noul: () => ({ type: 'noul', noul: 0.8 }),
  choice({ criteria }) {
    const labels = isObject(criteria) ? Object.keys(criteria) : [];
    if (labels.length === 0) throw invalid('A choice needs criteria.');
    const probabilities = shared(labels);
    return {
      type: 'choice',
      choice: labels[0],
      confidence: probabilities[labels[0]],
      probabilities,
    };
  },
  score({ criteria }) {
    if (!Array.isArray(criteria) || criteria.length === 0) throw invalid('A score needs criteria.');
    const probabilities = shared(criteria.map((_, n) => `${n}`));
    const score = Object.entries(probabilities).reduce(
      (sum, [level, share]) => sum + Number(level) * share,
      0,
    );
    const legend = Object.fromEntries(criteria.map((one, n) => [`${n}`, one]));
    return { type: 'score', score, confidence: probabilities['0'], legend, probabilities };
  },
};

const invalid = (message) => new Refusal(422, message);

export async function decide({ world, http, response, body, admit, key }) {
  const model = admit(key, body.model, 'systemone');
  const { state, questions } = body;
  if (state === undefined || ['number', 'boolean'].includes(typeof state))
    throw invalid('The state cannot be read.');
  if (!isObject(questions) || Object.keys(questions).length === 0)
    throw invalid('There are no questions.');
  if (body.stream === true) throw invalid('There are no streams here.');
  const answered = Object.entries(questions).map(([name, question]) => {
    const kind = isObject(question) && Object.hasOwn(answers, question.type) ? question.type : null;
    if (kind === null) throw invalid('A question cannot be read.');
    return [name, answers[kind](question)];
  });
  const entry = world.open(http, 'generation', newId('dec'), model);
  const input = count(JSON.stringify([state, questions]));
  await tick();
  entry.counted(input, answered.length);
  entry.closed('completed');
  sendJson(response, 200, {
    ...{ model: model.id, answers: Object.fromEntries(answered) },
    usage: { input_tokens: input, output_tokens: answered.length },
  });
}
