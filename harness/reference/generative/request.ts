import { admitModel, insist, outputLimit, requireCapability } from '../admission.ts';
import type { Call } from '../call.ts';
import type { FunctionTool, Prompt, Turn } from '../engine.ts';
import type { FixtureModel } from '../fixture-models.ts';
import { forcedCall, functionTool } from '../function-tools.ts';
import { isArray, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Key } from '../keys.ts';
import { numberAt, objectAt, objectsAt, requiredObjectsAt, stringAt } from '../parameters.ts';
import { quoted, Refusal } from '../refusal.ts';

/** A request to generate, checked. The model comes from the path. */
export function readGenerateRequest(call: Call, key: Key): { prompt: Prompt; stream: boolean } {
  const model = admitModel(call.params.model, call, key);
  const stream = call.gateway.seams.policy.wantsStream(call.body, call);
  if (stream) requireCapability(model, 'stream', call);
  if (stream && call.query.get('alt') !== 'sse') {
    insist(
      call,
      new Refusal(
        'invalid-value',
        "A stream is served as server-sent events: add '?alt=sse'.",
        'alt',
      ),
    );
  }
  const body = camelCased(call.body);
  const config = camelCased(objectAt(body, 'generationConfig', call) ?? {});
  // One candidate is all that these models give; more would be silently missing.
  numberAt(config, 'candidateCount', [1, 1], call);
  const limit = outputLimit(config.maxOutputTokens, 'generationConfig.maxOutputTokens', 1, call);
  return { prompt: readPrompt(model, body, limit, call), stream };
}

/**
 * A request to count: the conversation alone, or a whole request to generate. When both are there, the
 * conversation is ignored.
 */
export function readCountRequest(call: Call, key: Key): Prompt {
  const model = admitModel(call.params.model, call, key);
  requireCapability(model, 'vendorB-count', call);
  const body = camelCased(call.body);
  const whole = objectAt(body, 'generateContentRequest', call);
  if (whole === null) return readPrompt(model, { contents: body.contents }, null, call);
  const named = stringAt(whole, 'model', call, 'generateContentRequest.model');
  if (named !== null && named !== `models/${model.id}`) {
    const param = 'generateContentRequest.model';
    insist(
      call,
      new Refusal('invalid-value', `${quoted(named)} is not the model of the path.`, param),
    );
  }
  return readPrompt(model, camelCased(whole), null, call);
}

function readPrompt(
  model: FixtureModel,
  body: JsonObject,
  limit: number | null,
  call: Call,
): Prompt {
  const turns = [...readSystemInstruction(body, call), ...readContents(body, call)];
  const tools = readTools(body, call);
  if (tools.length > 0) requireCapability(model, 'tools', call, 'tools');
  return { model: model.id, turns, tools, callRequired: readToolConfig(body, tools, call), limit };
}

function readSystemInstruction(body: JsonObject, call: Call): Turn[] {
  const content = objectAt(body, 'systemInstruction', call);
  if (content === null) return [];
  return [{ role: 'system', text: readParts(content, 'systemInstruction', call).text }];
}

function readContents(body: JsonObject, call: Call): Turn[] {
  /** Names of the functions that a `functionResponse` may answer. */
  const called = new Set<string>();
  return requiredObjectsAt(body, 'contents', call).map(({ value: content, path }) => {
    const role = readRole(content, path, call);
    const { text, calls, results } = readParts(content, path, call);
    for (const name of calls) called.add(name);
    for (const name of results) {
      if (called.has(name)) continue;
      insist(
        call,
        new Refusal(
          'unknown-tool-call',
          `A functionResponse has to answer a functionCall: nothing called ${quoted(name)}.`,
          `${path}.parts`,
        ),
      );
    }
    return { role: results.length > 0 ? 'tool' : role, text };
  });
}

function readRole(content: JsonObject, path: string, call: Call): 'user' | 'assistant' {
  const param = `${path}.role`;
  const role = stringAt(content, 'role', call, param) ?? 'user';
  if (role === 'model') return 'assistant';
  if (role !== 'user' && role !== 'function') {
    insist(call, new Refusal('invalid-value', 'Please use a valid role: user, model.', param));
  }
  return 'user';
}

interface Parts {
  readonly text: string;
  /** Names of the functions that its `functionCall` parts call. */
  readonly calls: readonly string[];
  /** Names of the functions that its `functionResponse` parts answer. */
  readonly results: readonly string[];
}

/** What is not text does not count. */
function readParts(content: JsonObject, path: string, call: Call): Parts {
  const param = `${path}.parts`;
  const parts = objectsAt(content, 'parts', call, param);
  if (parts.length === 0) {
    insist(call, new Refusal('invalid-value', `'${param}' must not be empty.`, param));
  }
  const texts: string[] = [];
  const calls: string[] = [];
  const results: string[] = [];
  for (const { value, path: at } of parts) {
    const part = camelCased(value);
    const text = stringAt(part, 'text', call, `${at}.text`);
    if (text !== null) texts.push(text);
    const called = objectAt(part, 'functionCall', call, `${at}.functionCall`);
    if (called !== null) {
      calls.push(String(called.name));
      texts.push(`${called.name} ${JSON.stringify(called.args ?? {})}`);
    }
    const result = objectAt(part, 'functionResponse', call, `${at}.functionResponse`);
    if (result !== null) {
      results.push(String(result.name));
      texts.push(JSON.stringify(result.response ?? {}));
    }
  }
  return { text: texts.join('\n'), calls, results };
}

/** The declared functions of all tools; a tool of the server declares none. */
function readTools(body: JsonObject, call: Call): FunctionTool[] {
  return objectsAt(body, 'tools', call).flatMap(({ value: tool, path }) => {
    const at = `${path}.functionDeclarations`;
    return objectsAt(camelCased(tool), 'functionDeclarations', call, at).flatMap((declared) => {
      const { name, description, parameters, parametersJsonSchema } = camelCased(declared.value);
      const schema = parametersJsonSchema ?? parameters;
      return functionTool({ name, description, parameters: schema }, declared.path, call) ?? [];
    });
  });
}

function readToolConfig(
  body: JsonObject,
  tools: readonly FunctionTool[],
  call: Call,
): Prompt['callRequired'] {
  const toolConfig = camelCased(objectAt(body, 'toolConfig', call) ?? {});
  const config = camelCased(objectOrEmpty(toolConfig.functionCallingConfig));
  if (config.mode !== 'ANY') return null;
  const allowed = isArray(config.allowedFunctionNames) ? config.allowedFunctionNames[0] : undefined;
  const path = 'toolConfig.functionCallingConfig';
  return forcedCall(allowed ?? 'any', tools, path, call);
}

/** The protocol's JSON takes the names of members in both spellings, `maxOutputTokens` and `max_output_tokens`. */
function camelCased(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
