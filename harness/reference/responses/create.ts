import { admitAsked, insist, requireCapability } from '../admission.ts';
import type { Answer, Call, StreamAnswer } from '../call.ts';
import { allPieces, type Generation } from '../engine.ts';
import { generated, usualPace } from '../execution.ts';
import { type JsonObject, lengthOf } from '../json.ts';
import type { Key } from '../keys.ts';
import { reachable } from '../reach.ts';
import { quoted, Refusal } from '../refusal.ts';
import type { StoredResponse } from '../store.ts';
import { readCreateBody } from './create-body.ts';
import { promptOf } from './prompt.ts';
import type { ResponseRequest } from './request.ts';
import { ResponseTurn } from './turn.ts';

/** Stored response with content. */
export type LiveResponse = StoredResponse & { readonly turn: ResponseTurn };

/** Finds the response to continue; undefined if the key may not reach it. */
type FindPrevious = (id: string) => LiveResponse | undefined;

/** `POST /v1/responses`. */
export async function create(call: Call, key: Key): Promise<Answer> {
  const request = readCreateBody(call, key);
  if (request.stream) requireCapability(request.model, 'stream', call, 'stream');
  const record = await startTurn(request, call, key, (id) => reachable(id, 'continue', call, key));
  if (request.stream) return followed(record, call);
  if (!call.gateway.seams.policy.runsInBackground(request, call)) await record.turn.run.settled;
  return { kind: 'responses.response', body: record.turn.response(), record };
}

/** Returns the stream of a new response. The policy decides what follows if the client disconnects. */
function followed(record: LiveResponse, call: Call): StreamAnswer {
  const { turn } = record;
  return {
    kind: 'responses.stream',
    events: (gone) => turn.events(gone),
    dropped: () => {
      const { request } = turn.parts;
      if (!call.gateway.seams.policy.outlivesClient(request, call)) turn.cancel();
    },
    record,
  };
}

/**
 * Accepts a request and starts its run: enters it in the ledger, and in the store if its content is to be kept.
 * Throws a {@link Refusal} before any of that.
 */
export async function startTurn(
  wanted: ResponseRequest,
  call: Call,
  key: Key,
  find: FindPrevious,
): Promise<LiveResponse> {
  const { gateway } = call;
  const { policy, encode } = gateway.seams;
  const { model } = wanted;
  if (wanted.background) {
    if (!policy.backgroundAllowed(wanted, call)) {
      const message = "'background' requires 'store' to be true.";
      insist(call, new Refusal('background-needs-store', message, 'background'));
    }
    requireCapability(model, 'background', call, 'background');
  }
  const tools = admitAsked('tools', wanted.tools, 'tools', model, call) ?? [];
  // A copy is expensive, and nearly every request needs no change.
  const request = tools.length === wanted.tools.length ? wanted : { ...wanted, tools };
  const previous = request.previousResponseId;
  const history = await historyOf(previous, call, find);
  const context = [...history, ...request.input];
  refuseUnknownCalls(context, call);
  const generation = generationOf(request, context, call);

  const id = encode.id('resp_', call);
  const background = policy.runsInBackground(request, call);
  const turn = new ResponseTurn({
    id,
    ids: generation.blocks.map(({ kind }) => ({
      item: encode.id(itemPrefixes[kind], call),
      call: kind === 'call' ? encode.id('call_', call) : '',
    })),
    request: background === request.background ? request : { ...request, background },
    history,
    generation,
    financial: gateway.ledger.open(call, {
      operation: 'generation',
      model: model.id,
      inputTokens: generation.inputTokens,
      responseId: id,
    }),
    closing: gateway.closing,
    now: gateway.now,
  });
  const record: LiveResponse = {
    id,
    region: gateway.region,
    owner: key.user,
    model,
    store: request.store,
    background,
    retainedFrom: gateway.now(),
    deleted: false,
    turn,
    bytes:
      bytesOf(call.body, generation) +
      (previous === null ? 0 : (gateway.store.peek(previous)?.bytes ?? 0)),
  };
  if (policy.keepsContent(request, call)) gateway.store.put(record);
  const usual = usualPace({ stream: request.stream, background }, generation, call);
  const pace = policy.pace(usual, call);
  turn.start(pace, background && pace !== 'at-once');
  return record;
}

const itemPrefixes = { thought: 'rs_', text: 'msg_', call: 'fc_' } as const;

/**
 * Returns the context of a continuation. If the previous response still runs, waits for its end, because its output
 * is part of the context.
 */
export async function historyOf(
  previousResponseId: string | null,
  call: Call,
  find: FindPrevious,
): Promise<readonly JsonObject[]> {
  if (previousResponseId === null) return [];
  const previous = find(previousResponseId);
  if (previous === undefined) {
    const message = `Previous response with id ${quoted(previousResponseId)} not found.`;
    insist(call, new Refusal('unknown-previous-response', message, 'previous_response_id'));
    return [];
  }
  await previous.turn.run.settled;
  return call.gateway.seams.policy.history(previous, call);
}

/** Refuses the result of a call that was never made. */
export function refuseUnknownCalls(items: readonly JsonObject[], call: Call): void {
  if (items.every(({ type }) => type !== 'function_call_output')) return;
  const made = new Set(
    items.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id),
  );
  for (const { type, call_id } of items) {
    if (type !== 'function_call_output' || made.has(call_id)) continue;
    const message = `No tool call found for function call output with call_id ${quoted(String(call_id))}.`;
    insist(call, new Refusal('unknown-tool-call', message, 'input'));
  }
}

/** Approximate bytes of a response without its texts, and of each of their characters and pieces. */
const responseBytes = 4_000;
const bytesPerCharacter = 2;
const bytesPerPiece = 40;

/** Returns the approximate memory of a response, without the turns before it. */
function bytesOf(body: JsonObject, generation: Generation): number {
  let bytes = responseBytes + bytesPerCharacter * lengthOf(body);
  for (const { length } of allPieces(generation))
    bytes += bytesPerPiece + bytesPerCharacter * length;
  return bytes;
}

function generationOf(
  request: ResponseRequest,
  context: readonly JsonObject[],
  call: Call,
): Generation {
  const generation = generated(promptOf(request, context), call);
  if (request.generate) return generation;
  return { ...generation, blocks: [], finish: 'stop', stopped: null };
}
