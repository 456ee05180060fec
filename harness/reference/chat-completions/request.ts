import { admitModel, insist, outputLimit, requireCapability } from '../admission.ts';
import type { Call } from '../call.ts';
import type { FunctionTool, Prompt, Turn } from '../engine.ts';
import { forcedCall, functionTool } from '../function-tools.ts';
import { isArray, isObject, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Key } from '../keys.ts';
import {
  booleanAt,
  numberAt,
  objectAt,
  objectsAt,
  requiredObjectsAt,
  stringAt,
} from '../parameters.ts';
import { Refusal } from '../refusal.ts';

/** A request for a completion, checked. */
export interface CompletionRequest {
  readonly prompt: Prompt;
  readonly stream: boolean;
  /** One more chunk with the usage, before the stream ends. */
  readonly includeUsage: boolean;
}

/** Roles of the protocol, and what they are to the model. */
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
  // One answer is all that these models give; more would be silently missing.
  numberAt(body, 'n', [1, 1], call);
  const newName = body.max_completion_tokens ?? null;
  const limit =
    newName === null
      ? outputLimit(body.max_tokens, 'max_tokens', 1, call)
      : outputLimit(newName, 'max_completion_tokens', 1, call);
  const turns = readMessages(call);
  const tools = readTools(call);
  if (tools.length > 0) requireCapability(model, 'tools', call, 'tools');
  return {
    prompt: { model: model.id, turns, tools, callRequired: readToolChoice(tools, call), limit },
    stream,
    includeUsage: stream && options.include_usage === true,
  };
}

function readMessages(call: Call): Turn[] {
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
    const text = readContent(message, path, mayBeEmpty, call);
    const callTexts = calls.map(({ value }) => {
      const called = objectOrEmpty(value.function);
      return ` ${called.name} ${called.arguments}`;
    });
    return { role: role ?? 'user', text: text + callTexts.join('') };
  });
}

/** A string, or a list of parts; what is not text does not count. */
function readContent(message: JsonObject, path: string, mayBeEmpty: boolean, call: Call): string {
  const { content } = message;
  const param = `${path}.content`;
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) {
    if (mayBeEmpty) return '';
    insist(
      call,
      new Refusal('missing-parameter', `Missing required parameter: '${param}'.`, param),
    );
    return '';
  }
  return objectsAt(message, 'content', call, param)
    .map(({ value: part, path: at }) => {
      if (part.type === 'text') return stringAt(part, 'text', call, `${at}.text`) ?? '';
      if (typeof part.type === 'string') return '';
      insist(call, new Refusal('wrong-type', `'${at}.type' has to be a string.`, `${at}.type`));
      return '';
    })
    .join('\n');
}

/** Only functions: what another type of tool would do is not known here. */
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
  if (choice === 'auto' || choice === 'none') return null;
  if (choice === 'required') return forcedCall('any', tools, 'tool_choice', call);
  if (isObject(choice) && choice.type === 'function') {
    return forcedCall(objectOrEmpty(choice.function).name, tools, 'tool_choice', call);
  }
  if (isObject(choice) && choice.type === 'allowed_tools') {
    const allowed = objectOrEmpty(choice.allowed_tools);
    if (allowed.mode !== 'required') return null;
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
