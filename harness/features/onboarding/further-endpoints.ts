import { type Ask, deniesEndpoint } from '../../kernel/probing/index.ts';
import { type Call, listCall } from '../../kernel/protocols/index.ts';

/** Endpoints of other tasks than text generation, by names for readers. No check judges them. */
const further: Readonly<Record<string, readonly [method: string, path: string]>> = {
  embeddings: ['POST', '/v1/embeddings'],
  completions: ['POST', '/v1/completions'],
  moderations: ['POST', '/v1/moderations'],
  rerank: ['POST', '/v1/rerank'],
  images: ['POST', '/v1/images/generations'],
  speech: ['POST', '/v1/audio/speech'],
  transcriptions: ['POST', '/v1/audio/transcriptions'],
  files: ['GET', '/v1/files'],
  batches: ['GET', '/v1/batches'],
  'message batches': ['GET', '/v1/messages/batches'],
  'fine-tuning': ['GET', '/v1/fine_tuning/jobs'],
  'vector stores': ['GET', '/v1/vector_stores'],
};

/** Path that no gateway serves. */
const nowhere = '/v1/touchstone-serves-nothing-here';

/**
 * Finds out which of these endpoints a gateway serves, free of charge: each is asked without the members that it needs.
 * An answer counts only where a path that does not exist gets another one.
 */
export async function furtherEndpoints(ask: Ask): Promise<readonly string[]> {
  const ends = async (method: string, path: string): Promise<string> => {
    const call: Call = { ...listCall(), operation: 'unknown', method, path };
    const exchange = await ask(method === 'POST' ? { ...call, body: {} } : call);
    const { response } = exchange;
    if (response === null || response.status >= 500 || deniesEndpoint(exchange, path, []))
      return '';
    return String(response.status);
  };
  const absent = new Map<string, string>();
  for (const method of ['GET', 'POST']) absent.set(method, await ends(method, nowhere));
  const found: string[] = [];
  for (const [name, [method, path]] of Object.entries(further)) {
    const end = await ends(method, path);
    if (end !== '' && end !== absent.get(method)) found.push(name);
  }
  return found;
}
