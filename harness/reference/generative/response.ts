import type { StreamEvent } from '../dialect.ts';
import { allPieces, calledName, type Generation, type Output, outputsOf } from '../engine.ts';
import { Feed, type Gone } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { logprobsOf } from '../logprobs.ts';
import type { Run } from '../run.ts';

/** What the response and every chunk of it have in common. */
export interface ResponseHead {
  readonly id: string;
  readonly model: string;
  /** Id of the function call, should there be one. */
  readonly callId: string;
  /** How many likely tokens are told at each place; null for no log probabilities. */
  readonly logprobs: number | null;
}

/** The `GenerateContentResponse` of a finished generation. */
export function response(head: ResponseHead, generation: Generation): JsonObject {
  const candidates = outputsOf(generation).map((output, index) => whole(head, output, index));
  return partial(head, generation, candidates, allPieces(generation).length);
}

/**
 * The chunks of one response, of each candidate in turn: each is a partial response with the next piece of
 * text and the usage so far; the last of a candidate has its finish reason. A function call has no
 * fragments in this protocol, it comes whole.
 */
export function chunks(head: ResponseHead, run: Run, gone: Gone): Feed<StreamEvent> {
  const pieces = run.pieces.reader(gone);
  return new Feed(steps(head, run, pieces, gone), () => pieces.more());
}

function* steps(
  head: ResponseHead,
  run: Run,
  pieces: JournalReader<string>,
  gone: Gone,
): Generator<StreamEvent | null, void, undefined> {
  const { generation } = run;
  let written = 0;
  for (const [index, output] of outputsOf(generation).entries()) {
    const count = output.pieces.length;
    for (let told = 1; told <= count; told++) {
      let piece = pieces.next();
      while (piece === null) {
        yield null;
        piece = pieces.next();
      }
      if (piece === undefined) break;
      written++;
      if (output.call !== null) continue;
      const finish = told === count ? finishReason(output) : undefined;
      const next = candidate(head, textParts(piece), [piece], index, finish);
      yield { name: null, data: partial(head, generation, [next], written) };
    }
    if (gone.aborted) return;
    if (output.call === null && count > 0) continue;
    const last = whole(head, output, index);
    yield { name: null, data: partial(head, generation, [last], written) };
  }
}

/** Both token counts are exact: the same that `countTokens` answers, and the tokens written. */
function partial(
  { id, model }: ResponseHead,
  { inputTokens, thoughts, cached }: Generation,
  candidates: readonly JsonObject[],
  outputTokens: number,
): JsonObject {
  return {
    candidates,
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      cachedContentTokenCount: cached.read > 0 ? cached.read : undefined,
      thoughtsTokenCount: thoughts > 0 ? thoughts : undefined,
      totalTokenCount: inputTokens + thoughts + outputTokens,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
    },
    modelVersion: model,
    responseId: id,
  };
}

function whole(head: ResponseHead, output: Output, index: number): JsonObject {
  const { call, calls, pieces } = output;
  const parts =
    call === null
      ? textParts(pieces.join(''))
      : calls.flatMap((args, n) =>
          callParts(head, calledName(output, n), args.join(''), { choice: index, n }),
        );
  return candidate(head, parts, call === null ? pieces : [], index, finishReason(output));
}

function candidate(
  { logprobs }: ResponseHead,
  parts: readonly JsonObject[],
  pieces: readonly string[],
  index: number,
  finish: string | undefined,
): JsonObject {
  return {
    content: { role: 'model', parts: parts.length === 0 ? undefined : parts },
    finishReason: finish,
    index,
    logprobsResult: logprobs === null ? undefined : logprobsResult(pieces, logprobs),
  };
}

function logprobsResult(pieces: readonly string[], top: number): JsonObject {
  const tokens = logprobsOf(pieces, top);
  const told = ({ token, logprob }: { token: string; logprob: number }): JsonObject => ({
    token,
    logProbability: logprob,
  });
  return {
    topCandidates: tokens.map((one) => ({ candidates: one.top.map(told) })),
    chosenCandidates: tokens.map(told),
  };
}

function finishReason({ finish }: Output): string {
  return finish === 'length' ? 'MAX_TOKENS' : 'STOP';
}

function textParts(text: string): JsonObject[] {
  return text === '' ? [] : [{ text }];
}

/** Arguments that were cut at the limit are no JSON: then there is no part at all. */
function callParts(
  { callId }: ResponseHead,
  name: string,
  text: string,
  { choice, n }: { readonly choice: number; readonly n: number },
): JsonObject[] {
  const id = choice === 0 && n === 0 ? callId : `${callId}-${choice}-${n}`;
  try {
    const args: Json = JSON.parse(text);
    return [{ functionCall: { id, name, args: objectOrEmpty(args) } }];
  } catch {
    return [];
  }
}
