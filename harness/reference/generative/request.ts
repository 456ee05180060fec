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
import { isArray, type JsonObject, objectOrEmpty } from '../json.ts';
import type { Key } from '../keys.ts';
import { anyObject, outputSchema } from '../output-schema.ts';
import {
  booleanAt,
  integerAt,
  objectAt,
  objectsAt,
  requiredObjectsAt,
  stringAt,
  stringsAt,
} from '../parameters.ts';
import { quoted, Refusal } from '../refusal.ts';

/** Reads and validates a request to generate. The path contains the model. */
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
  const limit = outputLimit(config.maxOutputTokens, 'generationConfig.maxOutputTokens', 1, call);
  const asked = readAsked(config, model, call);
  return { prompt: readPrompt(model, body, limit, asked, call), stream };
}

/**
 * Reads a request to count: a conversation, or a whole request to generate. If both are present, the conversation
 * is ignored.
 */
export function readCountRequest(call: Call, key: Key): Prompt {
  const model = admitModel(call.params.model, call, key);
  requireCapability(model, 'vendorB-count', call);
  const body = camelCased(call.body);
  const whole = objectAt(body, 'generateContentRequest', call);
  if (whole === null) {
    return readPrompt(model, { contents: body.contents }, null, nothingAsked, call);
  }
  const named = stringAt(whole, 'model', call, 'generateContentRequest.model');
  if (named !== null && named !== `models/${model.id}`) {
    const param = 'generateContentRequest.model';
    insist(
      call,
      new Refusal('invalid-value', `${quoted(named)} is not the model of the path.`, param),
    );
  }
  return readPrompt(model, camelCased(whole), null, nothingAsked, call);
}

function readPrompt(
  model: FixtureModel,
  body: JsonObject,
  limit: number | null,
  asked: Asked,
  call: Call,
): Prompt {
  const turns = [...readSystemInstruction(body, model, call), ...readContents(body, model, call)];
  const declared = readTools(body, call);
  const callRequired = readToolConfig(body, declared, call);
  const tools = admitAsked('tools', declared, 'tools', model, call) ?? [];
  return { model: model.id, turns, tools, callRequired, limit, asked };
}

function readAsked(config: JsonObject, model: FixtureModel, call: Call): Asked {
  const at = (name: string): string => `generationConfig.${name}`;
  const stop = stringsAt(config, 'stopSequences', 5, call, at('stopSequences'));
  const count = integerAt(config, 'candidateCount', [1, 8], call) ?? 1;
  const more = count === 1 ? null : count;
  const logprobs = readLogprobs(config, call);
  return {
    ...nothingAsked,
    stop: admitAsked('stop', stop, at('stopSequences'), model, call) ?? [],
    schema: readFormat(config, model, call),
    logprobs: admitAsked('logprobs', logprobs, at('responseLogprobs'), model, call),
    candidates: admitAsked('candidates', more, at('candidateCount'), model, call) ?? 1,
    thinks: admitThinking(readThinks(config, call), at('thinkingConfig'), model, call),
  };
}

/** Reads the thinking mode. A budget of 0 means none; -1 leaves the decision to the model. */
function readThinks(config: JsonObject, call: Call): Asked['thinks'] {
  const path = 'generationConfig.thinkingConfig';
  const thinking = objectAt(config, 'thinkingConfig', call, path);
  if (thinking === null) return null;
  const { thinkingBudget, ...how } = camelCased(thinking);
  if (thinkingBudget === 0) return null;
  return booleanAt(how, 'includeThoughts', call) === true ? 'shown' : 'hidden';
}

function readFormat(config: JsonObject, model: FixtureModel, call: Call): JsonObject | null {
  const path = 'generationConfig.responseMimeType';
  const type = stringAt(config, 'responseMimeType', call, path) ?? 'text/plain';
  const name = config.responseJsonSchema === undefined ? 'responseSchema' : 'responseJsonSchema';
  const schema = config[name] ?? null;
  if (type === 'text/plain') {
    if (schema === null) return null;
    const message = `'generationConfig.${name}' needs 'responseMimeType' to be application/json.`;
    insist(call, new Refusal('invalid-value', message, `generationConfig.${name}`));
  } else if (type !== 'application/json') {
    const message = `'${path}' has to be text/plain or application/json, not ${quoted(type)}.`;
    insist(call, new Refusal('invalid-value', message, path));
  }
  const asked = admitAsked('structured_output', schema ?? anyObject, path, model, call);
  return asked === null ? null : outputSchema(asked, `generationConfig.${name}`, call);
}

function readLogprobs(config: JsonObject, call: Call): number | null {
  const top = integerAt(config, 'logprobs', [0, 20], call);
  if (booleanAt(config, 'responseLogprobs', call) === true) return top ?? 0;
  if (top !== null) {
    const message = "'generationConfig.logprobs' needs 'responseLogprobs' to be true.";
    insist(call, new Refusal('invalid-value', message, 'generationConfig.logprobs'));
  }
  return null;
}

function readSystemInstruction(body: JsonObject, model: FixtureModel, call: Call): Turn[] {
  const content = objectAt(body, 'systemInstruction', call);
  if (content === null) return [];
  return [{ role: 'system', text: readParts(content, 'systemInstruction', model, call).text }];
}

function readContents(body: JsonObject, model: FixtureModel, call: Call): Turn[] {
  /** Names of the functions that a `functionResponse` may answer. */
  const called = new Set<string>();
  return requiredObjectsAt(body, 'contents', call).map(({ value: content, path }) => {
    const role = readRole(content, path, call);
    const { text, images, calls, results } = readParts(content, path, model, call);
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
    return { role: results.length > 0 ? 'tool' : role, text, images };
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
  readonly images: number;
  /** Functions that its `functionCall` parts call. */
  readonly calls: readonly string[];
  /** Functions that its `functionResponse` parts answer. */
  readonly results: readonly string[];
}

/** Reads the parts of a content. Parts other than texts, images, calls and results are ignored. */
function readParts(content: JsonObject, path: string, model: FixtureModel, call: Call): Parts {
  const param = `${path}.parts`;
  const parts = objectsAt(content, 'parts', call, param);
  if (parts.length === 0) {
    insist(call, new Refusal('invalid-value', `'${param}' must not be empty.`, param));
  }
  const texts: string[] = [];
  const calls: string[] = [];
  const results: string[] = [];
  let images = 0;
  for (const { value, path: at } of parts) {
    const part = camelCased(value);
    const text = stringAt(part, 'text', call, `${at}.text`);
    if (text !== null) texts.push(text);
    const data = part.inlineData === undefined ? 'fileData' : 'inlineData';
    const image = objectAt(part, data, call, `${at}.${data}`);
    if (admitAsked('images', image, `${at}.${data}`, model, call) !== null) images++;
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
  return { text: texts.join('\n'), images, calls, results };
}

/** Reads the declared functions of all tools; a server tool declares none. */
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
  if (config.mode === 'NONE') return null;
  if (config.mode !== 'ANY') return 'auto';
  const allowed = isArray(config.allowedFunctionNames) ? config.allowedFunctionNames[0] : undefined;
  const path = 'toolConfig.functionCallingConfig';
  return forcedCall(allowed ?? 'any', tools, path, call);
}

/**
 * Converts member names to camel case. The protocol's JSON accepts both spellings, `maxOutputTokens` and
 * `max_output_tokens`.
 */
function camelCased(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
