// Chat Completions.

import { begin, joined, needsOf } from './generation.mjs';
import { logprobOf } from './model.mjs';
import { readTools } from './responses-input.mjs';
import { bad, checkTypes, isObject, newId, openEvents, seconds, sendJson } from './wire.mjs';

const types = {
  ...{ messages: 'array', max_completion_tokens: 'integer', max_tokens: 'integer', n: 'integer' },
  ...{ stream: 'boolean', stream_options: 'object', tools: 'array', response_format: 'object' },
  ...{ logprobs: 'boolean', top_logprobs: 'integer', parallel_tool_calls: 'boolean' },
  ...{ reasoning_effort: 'string', temperature: 'number', top_p: 'number', seed: 'integer' },
};
const roles = {
  ...{ system: 'system', developer: 'system', user: 'user' },
  ...{ assistant: 'assistant', tool: 'tool' },
};
const endings = { stop: 'stop', sequence: 'stop', limit: 'length', calls: 'tool_calls' };

function turnOf(message) {
  const by = isObject(message) ? roles[message.role] : undefined;
  if (by === undefined) throw bad('A message cannot be read.', { param: 'messages' });
  const { content, tool_calls: calls } = message;
  if (calls != null && !Array.isArray(calls))
    throw bad('The calls are no list.', { param: 'messages' });
  const said = (calls ?? []).map((call) => JSON.stringify(call?.function ?? null));
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  if (!Array.isArray(parts) || (content == null && said.length === 0)) {
    throw bad('A message has no content.', { param: 'messages' });
  }
  const texts = parts.map((part) => {
    if (part?.type === 'image_url') return '';
    if (typeof part?.text !== 'string') throw bad('A part cannot be read.', { param: 'messages' });
    return part.text;
  });
  const images = parts.filter(({ type }) => type === 'image_url').length;
  return { by, text: [...texts, ...said].join('\n'), images };
}

function choiceOf(choice) {
  if (isObject(choice)) return { name: choice.function?.name ?? '' };
  const known = [undefined, null, 'auto', 'none', 'required'];
  if (!known.includes(choice)) throw bad('The tool choice is unknown.', { param: 'tool_choice' });
  return choice ?? 'auto';
}

export function stopsOf(value, name) {
  const stops = typeof value === 'string' ? [value] : (value ?? []);
  if (!Array.isArray(stops) || stops.some((stop) => typeof stop !== 'string')) {
    throw bad(`'${name}' has to be a list of texts.`, { param: name });
  }
  return stops;
}

function read(body) {
  checkTypes(body, types);
  const { messages, n = 1, response_format: format } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw bad("'messages' is required.", { code: 'missing_required_parameter', param: 'messages' });
  }
  const limit = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  if (limit !== undefined && limit < 1)
    throw bad('The limit has to be 1 at least.', { param: 'max_completion_tokens' });
  if (n !== null && (n < 1 || n > 8)) throw bad("'n' has to be between 1 and 8.", { param: 'n' });
  const schema = format?.type === 'json_schema' ? format.json_schema?.schema : null;
  if (schema !== null && !isObject(schema))
    throw bad('The schema cannot be read.', { param: 'response_format' });
  return {
    ...readTools(body.tools, choiceOf(body.tool_choice), ({ type, function: one }) =>
      type === 'function' && isObject(one) ? one : undefined,
    ),
    ...{ turns: messages.map(turnOf), limit, schema, candidates: n ?? 1 },
    stops: stopsOf(body.stop, 'stop'),
    likely: body.logprobs === true ? (body.top_logprobs ?? 0) : null,
    parallel: body.parallel_tool_calls !== false,
    thinks: body.reasoning_effort != null && body.reasoning_effort !== 'none',
  };
}

function usageOf({ input, output, thoughts }) {
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: thoughts },
  };
}

function logprobsOf(tokens, likely) {
  return likely === null
    ? null
    : { content: tokens.map((token) => logprobOf(token, likely)), refusal: null };
}

export async function createChat({ world, http, response, body, admit, key }) {
  const model = admit(key, body.model, 'chat');
  const request = read(body);
  for (const capability of needsOf(request, body.stream === true)) model.needs(capability);
  const started = begin({ world, http, response, model, prefix: 'chatcmpl' }, request);
  const common = { id: started.id, created: seconds(), model: model.id };
  if (body.stream === true) return stream(world, response, body, request, started, common);
  if (!(await started.write())) return;
  sendJson(response, 200, {
    ...{ ...common, object: 'chat.completion' },
    choices: started.candidates.map(({ items, ending }, index) => {
      const texts = items.filter(({ kind }) => kind === 'text');
      const calls = items.filter(({ kind }) => kind === 'call');
      const message = {
        ...{
          role: 'assistant',
          content: texts.length === 0 && calls.length > 0 ? null : texts.map(joined).join(''),
        },
        refusal: null,
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
      };
      const logprobs = logprobsOf(
        texts.flatMap(({ tokens }) => tokens),
        request.likely,
      );
      return { index, message, logprobs, finish_reason: endings[ending] };
    }),
    usage: usageOf(started.usage),
  });
}

function callOf(item) {
  return {
    ...{ id: newId('call'), type: 'function' },
    function: { name: item.name, arguments: joined(item) },
  };
}

async function stream(world, response, body, { likely }, { candidates, usage, write }, common) {
  const events = openEvents(response);
  const asksForUsage = body.stream_options?.include_usage === true;
  const tell = (choices, more = asksForUsage ? { usage: null } : {}) =>
    events.data({ ...common, object: 'chat.completion.chunk', choices, ...more });
  const choice = (index, delta, ending = null, logprobs = null) => ({
    ...{ index, delta, logprobs, finish_reason: ending },
  });
  candidates.forEach((_, index) => {
    tell([choice(index, { role: 'assistant', content: '' })]);
  });
  const isWhole = await write(({ candidate, item, index, token, isFirst }) => {
    if (item.kind === 'text' && token !== '') {
      tell([choice(candidate, { content: token }, null, logprobsOf([token], likely))]);
    } else if (item.kind === 'call') {
      const at = candidates[candidate].items
        .slice(0, index)
        .filter(({ kind }) => kind === 'call').length;
      const opened = isFirst
        ? { id: newId('call'), type: 'function', function: { name: item.name, arguments: token } }
        : { function: { arguments: token } };
      tell([
        choice(candidate, {
          tool_calls: [{ index: world.faulty('calls-at-one-index') ? 0 : at, ...opened }],
        }),
      ]);
    }
  });
  if (!isWhole) return;
  candidates.forEach(({ ending }, index) => {
    tell([choice(index, {}, endings[ending])]);
  });
  if (asksForUsage) tell([], { usage: usageOf(usage) });
  events.data('[DONE]');
  events.end();
}
