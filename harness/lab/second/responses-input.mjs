// Reads the body of a Responses request: its items, its turns, and what else it asks of the model.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { bad, checkTypes, isObject, newId } from './wire.mjs';

const types = {
  ...{ instructions: 'string', store: 'boolean', stream: 'boolean', background: 'boolean' },
  ...{ previous_response_id: 'string', max_output_tokens: 'integer', tools: 'array' },
  ...{ text: 'object', reasoning: 'object', include: 'array', metadata: 'object' },
  ...{ top_logprobs: 'integer', temperature: 'number', top_p: 'number' },
  ...{ parallel_tool_calls: 'boolean', prompt_cache_key: 'string' },
};

const roles = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' };

// Compacted turns travel with the client, so they are sealed.
const sealKey = randomBytes(32);

export function seal(value) {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64');
}

function unseal(text) {
  try {
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const data = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    return JSON.parse(data.toString('utf8'));
  } catch {
    throw bad('The compaction item is not ours.', { param: 'input' });
  }
}

const partReaders = {
  input_text: ({ text }) => ({ text }),
  output_text: ({ text }) => ({ text }),
  refusal: ({ refusal }) => ({ text: refusal }),
  input_image: () => ({ text: '', images: 1 }),
};

function messageOf(item) {
  const by = roles[item.role];
  if (by === undefined) throw bad('A message has an unknown role.', { param: 'input' });
  const content =
    typeof item.content === 'string'
      ? [{ type: by === 'assistant' ? 'output_text' : 'input_text', text: item.content }]
      : item.content;
  if (!Array.isArray(content)) throw bad('A message has no content.', { param: 'input' });
  const parts = content.map((part) => {
    const read = isObject(part) ? partReaders[part.type]?.(part) : undefined;
    if (typeof read?.text !== 'string')
      throw bad('A content part cannot be read.', { param: 'input' });
    return read;
  });
  const turn = {
    by,
    text: parts.map(({ text }) => text).join('\n'),
    images: parts.filter(({ images }) => images === 1).length,
  };
  const kept = { id: newId('msg'), type: 'message', role: item.role, status: 'completed', content };
  return { items: [kept], turns: [turn] };
}

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

const itemReaders = {
  message: messageOf,
  function_call(item, { calls }) {
    if (typeof item.call_id !== 'string') throw bad('A call has no id.', { param: 'input' });
    calls.add(item.call_id);
    const turn = { by: 'assistant', text: `${item.name} ${textOf(item.arguments)}` };
    return { items: [{ ...item, id: newId('fc') }], turns: [turn] };
  },
  function_call_output(item, { calls }) {
    if (!calls.has(item.call_id)) {
      throw bad(
        `No tool call found for function call output with call_id ${textOf(item.call_id)}.`,
        { param: 'input' },
      );
    }
    const turn = { by: 'tool', text: textOf(item.output) };
    return { items: [{ ...item, id: newId('fco') }], turns: [turn] };
  },
  reasoning: (item) => ({ items: [{ ...item, id: newId('rs') }], turns: [] }),
  compaction: (item) => ({
    items: [{ ...item, id: newId('cmp') }],
    turns: unseal(textOf(item.encrypted_content)),
  }),
  item_reference(item, { find }) {
    const found = find(item.id);
    if (found === null)
      throw bad(`Item with id '${textOf(item.id)}' not found.`, { param: 'input' });
    return { items: [found], turns: [turnOf(found)] };
  },
};

/** Returns the turn of a stored item. */
export function turnOf(item) {
  if (item.type === 'function_call') {
    return { by: 'assistant', text: `${item.name} ${item.arguments}` };
  }
  if (item.type === 'function_call_output') return { by: 'tool', text: textOf(item.output) };
  const parts = item.content ?? item.summary ?? [];
  const images = parts.filter(({ type }) => type === 'input_image').length;
  const text = parts.map((part) => part.text ?? part.refusal ?? '').join('\n');
  return { by: roles[item.role] ?? 'assistant', text, images };
}

/**
 * @param context the calls that the history holds, and how an item is found by its id
 * @returns the items of the input with ids of their own, and their turns
 */
export function readInput(input, context) {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []);
  if (!Array.isArray(items)) throw bad("'input' has to be a text or a list.", { param: 'input' });
  const read = items.map((item) => {
    const reader = isObject(item) ? itemReaders[item.type ?? 'message'] : undefined;
    if (reader === undefined) throw bad('An item of the input cannot be read.', { param: 'input' });
    return reader(item, context);
  });
  return {
    items: read.flatMap((one) => one.items),
    turns: read.flatMap((one) => one.turns),
  };
}

/** Reads the tools of a body: `tools` as a list of functions, and the choice among them. */
export function readTools(tools, choice, functionOf) {
  const read = (tools ?? []).map((tool) => {
    const found = isObject(tool) ? functionOf(tool) : undefined;
    if (typeof found?.name !== 'string')
      throw bad('Only functions are tools here.', { param: 'tools' });
    return { name: found.name, description: found.description, parameters: found.parameters };
  });
  if (choice?.name !== undefined && !read.some(({ name }) => name === choice.name)) {
    throw bad('The tool choice names no tool.', { param: 'tool_choice' });
  }
  return { tools: read, choice };
}

function choiceOf(choice) {
  if (isObject(choice)) {
    if (typeof choice.name === 'string') return { name: choice.name };
    throw bad('The tool choice names no tool.', { param: 'tool_choice' });
  }
  const known = [undefined, null, 'auto', 'none', 'required'];
  if (!known.includes(choice)) throw bad('The tool choice is unknown.', { param: 'tool_choice' });
  return choice ?? 'auto';
}

/** Reads all of a body but its turns, as a neutral request. */
export function readAsked(body) {
  checkTypes(body, types);
  const { max_output_tokens: limit, text, include = [], top_logprobs: likely } = body;
  if (limit != null && limit < 16) {
    throw bad("'max_output_tokens' has to be 16 at least.", {
      code: 'integer_below_min_value',
      param: 'max_output_tokens',
    });
  }
  const format = text?.format ?? { type: 'text' };
  const schema = format.type === 'json_schema' ? format.schema : null;
  if (!isObject(format) || (schema !== null && !isObject(schema))) {
    throw bad('The format of the text cannot be read.', { param: 'text' });
  }
  const asksForLogprobs = (include ?? []).includes('message.output_text.logprobs');
  return {
    ...readTools(body.tools, choiceOf(body.tool_choice), (tool) =>
      tool.type === 'function' ? tool : undefined,
    ),
    ...{ limit: limit ?? undefined, schema, likely: asksForLogprobs ? (likely ?? 0) : null },
    parallel: body.parallel_tool_calls !== false,
    thinks: body.reasoning?.effort != null && body.reasoning.effort !== 'none',
  };
}

/** Returns the members of a response that repeat its request. */
export function echoOf(body) {
  return {
    ...{
      model: body.model,
      instructions: body.instructions ?? null,
      metadata: body.metadata ?? {},
    },
    ...{ max_output_tokens: body.max_output_tokens ?? null, store: body.store !== false },
    ...{ background: body.background === true, tools: body.tools ?? [] },
    previous_response_id: body.previous_response_id ?? null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    tool_choice: body.tool_choice ?? 'auto',
    text: body.text ?? { format: { type: 'text' } },
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    ...{ temperature: body.temperature ?? 1, top_p: body.top_p ?? 1, truncation: 'disabled' },
  };
}
