// Generative-content: generation, streams, counts, and the catalog.

import { stopsOf } from './chat.mjs';
import { begin, countOnly, joined, needsOf } from './generation.mjs';
import { countInput } from './model.mjs';
import { readTools } from './responses-input.mjs';
import { bad, checkTypes, isObject, openEvents, Refusal, sendJson } from './wire.mjs';

const endings = { stop: 'STOP', sequence: 'STOP', limit: 'MAX_TOKENS', calls: 'STOP' };
const choices = { AUTO: 'auto', ANY: 'required', NONE: 'none', VALIDATED: 'auto' };
const configTypes = {
  ...{ maxOutputTokens: 'integer', candidateCount: 'integer', stopSequences: 'array' },
  ...{ responseMimeType: 'string', responseSchema: 'object', responseLogprobs: 'boolean' },
  ...{ logprobs: 'integer', thinkingConfig: 'object', temperature: 'number', topP: 'number' },
};

// Names in these members are those of the user.
const opaque = new Set(['args', 'response', 'parameters', 'responseSchema']);

const deepest = 100;

/** Turns snake_case names of members into those of JSON: the protocol takes both. */
function inCamelCase(value, depth = 0) {
  if (depth > deepest) throw bad('The body is nested too deeply.');
  if (Array.isArray(value)) return value.map((inner) => inCamelCase(inner, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
      return [camel, opaque.has(camel) ? inner : inCamelCase(inner, depth + 1)];
    }),
  );
}

function turnOf(content) {
  const parts = isObject(content) ? content.parts : undefined;
  if (!Array.isArray(parts)) throw bad('contents: a content has no parts.');
  const read = parts.map((part) => {
    if (typeof part?.text === 'string') return { text: part.text };
    if (isObject(part?.inlineData)) return { text: '', image: true };
    if (isObject(part?.functionCall)) return { text: JSON.stringify(part.functionCall) };
    if (isObject(part?.functionResponse)) {
      return { text: JSON.stringify(part.functionResponse.response ?? null), result: true };
    }
    throw bad('contents: a part cannot be read.');
  });
  const by = { user: 'user', model: 'assistant', function: 'tool' }[content.role ?? 'user'];
  if (by === undefined) throw bad('contents: a role is unknown.');
  return {
    by: read.some(({ result }) => result) ? 'tool' : by,
    text: read.map(({ text }) => text).join('\n'),
    images: read.filter(({ image }) => image).length,
  };
}

function read(raw) {
  const body = inCamelCase(raw);
  checkTypes(body, {
    contents: 'array',
    generationConfig: 'object',
    systemInstruction: 'object',
    tools: 'array',
    toolConfig: 'object',
  });
  const { contents, systemInstruction: told, generationConfig: config = {}, toolConfig } = body;
  if (!Array.isArray(contents) || contents.length === 0) throw bad('contents: is required.');
  const { maxOutputTokens: limit, candidateCount = 1, thinkingConfig } = config ?? {};
  checkTypes(config ?? {}, configTypes);
  if (limit != null && limit < 1) throw bad('maxOutputTokens: has to be positive.');
  if (candidateCount < 1 || candidateCount > 8) throw bad('candidateCount: has to be 1 to 8.');
  const calling = toolConfig?.functionCallingConfig ?? {};
  const choice = choices[calling.mode ?? 'AUTO'];
  if (choice === undefined) throw bad('toolConfig: the mode is unknown.');
  const [only, ...others] = calling.allowedFunctionNames ?? [];
  const declared = (body.tools ?? []).flatMap((tool) => tool?.functionDeclarations ?? [null]);
  const turns = contents.map(turnOf);
  return {
    ...readTools(
      declared,
      choice === 'required' && only !== undefined && others.length === 0 ? { name: only } : choice,
      (one) => one,
    ),
    turns:
      told == null ? turns : [{ ...turnOf({ ...told, role: 'user' }), by: 'system' }, ...turns],
    ...{ limit: limit ?? undefined, candidates: candidateCount ?? 1, parallel: true },
    schema: config?.responseSchema ?? null,
    stops: stopsOf(config?.stopSequences, 'stopSequences'),
    likely: config?.responseLogprobs === true ? (config.logprobs ?? 0) : null,
    thinks: thinkingConfig?.includeThoughts === true,
  };
}

function usageOf({ input, output, thoughts }) {
  return {
    ...{ promptTokenCount: input, candidatesTokenCount: output - thoughts },
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    totalTokenCount: input + output,
  };
}

function partOf(item, faulty) {
  if (item.kind === 'text' || (item.kind === 'thought' && faulty('thoughts-as-text')))
    return { text: joined(item) };
  if (item.kind === 'thought') return { text: joined(item), thought: true };
  return { functionCall: { name: item.name, args: JSON.parse(joined(item)) } };
}

function isWholeCall({ kind, tokens }) {
  return kind !== 'call' || tokens.at(-1)?.endsWith('}');
}

function logprobsOf(tokens, likely) {
  if (likely === null) return {};
  const one = (token, n = 0) => ({
    token: n === 0 ? token : `${token}${n}`,
    tokenId: n + 1,
    logProbability: -0.1 - n,
  });
  return {
    avgLogprobs: -0.1,
    logprobsResult: {
      chosenCandidates: tokens.map((token) => one(token)),
      topCandidates: tokens.map((token) => ({
        candidates: Array.from({ length: likely }, (_, n) => one(token, n)),
      })),
    },
  };
}

const actions = {
  generateContent: { handle: generate },
  streamGenerateContent: { handle: stream },
  countTokens: { handle: countTokens },
};

/** Serves `<MODEL_ID>:<ACTION>`, of a path under `/v1beta/models` or `/v1/models`. */
export async function act(context, segment) {
  const at = context.world.faulty('first-colon')
    ? decoded(segment).indexOf(':')
    : segment.lastIndexOf(':');
  const action = Object.hasOwn(actions, segment.slice(at + 1))
    ? actions[segment.slice(at + 1)]
    : null;
  if (at < 0 || action === null) throw new Refusal(404, 'There is no such action.');
  const id = decoded(segment.slice(0, at));
  await action.handle(context, context.admit(context.key, id, 'vendorB'));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw bad('The path is not encoded well.');
  }
}

function started({ world, http, response, body }, model, streamed) {
  const request = read(body);
  for (const capability of needsOf(request, streamed)) model.needs(capability);
  return { request, ...begin({ world, http, response, model, prefix: 'gen' }, request) };
}

async function generate(context, model) {
  const { id, candidates, usage, request, write } = started(context, model, false);
  if (!(await write())) return;
  sendJson(context.response, 200, {
    candidates: candidates.map(({ items, ending }, index) => {
      const tokens = items.filter(({ kind }) => kind === 'text').flatMap((item) => item.tokens);
      return {
        content: {
          role: 'model',
          parts: items.filter(isWholeCall).map((item) => partOf(item, context.world.faulty)),
        },
        ...{ finishReason: endings[ending], index, ...logprobsOf(tokens, request.likely) },
      };
    }),
    ...{ usageMetadata: usageOf(usage), modelVersion: model.id, responseId: id },
  });
}

async function stream(context, model) {
  const { response, query } = context;
  const { id, candidates, usage, request, write } = started(context, model, true);
  const common = { modelVersion: model.id, responseId: id };
  const asEvents = query.get('alt') === 'sse';
  const events = asEvents ? openEvents(response) : openArray(response);
  const isWhole = await write(({ candidate, item, index, token, isLast }) => {
    const { items, ending } = candidates[candidate];
    const ends = isLast && index === items.length - 1;
    if (item.kind === 'call' && !isLast) return;
    const part =
      item.kind === 'call'
        ? isWholeCall(item)
          ? partOf(item, context.world.faulty)
          : null
        : partOf({ ...item, tokens: [token] }, context.world.faulty);
    const logprobs =
      item.kind === 'text' && token !== '' ? logprobsOf([token], request.likely) : {};
    events.data({
      candidates: [
        {
          content: { role: 'model', parts: part === null ? [] : [part] },
          ...(ends ? { finishReason: endings[ending] } : {}),
          ...{ index: candidate, ...logprobs },
        },
      ],
      ...(ends && candidate === candidates.length - 1 ? { usageMetadata: usageOf(usage) } : {}),
      ...common,
    });
  });
  if (isWhole) events.end();
}

/** Without `alt=sse`, a stream is one JSON array that grows. */
function openArray(response) {
  response.writeHead(200, { 'content-type': 'application/json' });
  let before = '[';
  return {
    data(value) {
      response.write(before + JSON.stringify(value));
      before = ',\n';
    },
    end: () => response.end(']'),
  };
}

function countTokens({ world, http, response, body }, model) {
  model.needs('vendorB-count');
  const counted = body.generateContentRequest ?? body.generate_content_request ?? body;
  if (!isObject(counted)) throw bad('generateContentRequest: cannot be read.');
  const totalTokens = countInput(read(counted));
  countOnly({ world, http, model }, totalTokens);
  sendJson(response, 200, { totalTokens });
}

const methods = { 'vendorB-count': 'countTokens', stream: 'streamGenerateContent' };

export function catalog({ world, response, key, query }) {
  const size = query.get('pageSize') ?? '50';
  const token = query.get('pageToken');
  const [number = '0', role] =
    token === null ? [] : Buffer.from(token, 'base64url').toString().split(' ');
  const of = world.faulty('page-token-carries-role') && role !== undefined ? { role } : key;
  const all = world.modelsFor(of).filter(({ protocols }) => protocols.includes('vendorB'));
  if (!/^\d{1,9}$/.test(size)) throw bad('pageSize: has to be a number.');
  const from = Number(number);
  if (!Number.isInteger(from) || from < 0) throw bad('pageToken: is not one of ours.');
  const page = all.slice(from, from + (Math.min(Number(size), 1000) || 50));
  const next = from + page.length;
  sendJson(response, 200, {
    models: page.map(({ id, supports }) => ({
      ...{ name: `models/${id}`, displayName: id, version: '1' },
      supportedGenerationMethods: [
        'generateContent',
        ...supports.flatMap((one) => methods[one] ?? []),
      ],
    })),
    ...(next < all.length
      ? { nextPageToken: Buffer.from(`${next} ${of.role}`).toString('base64url') }
      : {}),
  });
}
