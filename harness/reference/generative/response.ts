import { callsIn, isHidden, type Output, piecesOfKind } from '../blocks.ts';
import type { StreamEvent } from '../dialect.ts';
import { allPieces, type Generation, outputsOf, thoughtTokens } from '../engine.ts';
import { Feed, type Gone } from '../feed.ts';
import type { JournalReader } from '../journal.ts';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { logprobsOf } from '../logprobs.ts';
import type { Run } from '../run.ts';

interface ResponseHead {
  readonly id: string;
  readonly model: string;
  /** Id of the function call, if the model makes one. */
  readonly callId: string;
  /** Number of likely tokens to list at each position; null for no log probabilities. */
  readonly logprobs: number | null;
}

/** Returns the `GenerateContentResponse` of a finished generation. */
export function response(head: ResponseHead, generation: Generation): JsonObject {
  const candidates = outputsOf(generation).map((output, index) => whole(head, output, index));
  const thoughts = thoughtTokens(generation);
  const written = generation.thoughts + allPieces(generation).length;
  return partial(head, generation, candidates, { thoughts, written });
}

/**
 * Returns the chunks of one response. Each chunk is a partial response with the next piece of text of a candidate
 * and the usage so far. The last chunk of a candidate has its finish reason. A function call arrives whole, because
 * this protocol has no call fragments.
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
  let { thoughts } = generation;
  let written = thoughts;
  const next = (...of: Parameters<typeof candidate>): StreamEvent => ({
    name: null,
    data: partial(head, generation, [candidate(...of)], { thoughts, written }),
  });
  for (const [index, output] of outputsOf(generation).entries()) {
    const finish = finishReason(output);
    const last = output.blocks.at(-1);
    for (const block of output.blocks) {
      const count = block.pieces.length;
      for (let told = 1; told <= count; told++) {
        let piece = pieces.next();
        while (piece === null) {
          yield null;
          piece = pieces.next();
        }
        if (piece === undefined) break;
        written++;
        if (block.kind === 'thought') thoughts++;
        if (block.kind === 'call' || isHidden(block)) continue;
        const ends = block === last && told === count;
        const said = block.kind === 'text' ? [piece] : [];
        yield next(head, saidParts(block.kind, piece), said, index, ends ? finish : undefined);
      }
    }
    if (gone.aborted) return;
    // The last block has no text, so no chunk has sent the finish reason yet.
    if (last === undefined || last.kind === 'call' || isHidden(last) || last.pieces.length === 0) {
      yield next(head, callParts(head, output, index), [], index, finish);
    }
  }
}

/** Returns one chunk. Both token counts are exact: the result of `countTokens`, and the tokens written. */
function partial(
  { id, model }: ResponseHead,
  { inputTokens, cached }: Generation,
  candidates: readonly JsonObject[],
  { thoughts, written }: { readonly thoughts: number; readonly written: number },
): JsonObject {
  return {
    candidates,
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: written - thoughts,
      cachedContentTokenCount: cached.read > 0 ? cached.read : undefined,
      thoughtsTokenCount: thoughts > 0 ? thoughts : undefined,
      totalTokenCount: inputTokens + written,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
    },
    modelVersion: model,
    responseId: id,
  };
}

function whole(head: ResponseHead, output: Output, index: number): JsonObject {
  const said = output.blocks.flatMap((block) =>
    block.kind === 'call' || isHidden(block) ? [] : saidParts(block.kind, block.pieces.join('')),
  );
  const parts = [...said, ...callParts(head, output, index)];
  const text = piecesOfKind(output, 'text');
  return candidate(head, parts, text, index, finishReason(output));
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

const finishReasons = { stop: 'STOP', length: 'MAX_TOKENS', filtered: 'SAFETY' } as const;

function finishReason({ finish }: Output): string {
  return finishReasons[finish];
}

function saidParts(kind: 'thought' | 'text', text: string): JsonObject[] {
  if (text === '') return [];
  return [kind === 'thought' ? { text, thought: true } : { text }];
}

/** Returns the parts of the calls. Arguments that the limit truncated are not valid JSON, so their call has no part. */
function callParts({ callId }: ResponseHead, output: Output, choice: number): JsonObject[] {
  return callsIn(output).flatMap(({ name, pieces }, n) => {
    const id = choice === 0 && n === 0 ? callId : `${callId}-${choice}-${n}`;
    try {
      const args: Json = JSON.parse(pieces.join(''));
      return [{ functionCall: { id, name, args: objectOrEmpty(args) } }];
    } catch {
      return [];
    }
  });
}
