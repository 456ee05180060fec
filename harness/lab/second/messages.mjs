// Messages, and the counting of their tokens.

import { stopsOf } from './chat.mjs';
import { begin, countOnly, joined, needsOf } from './generation.mjs';
import { countInput } from './model.mjs';
import { readTools } from './responses-input.mjs';
import { bad, checkTypes, isObject, newId, openEvents, sendJson } from './wire.mjs';

const types = {
  ...{ messages: 'array', max_tokens: 'integer', stream: 'boolean', tools: 'array' },
  ...{ tool_choice: 'object', thinking: 'object', output_config: 'object', metadata: 'object' },
};
const endings = {
  stop: 'end_turn',
  sequence: 'stop_sequence',
  limit: 'max_tokens',
  calls: 'tool_use',
};
const choices = { auto: 'auto', any: 'required', none: 'none' };

function blocksOf(content, what) {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (!Array.isArray(blocks)) throw bad(`${what}: a text or a list of blocks is required.`);
  return blocks.map(textOf);
}

/** Reads one block: its text, whether it is an image, and whether it is the result of a tool. */
function textOf(block) {
  switch (block?.type) {
    case 'text':
      if (typeof block.text !== 'string') throw bad('A block has no text.');
      return { text: block.text };
    case 'image':
      return { text: '', image: true };
    case 'tool_use':
      return { text: `${block.name} ${JSON.stringify(block.input ?? null)}` };
    case 'tool_result': {
      const inner = block.content === undefined ? [] : blocksOf(block.content, 'tool_result');
      return { text: inner.map(({ text }) => text).join('\n'), result: true };
    }
    case 'thinking':
    case 'redacted_thinking':
      return { text: '' };
    default:
      throw bad('A block cannot be read.');
  }
}

function turnOf(message) {
  const role = isObject(message) ? message.role : undefined;
  if (!['user', 'assistant', 'system'].includes(role)) throw bad('messages: a role is unknown.');
  const blocks = blocksOf(message.content, 'messages');
  return {
    by: blocks.some(({ result }) => result) ? 'tool' : role,
    text: blocks.map(({ text }) => text).join('\n'),
    images: blocks.filter(({ image }) => image).length,
  };
}

function choiceOf({ type, name } = { type: 'auto' }) {
  if (type === 'tool' && typeof name === 'string') return { name };
  if (choices[type] === undefined) throw bad('tool_choice: the type is unknown.');
  return choices[type];
}

function read(body) {
  checkTypes(body, types);
  const { messages, system, thinking, output_config: config } = body;
  if (!Array.isArray(messages) || messages.length === 0) throw bad('messages: Field required');
  const told =
    system == null ? [] : blocksOf(system, 'system').map(({ text }) => ({ by: 'system', text }));
  const schema = config?.format === undefined ? null : config.format?.schema;
  if (schema !== null && !isObject(schema)) throw bad('output_config: the schema cannot be read.');
  return {
    ...readTools(
      body.tools,
      choiceOf(body.tool_choice ?? undefined),
      ({ name, description, input_schema: parameters }) => ({ name, description, parameters }),
    ),
    ...{ turns: [...told, ...messages.map(turnOf)], limit: body.max_tokens, schema, likely: null },
    stops: stopsOf(body.stop_sequences, 'stop_sequences'),
    parallel: body.tool_choice?.disable_parallel_tool_use !== true,
    thinks: thinking?.type === 'enabled' || thinking?.type === 'adaptive',
  };
}

export async function createMessage({ world, http, response, body, admit, key }) {
  const model = admit(key, body.model, 'vendorA-messages');
  if (body.max_tokens == null) throw bad('max_tokens: Field required');
  const request = read(body);
  if (request.limit < 1) throw bad('max_tokens: has to be 1 at least');
  const budget = body.thinking?.budget_tokens;
  if (
    budget !== undefined &&
    (!Number.isInteger(budget) || budget < 1024 || budget >= request.limit)
  ) {
    throw bad('thinking.budget_tokens: has to be 1024 at least, and below max_tokens');
  }
  for (const capability of needsOf(request, body.stream === true)) model.needs(capability);
  const started = begin({ world, http, response, model, prefix: 'msg' }, request);
  const [{ items, ending, stop }] = started.candidates;
  const { input, output } = started.usage;
  const message = {
    ...{ id: started.id, type: 'message', role: 'assistant', model: model.id },
    ...{ content: [], stop_reason: null, stop_sequence: null },
    usage: {
      ...{ input_tokens: input, output_tokens: 0 },
      ...{ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    },
  };
  const ended = { stop_reason: endings[ending], stop_sequence: stop };
  if (body.stream === true) return stream(world, response, message, ended, started);
  if (!(await started.write())) return;
  sendJson(response, 200, {
    ...{ ...message, ...ended, content: items.map(blockOf) },
    usage: { ...message.usage, output_tokens: output },
  });
}

const signature = (item) => Buffer.from(`signed ${joined(item)}`).toString('base64');

function blockOf(item) {
  const text = joined(item);
  if (item.kind === 'thought')
    return { type: 'thinking', thinking: text, signature: signature(item) };
  if (item.kind === 'text') return { type: 'text', text };
  const input = wholeJson(text);
  return { type: 'tool_use', id: newId('toolu'), name: item.name, input };
}

/** A call that its limit cut has no whole arguments. */
function wholeJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const opened = {
  thought: () => ({ type: 'thinking', thinking: '', signature: '' }),
  text: () => ({ type: 'text', text: '' }),
  call: ({ name }) => ({ type: 'tool_use', id: newId('toolu'), name, input: {} }),
};
const deltas = {
  thought: (token) => ({ type: 'thinking_delta', thinking: token }),
  text: (token) => ({ type: 'text_delta', text: token }),
  call: (token) => ({ type: 'input_json_delta', partial_json: token }),
};

async function stream(world, response, message, ended, { usage, write }) {
  const events = openEvents(response);
  const tell = (type, members) => events.named(type, { type, ...members });
  tell('message_start', { message });
  tell('ping', {});
  const isWhole = await write(({ item, index: place, token, isFirst, isLast }) => {
    const index = world.faulty('blocks-by-kind') ? 0 : place;
    if (isFirst) tell('content_block_start', { index, content_block: opened[item.kind](item) });
    if (token !== '') tell('content_block_delta', { index, delta: deltas[item.kind](token) });
    if (!isLast) return;
    if (item.kind === 'thought') {
      tell('content_block_delta', {
        index,
        delta: { type: 'signature_delta', signature: signature(item) },
      });
    }
    tell('content_block_stop', { index });
  });
  if (!isWhole) return;
  tell('message_delta', { delta: ended, usage: { ...message.usage, output_tokens: usage.output } });
  tell('message_stop', {});
  events.end();
}

export function countMessage({ world, http, response, body, admit, key }) {
  const model = admit(key, body.model, 'vendorA-messages');
  model.needs('count_tokens');
  const input = countInput(read(body));
  countOnly({ world, http, model }, input);
  sendJson(response, 200, { input_tokens: input });
}
