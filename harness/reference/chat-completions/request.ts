import {
  admitAsked,
  admitModel,
  admitThinking,
  insist,
  outputLimit,
  requireCapability,
} from '../admission.ts';
import type { Asked } from '../asked.ts';
import type { Call } from '../call.ts';
import type { FunctionTool, Prompt, Turn } from '../engine.ts';
import type { FixtureModel } from '../fixture-models.ts';
import { forcedCall, functionTool } from '../function-tools.ts';
import { isArray, isObject, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Key } from '../keys.ts';
import { anyObject, outputSchema } from '../output-schema.ts';
import {
  booleanAt,
  integerAt,
  objectAt,
  objectsAt,
  required,
  requiredObjectsAt,
  stringAt,
  stringsAt,
} from '../parameters.ts';
import { Refusal } from '../refusal.ts';

interface CompletionRequest {
  readonly prompt: Prompt;
  readonly stream: boolean;
  /** True if an additional chunk before the end of the stream carries the usage. */
  readonly includeUsage: boolean;
}

/** Roles of the protocol, and the model's roles for them. */
const roles: Readonly<Record<string, Turn['role']>> = {
  developer: 'system',
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

export function readCompletionRequest(call: Call, key: Key): CompletionRequest {
  const { body } = call;
  const model = admitModel(body.model, call, key);
  booleanAt(body, 'stream', call);
  const stream = call.gateway.seams.policy.wantsStream(body, call);
  if (stream) requireCapability(model, 'stream', call, 'stream');
  const options = objectAt(body, 'stream_options', call) ?? {};
  const newName = body.max_completion_tokens ?? null;
  const limit =
    newName === null
      ? outputLimit(body.max_tokens, 'max_tokens', 1, call)
      : outputLimit(newName, 'max_completion_tokens', 1, call);
  const turns = readMessages(model, call);
  const declared = readTools(call);
  const callRequired = readToolChoice(declared, call);
  const tools = admitAsked('tools', declared, 'tools', model, call) ?? [];
  return {
    prompt: { model: model.id, turns, tools, callRequired, limit, asked: readAsked(model, call) },
    stream,
    includeUsage: stream && options.include_usage === true,
  };
}

function readAsked(model: FixtureModel, call: Call): Asked {
  const { body } = call;
  const stop = stringsAt(body, 'stop', 4, call);
  const count = integerAt(body, 'n', [1, 8], call) ?? 1;
  return {
    stop: admitAsked('stop', stop, 'stop', model, call) ?? [],
    schema: readFormat(model, call),
    logprobs: admitAsked('logprobs', readLogprobs(call), 'logprobs', model, call),
    candidates: admitAsked('candidates', count === 1 ? null : count, 'n', model, call) ?? 1,
    parallelCalls: booleanAt(body, 'parallel_tool_calls', call) ?? true,
    thinks: admitThinking(readThinks(call), 'reasoning_effort', model, call),
  };
}

/** Returns the thinking mode; the protocol has no place to show a thought. */
function readThinks(call: Call): Asked['thinks'] {
  const effort = stringAt(call.body, 'reasoning_effort', call);
  return effort === null || effort === 'none' ? null : 'hidden';
}

function readFormat(model: FixtureModel, call: Call): JsonObject | null {
  const format = objectAt(call.body, 'response_format', call);
  const param = 'response_format';
  if (format === null || format.type === 'text') return null;
  const asked = admitAsked('structured_output', format, param, model, call);
  if (asked === null) return null;
  if (asked.type === 'json_object') return anyObject;
  if (asked.type === 'json_schema') {
    const { schema } = objectAt(asked, 'json_schema', call, `${param}.json_schema`) ?? {};
    return outputSchema(schema, `${param}.json_schema.schema`, call);
  }
  const message = "'response_format.type' has to be 'text', 'json_object' or 'json_schema'.";
  insist(call, new Refusal('invalid-value', message, `${param}.type`));
  return null;
}

function readLogprobs(call: Call): number | null {
  const top = integerAt(call.body, 'top_logprobs', [0, 20], call);
  if (booleanAt(call.body, 'logprobs', call) === true) return top ?? 0;
  if (top !== null) {
    const message = "'top_logprobs' needs 'logprobs' to be true.";
    insist(call, new Refusal('invalid-value', message, 'top_logprobs'));
  }
  return null;
}

function readMessages(model: FixtureModel, call: Call): Turn[] {
  /** Ids of the calls that a `tool` message may answer. */
  const called = new Set<string>();
  return requiredObjectsAt(call.body, 'messages', call).map(({ value: message, path }) => {
    const name = stringAt(message, 'role', call, `${path}.role`) ?? '';
    const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
    if (role === undefined) {
      const known = Object.keys(roles).join(', ');
      const param = `${path}.role`;
      insist(call, new Refusal('invalid-value', `'${param}' has to be one of ${known}.`, param));
    }
    const calls = objectsAt(message, 'tool_calls', call, `${path}.tool_calls`);
    for (const { value } of calls) if (typeof value.id === 'string') called.add(value.id);
    if (name === 'tool') {
      const id = stringAt(message, 'tool_call_id', call, `${path}.tool_call_id`) ?? '';
      if (!called.has(id)) {
        insist(
          call,
          new Refusal(
            'unknown-tool-call',
            "A message with role 'tool' has to answer a call of an earlier message's 'tool_calls'.",
            `${path}.tool_call_id`,
          ),
        );
      }
    }
    const mayBeEmpty =
      role === 'assistant' && (calls.length > 0 || isObject(message.function_call));
    const { text, images } = readContent(message, path, mayBeEmpty, model, call);
    const callTexts = calls.map(({ value }) => {
      const called = objectOrEmpty(value.function);
      return ` ${called.name} ${called.arguments}`;
    });
    return { role: role ?? 'user', text: text + callTexts.join(''), images };
  });
}

/** Reads a content: a string, or a list of texts and images. */
function readContent(
  message: JsonObject,
  path: string,
  mayBeEmpty: boolean,
  model: FixtureModel,
  call: Call,
): { readonly text: string; readonly images: number } {
  const { content } = message;
  const param = `${path}.content`;
  if (typeof content === 'string') return { text: content, images: 0 };
  if (content === undefined || content === null) {
    if (mayBeEmpty) return { text: '', images: 0 };
    insist(
      call,
      new Refusal('missing-parameter', `Missing required parameter: '${param}'.`, param),
    );
    return { text: '', images: 0 };
  }
  const texts: string[] = [];
  let images = 0;
  for (const { value: part, path: at } of objectsAt(message, 'content', call, param)) {
    switch (stringAt(part, 'type', call, `${at}.type`)) {
      case 'text':
        texts.push(stringAt(part, 'text', call, `${at}.text`) ?? '');
        break;
      case 'image_url': {
        const image = objectAt(part, 'image_url', call, `${at}.image_url`) ?? {};
        required(stringAt(image, 'url', call, `${at}.image_url.url`), `${at}.image_url.url`, call);
        if (admitAsked('images', image, at, model, call) !== null) images++;
        break;
      }
      case null:
        insist(call, new Refusal('wrong-type', `'${at}.type' has to be a string.`, `${at}.type`));
        break;
      default:
    }
  }
  return { text: texts.join('\n'), images };
}

/** Reads the declared functions. Other types of tools are unknown here and ignored. */
function readTools(call: Call): FunctionTool[] {
  return objectsAt(call.body, 'tools', call).flatMap(({ value: tool, path }) => {
    if (tool.type !== 'function') return [];
    const at = `${path}.function`;
    const { name, description, parameters } = objectAt(tool, 'function', call, at) ?? {};
    return functionTool({ name, description, parameters }, at, call) ?? [];
  });
}

function readToolChoice(tools: readonly FunctionTool[], call: Call): Prompt['callRequired'] {
  const choice = call.body.tool_choice ?? 'auto';
  if (choice === 'none') return null;
  if (choice === 'auto') return 'auto';
  if (choice === 'required') return forcedCall('any', tools, 'tool_choice', call);
  if (isObject(choice) && choice.type === 'function') {
    return forcedCall(objectOrEmpty(choice.function).name, tools, 'tool_choice', call);
  }
  if (isObject(choice) && choice.type === 'allowed_tools') {
    const allowed = objectOrEmpty(choice.allowed_tools);
    if (allowed.mode !== 'required') return 'auto';
    const [first] = isArray(allowed.tools) ? allowed.tools : [];
    const { name } = objectOrEmpty(objectOrEmpty(first).function);
    return forcedCall(name, tools, 'tool_choice', call);
  }
  insist(
    call,
    new Refusal('invalid-value', "'tool_choice' is none that the gateway knows.", 'tool_choice'),
  );
  return null;
}
