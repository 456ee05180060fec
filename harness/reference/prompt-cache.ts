import { createHash } from 'node:crypto';
import { Bounded } from './bounded.ts';
import { type Cached, countTools, countTurn, nothingCached, type Prompt } from './engine.ts';

/** Shortest cached prefix in tokens, as in the public APIs, and the granularity of its length. */
export const leastCached = 1024;
const step = 128;

/** Prefixes of each user's earlier prompts, turn by turn. */
export class PromptCache {
  readonly #seen = new Bounded<true>({ count: 1000, bytes: Number.POSITIVE_INFINITY });

  /** Returns the cached tokens of a prompt, and caches the prompt. */
  read(prompt: Prompt, user: string): Cached {
    const { model, tools, turns, cacheable = turns.length } = prompt;
    const hash = createHash('sha256').update(JSON.stringify([user, model, tools]));
    let count = countTools(tools);
    let read = 0;
    for (const turn of turns.slice(0, cacheable)) {
      count += countTurn(turn);
      hash.update(JSON.stringify(turn));
      if (count < leastCached) continue;
      const prefix = hash.copy().digest('base64');
      if (this.#seen.get(prefix) === true) read = count - (count % step);
      else this.#seen.put(prefix, true, 0);
    }
    return count < leastCached ? nothingCached : { read, written: count - read };
  }
}
