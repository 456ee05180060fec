import { admitAsked, admitModel, admitThinking, insist, outputLimit } from '../admission.ts';
import { type Asked, nothingAsked } from '../asked.ts';
import type { Call } from '../call.ts';
import type { FixtureModel } from '../fixture-models.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { anyObject, outputSchema } from '../output-schema.ts';
import {
  arrayAt,
  booleanAt,
  integerAt,
  numberAt,
  objectAt,
  required,
  stringAt,
} from '../parameters.ts';
import { quoted, Refusal } from '../refusal.ts';
import { readInput } from './input.ts';
import { Echo, type ResponseRequest } from './request.ts';
import { readToolChoice, readTools } from './tools.ts';

const smallestLimit = 16;

/** Reads and checks the body of a create request, or the message of a WebSocket turn. */
export function readCreateBody(call: Call, key: Key): ResponseRequest {
  const { body } = call;
  const model = admitModel(body.model, call, key);
  booleanAt(body, 'stream', call);
  const previousResponseId = stringAt(body, 'previous_response_id', call);
  const generate = booleanAt(body, 'generate', call) ?? true;
  const input = readInput(body.input, model, call);
  // A continuation may add no input, and a warm-up has nothing to answer yet.
  if (previousResponseId === null && generate) required(input, 'input', call);
  refuseUnoffered(body, call);
  const tools = readTools(body, call);
  return {
    model,
    instructions: stringAt(body, 'instructions', call),
    input: input ?? [],
    limit: outputLimit(body.max_output_tokens, 'max_output_tokens', smallestLimit, call),
    store: booleanAt(body, 'store', call) ?? true,
    background: booleanAt(body, 'background', call) ?? false,
    stream: call.gateway.seams.policy.wantsStream(body, call),
    previousResponseId,
    tools,
    callRequired: readToolChoice(body, tools, call),
    asked: {
      stop: nothingAsked.stop,
      schema: readSchema(body, model, call),
      logprobs: admitAsked('logprobs', readLogprobs(body, call), 'include', model, call),
      candidates: nothingAsked.candidates,
      parallelCalls: booleanAt(body, 'parallel_tool_calls', call) ?? true,
      thinks: admitThinking(readThinks(body, call), 'reasoning', model, call),
    },
    sealsThoughts: arrayAt(body, 'include', call)?.includes('reasoning.encrypted_content') ?? false,
    generate,
    echo: echoOf(body, call),
  };
}

let usual: Echo | null = null;

/** Returns the members for the response object. Nearly every request sends none of them, and shares the defaults. */
function echoOf(body: JsonObject, call: Call): Echo {
  usual ??= new Echo(readEcho({}, call));
  for (const name in body) {
    if (Object.hasOwn(usual.data, name)) return new Echo(readEcho(body, call));
  }
  return usual;
}

/** Returns the request fields that the response object repeats, with the native defaults. */
function readEcho(body: JsonObject, call: Call): JsonObject {
  const reasoning = objectAt(body, 'reasoning', call);
  const tools = arrayAt(body, 'tools', call);
  return {
    max_output_tokens: numberAt(body, 'max_output_tokens', anyNumber, call),
    max_tool_calls: numberAt(body, 'max_tool_calls', [1, 2 ** 31 - 1], call),
    metadata: readMetadata(body, call),
    parallel_tool_calls: booleanAt(body, 'parallel_tool_calls', call) ?? true,
    presence_penalty: numberAt(body, 'presence_penalty', [-2, 2], call) ?? 0,
    frequency_penalty: numberAt(body, 'frequency_penalty', [-2, 2], call) ?? 0,
    prompt_cache_key: stringAt(body, 'prompt_cache_key', call),
    reasoning:
      reasoning === null
        ? noReasoning
        : { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: stringAt(body, 'safety_identifier', call),
    service_tier: 'default',
    temperature: numberAt(body, 'temperature', [0, 2], call) ?? 1,
    text: readTextFormat(body, call),
    tool_choice: body.tool_choice ?? 'auto',
    tools: tools === null ? noTools : tools.filter(isObject).map(declared),
    top_logprobs: integerAt(body, 'top_logprobs', [0, 20], call) ?? 0,
    top_p: numberAt(body, 'top_p', [0, 1], call) ?? 1,
    truncation: readTruncation(body, call),
    user: stringAt(body, 'user', call),
  };
}

const noMetadata: JsonObject = {};
const noReasoning: JsonObject = { effort: null, summary: null };
const noTools: readonly Json[] = [];
const plainText: JsonObject = { format: { type: 'text' }, verbosity: 'medium' };

/** Unlimited here, because the limit is checked where it is read. */
const anyNumber = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

function declared(tool: JsonObject): JsonObject {
  return {
    type: tool.type,
    name: tool.name,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
    strict: tool.strict ?? true,
  };
}

/** Reads at most 16 pairs of strings. */
function readMetadata(body: JsonObject, call: Call): JsonObject {
  const metadata = objectAt(body, 'metadata', call);
  if (metadata === null) return noMetadata;
  const pairs = Object.entries(metadata);
  const fits = ([name, value]: [string, Json | undefined]): boolean =>
    name.length <= 64 && typeof value === 'string' && value.length <= 512;
  if (pairs.length <= 16 && pairs.every(fits)) return metadata;
  const message =
    "'metadata' has to be at most 16 pairs of a name (64) and a string (512 characters).";
  insist(call, new Refusal('invalid-value', message, 'metadata'));
  return noMetadata;
}

/** Reads the text format, which the answer repeats. */
function readTextFormat(body: JsonObject, call: Call): JsonObject {
  const text = objectAt(body, 'text', call);
  if (text === null) return plainText;
  const format = isObject(text.format) ? text.format : { type: 'text' };
  return { format, verbosity: text.verbosity ?? 'medium' };
}

function readSchema(body: JsonObject, model: FixtureModel, call: Call): JsonObject | null {
  const text = objectAt(body, 'text', call) ?? {};
  const format = objectAt(text, 'format', call, 'text.format');
  if (format === null || format.type === 'text') return null;
  const asked = admitAsked('structured_output', format, 'text.format', model, call);
  if (asked === null) return null;
  if (asked.type === 'json_object') return anyObject;
  if (asked.type === 'json_schema') return outputSchema(asked.schema, 'text.format.schema', call);
  const message = "'text.format.type' has to be 'text', 'json_object' or 'json_schema'.";
  insist(call, new Refusal('invalid-value', message, 'text.format'));
  return null;
}

/** Reads the thinking mode. A thought is shown, as a summary, only if the request asks for a summary. */
function readThinks(body: JsonObject, call: Call): Asked['thinks'] {
  const reasoning = objectAt(body, 'reasoning', call) ?? {};
  const summary = stringAt(reasoning, 'summary', call, 'reasoning.summary');
  const effort = stringAt(reasoning, 'effort', call, 'reasoning.effort');
  if (effort === 'none') return null;
  if (summary !== null) return 'shown';
  return effort === null ? null : 'hidden';
}

/** Reads the number of log probabilities. `include` requests them; `top_logprobs` only sets their number. */
function readLogprobs(body: JsonObject, call: Call): number | null {
  const included = arrayAt(body, 'include', call) ?? [];
  if (!included.includes('message.output_text.logprobs')) return null;
  return integerAt(body, 'top_logprobs', [0, 20], call) ?? 0;
}

function readTruncation(body: JsonObject, call: Call): string {
  const truncation = stringAt(body, 'truncation', call) ?? 'disabled';
  if (truncation !== 'auto' && truncation !== 'disabled') {
    const message = `'truncation' has to be 'auto' or 'disabled', not ${quoted(truncation)}.`;
    insist(call, new Refusal('invalid-value', message, 'truncation'));
  }
  return truncation;
}

/** Refuses native features that would change the answer, and that are not in the interface. */
function refuseUnoffered(body: JsonObject, call: Call): void {
  for (const name of ['conversation', 'prompt']) {
    if (body[name] === undefined || body[name] === null) continue;
    const message = `'${name}' is not offered: send the input itself, or 'previous_response_id'.`;
    insist(call, new Refusal('invalid-value', message, name));
  }
}
