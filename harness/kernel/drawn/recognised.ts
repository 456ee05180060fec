import { type Exchange, headersOf, type Recognisable } from '../core/index.ts';
import { asksToGenerate } from '../protocols/index.ts';
import { inventedWords } from './invented-word.ts';

/** Counts the features by which a gateway could recognise a run; null if nothing was sent. */
export function recognisableIn(exchanges: readonly Exchange[]): Recognisable | null {
  // A probe belongs to the operator, and a request that was not sent shows nothing.
  const sent = exchanges.filter(
    ({ about, failure }) => about.protocol !== 'probe' && failure?.kind !== 'interrupted',
  );
  if (sent.length === 0) return null;
  const wordings = new Map<string, number>();
  for (const prompt of sent.flatMap(promptsOf)) {
    const wording = withoutNames(prompt);
    wordings.set(wording, (wordings.get(wording) ?? 0) + 1);
  }
  const all = [...wordings.values()];
  const prompts = all.reduce((sum, count) => sum + count, 0);
  return {
    requests: sent.length,
    named: sent.filter(namesUs).length,
    userAgents: [
      ...new Set(sent.flatMap(({ request }) => headersOf(request, 'user-agent'))),
    ].sort(),
    identified: sent.filter(({ request }) => headersOf(request, 'x-client-request-id').length > 0)
      .length,
    ownConnection: sent.filter(({ response }) => response?.over !== 'kept connection').length,
    prompts,
    wordings: all.length,
    commonestWording: Math.max(0, ...all),
  };
}

function namesUs({ request, socket }: Exchange): boolean {
  const frames = socket?.frames.filter(({ from }) => from === 'us').map(({ data }) => data) ?? [];
  const bytes = [request.body ?? new Uint8Array(), ...frames];
  const text = [request.url, ...request.headers.flat()].join('\n');
  return /touchstone/i.test(text) || bytes.some((one) => /touchstone/i.test(textOf(one)));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

function promptsOf({ about, request, socket }: Exchange): string[] {
  if (!asksToGenerate(about)) return [];
  const frames = socket?.frames.filter(({ from, kind }) => from === 'us' && kind === 'text') ?? [];
  return [...(request.body === null ? [] : [request.body]), ...frames.map(({ data }) => data)]
    .flatMap((bytes) => [
      ...textOf(bytes).matchAll(/"(?:input|content|text|state)":\s*"((?:[^"\\]|\\.)+)"/g),
    ])
    .map(([, text = '']) => text);
}

/** Replaces the drawn names, so that only the wording is left. */
function withoutNames(prompt: string): string {
  const invented = new Set(inventedWords(prompt));
  return prompt.replace(/[\p{L}\p{M}'’.-]+/gu, (word, at: number) => {
    const isName = at > 0 && /^[\p{Lu}\p{Lo}]/u.test(word);
    return isName || invented.has(word.replace(/\W+$/, '')) ? '…' : word;
  });
}
