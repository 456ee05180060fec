import { admitAsked, admitModel, requireCapability } from '../admission.ts';
import { nothingAsked } from '../asked.ts';
import { piecesOfKind } from '../blocks.ts';
import type { BodyAnswer, Call } from '../call.ts';
import { countPrompt } from '../engine.ts';
import { count, generated } from '../execution.ts';
import type { FixtureModel } from '../fixture-models.ts';
import type { JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { required, stringAt } from '../parameters.ts';
import { reachable } from '../reach.ts';
import type { StoredOperation } from '../store.ts';
import { sealed } from './compaction-item.ts';
import { historyOf, refuseUnknownCalls } from './create.ts';
import { readInput } from './input.ts';
import { usage } from './object.ts';
import { type PromptParts, promptOf } from './prompt.ts';
import { readToolChoice, readTools } from './tools.ts';

/** `POST /v1/responses/input_tokens`: the input tokens of a request with this body. */
export async function inputTokens(call: Call, key: Key): Promise<BodyAnswer> {
  const { parts, items } = await readConversation('input_tokens', 'input-tokens', call, key);
  const tokens = count(countPrompt(promptOf(parts, items)), parts.model.id, call);
  return {
    kind: 'responses.input-tokens',
    body: { object: 'response.input_tokens', input_tokens: tokens },
  };
}

const summaryTokens = 32;

/**
 * `POST /v1/responses/compact`: the user's messages, and one item that represents the rest. The output is the input
 * of a new conversation. The call is metered like a generation.
 */
export async function compact(call: Call, key: Key): Promise<BodyAnswer> {
  const { gateway } = call;
  const { encode } = gateway.seams;
  const { parts, items } = await readConversation('compact', 'compact', call, key);
  const prompt = { ...promptOf(parts, items), callRequired: null, limit: summaryTokens };
  const generation = generated(prompt, call);
  const { inputTokens } = generation;
  const pieces = piecesOfKind(generation, 'text');
  const financial = gateway.ledger.open(call, {
    operation: 'compact',
    model: parts.model.id,
    inputTokens,
    status: 'completed',
  });
  financial.outputTokens = pieces.length;
  const compaction = {
    id: encode.id('cmp_', call),
    type: 'compaction',
    encrypted_content: sealed(pieces.join('')),
  };
  return {
    kind: 'responses.compaction',
    body: {
      id: encode.id('resp_', call),
      object: 'response.compaction',
      created_at: Math.floor(gateway.now() / 1000),
      output: [...items.filter(isUserMessage), compaction],
      usage: usage(generation, pieces.length),
    },
  };
}

/** Reads the body of both calls: the members of a create request that determine the model's input. */
async function readConversation(
  capability: string,
  operation: StoredOperation,
  call: Call,
  key: Key,
): Promise<{ parts: PromptParts & { model: FixtureModel }; items: readonly JsonObject[] }> {
  const { body } = call;
  const model = admitModel(body.model, call, key);
  requireCapability(model, capability, call);
  const previous = stringAt(body, 'previous_response_id', call);
  const input = readInput(body.input, model, call);
  if (previous === null) required(input, 'input', call);
  const declared = readTools(body, call);
  const tools = admitAsked('tools', declared, 'tools', model, call) ?? [];
  const instructions = stringAt(body, 'instructions', call);
  const callRequired = readToolChoice(body, declared, call);
  const history = await historyOf(previous, call, (id) => reachable(id, operation, call, key));
  const items = [...history, ...(input ?? [])];
  refuseUnknownCalls(items, call);
  const parts = { model, instructions, tools, callRequired, limit: null, asked: nothingAsked };
  return { parts, items };
}

function isUserMessage({ type, role }: JsonObject): boolean {
  return type === 'message' && role === 'user';
}
