import type { JsonObject } from '../reference/json.ts';
import { changed, renamed } from './editing.ts';

/** The same response of generative-content, had the model only thought what it says in it. */
export function allThought(body: JsonObject): JsonObject {
  const silent = changed(body, 'candidates.0.content', () => ({ role: 'model' }));
  return renamed(silent, 'usageMetadata.candidatesTokenCount', 'thoughtsTokenCount');
}
