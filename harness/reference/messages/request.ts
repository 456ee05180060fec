import {
  admitAsked,
  admitModel,
  admitThinking,
  insist,
  outputLimit,
  requireCapability,
} from '../admission.ts';
import { type Asked, nothingAsked } from '../asked.ts';
import type { Call } from '../call.ts';
import type { FunctionTool, Prompt, Turn } from '../engine.ts';
import type { FixtureModel } from '../fixture-models.ts';
import { forcedCall, functionTool } from '../function-tools.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Key } from '../keys.ts';
import { outputSchema } from '../output-schema.ts';
import {
  booleanAt,
  objectAt,
  objectsAt,
  required,
  requiredObjectsAt,
  stringAt,
  stringsAt,
} from '../parameters.ts';
import { Refusal } from '../refusal.ts';

interface MessageRequest {
  readonly prompt: Prompt;
  readonly stream: boolean;
}

/** Reads a request for a message, where `max_tokens` is required. */
export function readMessageRequest(call: Call, key: Key): MessageRequest {
  const { body } = call;
  const model = admitModel(body.model, call, key);
  booleanAt(body, 'stream', call);
  const stream = call.gateway.seams.policy.wantsStream(body, call);
  if (stream) requireCapability(model, 'stream', call, 'stream');
  if (body.max_tokens === undefined || body.max_tokens === null) {
    insist(call, new Refusal('missing-parameter', 'max_tokens: Field required', 'max_tokens'));
  }
  const limit = outputLimit(body.max_tokens, 'max_tokens', 1, call);
  return { prompt: readPrompt(model, limit, call), stream };
}

/** Reads a request for a count: a conversation without a limit. */
export function readCountRequest(call: Call, key: Key): Prompt {
  const model = admitModel(call.body.model, call, key);
  requireCapability(model, 'count_tokens', call, 'model');
  return readPrompt(model, null, call);
}

/** Version from which the protocol refuses sampling parameters. */
const versionWithoutSampling = '2026-10-21';

function refuseSampling(call: Call): void {
  const version = call.headers[`${call.gateway.names.vendorA}-version`.toLowerCase()];
  if (typeof version !== 'string' || version < versionWithoutSampling) return;
  for (const name of ['temperature', 'top_p', 'top_k']) {
    if (call.body[name] === undefined) continue;
    const message = `${name}: not supported as of version ${versionWithoutSampling}`;
    insist(call, new Refusal('invalid-value', message, name));
  }
}

function readPrompt(model: FixtureModel, limit: number | null, call: Call): Prompt {
  refuseSampling(call);
  const turns = [...readSystem(model, call), ...readMessages(model, call)];
  const declared = readTools(call);
  const callRequired = readToolChoice(declared, call);
  const tools = admitAsked('tools', declared, 'tools', model, call) ?? [];
  const sequences = stringsAt(call.body, 'stop_sequences', 16, call);
  const stop = admitAsked('stop', sequences, 'stop_sequences', model, call) ?? [];
  const choice = objectOrEmpty(call.body.tool_choice);
  const parallelCalls = choice.disable_parallel_tool_use !== true;
  const thinks = admitThinking(readThinks(call), 'thinking', model, call);
  const { logprobs, candidates } = nothingAsked;
  const schema = readFormat(model, call);
  const asked = { stop, schema, logprobs, candidates, parallelCalls, thinks };
  const cacheable = turns.findLastIndex(({ isCached }) => isCached === true) + 1;
  return { model: model.id, turns, tools, callRequired, limit, asked, cacheable };
}

/** Minimum thinking budget of the protocol. */
const smallestBudget = 1024;

/** Reads the thinking mode. `enabled` needs a budget below the output limit; `adaptive` has no budget. */
function readThinks(call: Call): Asked['thinks'] {
  const thinking = objectAt(call.body, 'thinking', call);
  const type = thinking?.type ?? 'disabled';
  if (thinking === null || type === 'disabled') return null;
  if (type === 'enabled') {
    const path = 'thinking.budget_tokens';
    const { budget_tokens: budget } = thinking;
    const { max_tokens: limit } = call.body;
    if (typeof budget !== 'number' || budget < smallestBudget) {
      const message = `${path}: has to be a number, at least ${smallestBudget}`;
      insist(call, new Refusal('invalid-value', message, path));
    } else if (typeof limit === 'number' && limit <= budget) {
      const message = `max_tokens: has to be greater than ${path}`;
      insist(call, new Refusal('invalid-value', message, 'max_tokens'));
    }
  } else if (type !== 'adaptive') {
    const message = 'thinking.type: is none of enabled, adaptive, disabled';
    insist(call, new Refusal('invalid-value', message, 'thinking.type'));
  }
  return thinking.display === 'omitted' ? 'hidden' : 'shown';
}

/** Reads `output_config.format`, or `output_format` from the first clients with structured output. */
function readFormat(model: FixtureModel, call: Call): JsonObject | null {
  const config = objectAt(call.body, 'output_config', call) ?? {};
  const isOld = call.body.output_format !== undefined;
  const path = isOld ? 'output_format' : 'output_config.format';
  const format = isOld ? objectAt(call.body, path, call) : objectAt(config, 'format', call, path);
  const asked = admitAsked('structured_output', format, path, model, call);
  if (asked === null) return null;
  if (asked.type === 'json_schema') return outputSchema(asked.schema, `${path}.schema`, call);
  insist(call, new Refusal('invalid-value', `${path}.type: has to be 'json_schema'`, path));
  return null;
}

function readSystem(model: FixtureModel, call: Call): Turn[] {
  const { system } = call.body;
  if (system === undefined || system === null) return [];
  const { text } = readContent(call.body, 'system', 'system', model, call);
  return [{ role: 'system', text, isCached: hasBreakpoint(system) }];
}

function readMessages(model: FixtureModel, call: Call): Turn[] {
  /** Ids of the calls that a `tool_result` may answer. */
  const called = new Set<string>();
  return requiredObjectsAt(call.body, 'messages', call).map(({ value: message, path }) => {
    const role = readRole(message, path, call);
    const param = `${path}.content`;
    if (message.content === undefined || message.content === null) {
      insist(call, new Refusal('missing-parameter', `${param}: Field required`, param));
      return { role, text: '' };
    }
    const { text, images, calls, results } = readContent(message, 'content', param, model, call);
    for (const id of calls) called.add(id);
    for (const id of results) {
      if (called.has(id)) continue;
      insist(
        call,
        new Refusal(
          'unknown-tool-call',
          `${param}: a 'tool_result' has to answer a 'tool_use' of an earlier message.`,
          param,
        ),
      );
    }
    const isCached = hasBreakpoint(message.content);
    return { role: results.length > 0 ? 'tool' : role, text, images, isCached };
  });
}

/** True if the content marks the end of the cacheable prompt. */
function hasBreakpoint(content: Json): boolean {
  return (
    isArray(content) && content.some((block) => isObject(block) && isObject(block.cache_control))
  );
}

function readRole(message: JsonObject, path: string, call: Call): 'user' | 'assistant' | 'system' {
  const param = `${path}.role`;
  const role = stringAt(message, 'role', call, param);
  if (role === 'user' || role === 'assistant' || role === 'system') return role;
  insist(call, new Refusal('invalid-value', `${param}: has to be 'user' or 'assistant'`, param));
  return 'user';
}

interface Content {
  readonly text: string;
  readonly images: number;
  /** Ids of its `tool_use` blocks. */
  readonly calls: readonly string[];
  /** Ids that its `tool_result` blocks answer. */
  readonly results: readonly string[];
}

/** Reads a string, or a list of blocks. Other blocks than texts, images, and tool calls and results are ignored. */
function readContent(
  parent: JsonObject,
  name: string,
  path: string,
  model: FixtureModel,
  call: Call,
): Content {
  const content = parent[name];
  if (typeof content === 'string') return { text: content, images: 0, calls: [], results: [] };
  const texts: string[] = [];
  let images = 0;
  const calls: string[] = [];
  const results: string[] = [];
  for (const { value: block, path: at } of objectsAt(parent, name, call, path)) {
    switch (stringAt(block, 'type', call, `${at}.type`)) {
      case 'text':
        texts.push(stringAt(block, 'text', call, `${at}.text`) ?? '');
        break;
      case 'image': {
        const source = objectAt(block, 'source', call, `${at}.source`);
        required(source, `${at}.source`, call);
        if (admitAsked('images', source, at, model, call) !== null) images++;
        break;
      }
      case 'tool_use':
        calls.push(String(block.id));
        texts.push(`${block.name} ${JSON.stringify(block.input)}`);
        break;
      case 'tool_result':
        results.push(String(block.tool_use_id));
        if (block.content !== undefined && block.content !== null) {
          const inner = readContent(block, 'content', `${at}.content`, model, call);
          texts.push(inner.text);
          images += inner.images;
        }
        break;
      case null:
        insist(call, new Refusal('missing-parameter', `${at}.type: Field required`, `${at}.type`));
        break;
      default:
    }
  }
  return { text: texts.join('\n'), images, calls, results };
}

/** Reads the client's functions. Server tools are unknown here and ignored. */
function readTools(call: Call): FunctionTool[] {
  return objectsAt(call.body, 'tools', call).flatMap(({ value: tool, path }) => {
    if ((tool.type ?? 'custom') !== 'custom') return [];
    const { name, description } = tool;
    return functionTool({ name, description, parameters: tool.input_schema }, path, call) ?? [];
  });
}

function readToolChoice(tools: readonly FunctionTool[], call: Call): Prompt['callRequired'] {
  const choice = objectAt(call.body, 'tool_choice', call);
  const type: Json = choice?.type ?? 'auto';
  if (type === 'none') return null;
  if (type === 'auto') return 'auto';
  if (type === 'any') return forcedCall('any', tools, 'tool_choice', call);
  if (type === 'tool') return forcedCall(choice?.name, tools, 'tool_choice', call);
  insist(
    call,
    new Refusal(
      'invalid-value',
      'tool_choice.type: is none of auto, any, tool, none',
      'tool_choice',
    ),
  );
  return null;
}
