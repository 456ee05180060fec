// A generation that nobody stores: Chat Completions, Messages and generative-content.

import { answer, outputOf, tick } from './model.mjs';
import { newId } from './wire.mjs';

/**
 * Starts a generation, and its financial record.
 *
 * @returns the planned candidates, the usage, and `write`, which tells each token when it is made. It resolves to
 * false if the client has gone.
 */
export function begin({ world, http, response, model, prefix }, request) {
  const id = newId(prefix);
  const entry = world.open(http, 'generation', id, model);
  const { candidates, input } = answer(request, world.faulty);
  const counted = world.faulty('first-candidate-counted') ? candidates.slice(0, 1) : candidates;
  const sum = (kind) => counted.reduce((all, one) => all + outputOf(one, kind), 0);
  const usage = { input, output: sum(), thoughts: sum('thought') };
  const pieces = candidates.flatMap((planned, candidate) =>
    planned.items.flatMap((item, index) =>
      (item.tokens.length === 0 ? [''] : item.tokens).map((token, at) => ({
        ...{ candidate, item, index, token, isFirst: at === 0 },
        isLast: at >= item.tokens.length - 1,
      })),
    ),
  );
  entry.counted(input, 0);
  async function write(tell = () => {}) {
    let output = 0;
    for (const piece of pieces) {
      await tick();
      if (response.destroyed) {
        entry.closed('cancelled');
        return false;
      }
      output += piece.token === '' ? 0 : 1;
      entry.counted(input, output);
      tell(piece);
    }
    entry.closed('completed');
    return true;
  }
  return { id, candidates, usage, write };
}

/** Counts a request without a generation. */
export function countOnly({ world, http, model }, input) {
  const entry = world.open(http, 'count', newId('count'), model);
  entry.counted(input, 0);
  entry.closed('completed');
}

export const joined = ({ tokens }) => tokens.join('');

/** Returns the capabilities that a neutral request needs. */
export function needsOf({ tools, schema, likely, stops = [], candidates = 1, turns }, streamed) {
  return [
    ...(streamed ? ['stream'] : []),
    ...(tools.length > 0 ? ['tools'] : []),
    ...(schema === null ? [] : ['structured_output']),
    ...(likely == null ? [] : ['logprobs']),
    ...(stops.length > 0 ? ['stop'] : []),
    ...(candidates > 1 ? ['candidates'] : []),
    ...(turns.some(({ images = 0 }) => images > 0) ? ['images'] : []),
  ];
}
