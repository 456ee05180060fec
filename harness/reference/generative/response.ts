import type { StreamEvent } from '../dialect.ts';
import type { Generation } from '../engine.ts';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Run } from '../run.ts';

/** What the response and every chunk of it have in common. */
export interface ResponseHead {
  readonly id: string;
  readonly model: string;
  /** Id of the function call, should there be one. */
  readonly callId: string;
}

/** The `GenerateContentResponse` of a finished generation. */
export function response(head: ResponseHead, generation: Generation): JsonObject {
  const { call, pieces } = generation;
  const text = pieces.join('');
  const parts = call === null ? textParts(text) : callParts(head, call, text);
  return candidate(head, generation, parts, pieces.length, finishReason(generation));
}

/**
 * The chunks of one response: each is a partial response with the next piece of text and the usage so
 * far; the last has the finish reason. A function call has no fragments in this protocol, it comes whole.
 */
export async function* chunks(
  head: ResponseHead,
  run: Run,
  gone: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { generation } = run;
  const { call, pieces } = generation;
  let written = 0;
  if (call === null) {
    for await (const piece of run.pieces.follow(gone)) {
      written++;
      const finish = written === pieces.length ? finishReason(generation) : undefined;
      yield { name: null, data: candidate(head, generation, textParts(piece), written, finish) };
    }
    if (pieces.length > 0) return;
  } else {
    await run.settled;
    if (gone.aborted) return;
  }
  yield { name: null, data: response(head, generation) };
}

/** Both token counts are exact: the same that `countTokens` answers, and the tokens written. */
function candidate(
  { id, model }: ResponseHead,
  { inputTokens }: Generation,
  parts: readonly JsonObject[],
  outputTokens: number,
  finish: string | undefined,
): JsonObject {
  return {
    candidates: [
      {
        content: { role: 'model', parts: parts.length === 0 ? undefined : parts },
        finishReason: finish,
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
    },
    modelVersion: model,
    responseId: id,
  };
}

function finishReason({ finish }: Generation): string {
  return finish === 'length' ? 'MAX_TOKENS' : 'STOP';
}

function textParts(text: string): JsonObject[] {
  return text === '' ? [] : [{ text }];
}

/** Arguments that were cut at the limit are no JSON: then there is no part at all. */
function callParts({ callId }: ResponseHead, name: string, text: string): JsonObject[] {
  try {
    const args: Json = JSON.parse(text);
    return [{ functionCall: { id: callId, name, args: objectOrEmpty(args) } }];
  } catch {
    return [];
  }
}
