import { admitAsked, insist } from '../admission.ts';
import type { Call } from '../call.ts';
import type { FixtureModel } from '../fixture-models.ts';
import { isArray, isObject, isShallow, type Json, type JsonObject } from '../json.ts';
import { mayReach } from '../reach.ts';
import { quoted, Refusal } from '../refusal.ts';
import { summaryIn } from './compaction-item.ts';
import { imagesIn } from './prompt.ts';

const roles: readonly Json[] = ['user', 'assistant', 'system', 'developer'];

/**
 * Returns the items of `input`, each with an id. A plain string becomes one user message. An invalid item is
 * refused, or dropped if the policy does not insist. Null without `input`.
 */
export function readInput(
  input: Json | undefined,
  model: FixtureModel,
  call: Call,
): readonly JsonObject[] | null {
  if (input === undefined || input === null) return null;
  if (typeof input === 'string') return [message('user', [inputText(input)], call)];
  if (!isArray(input)) {
    insist(call, new Refusal('wrong-type', "'input' has to be a string or an array.", 'input'));
    return [];
  }
  const items = input.flatMap((item, index) => {
    try {
      return [readItem(item, `input[${index}]`, call)];
    } catch (error) {
      if (error instanceof Refusal) insist(call, error);
      else throw error;
      return [];
    }
  });
  const images = items.flatMap(({ content }) => imagesIn(content));
  if (images.length === 0) return items;
  return admitAsked('images', images, 'input', model, call) === null
    ? items.map(withoutImages)
    : items;
}

function withoutImages(item: JsonObject): JsonObject {
  const { content } = item;
  if (!isArray(content)) return item;
  const images: readonly Json[] = imagesIn(content);
  return { ...item, content: content.filter((part) => !images.includes(part)) };
}

function readItem(item: Json, at: string, call: Call): JsonObject {
  if (!isObject(item)) throw new Refusal('wrong-type', `'${at}' has to be an object.`, at);
  switch (item.type ?? (item.role === undefined ? undefined : 'message')) {
    case 'message':
      if (item.role === undefined || !roles.includes(item.role)) {
        throw new Refusal('invalid-value', `'${at}.role' is no role of a message.`, `${at}.role`);
      }
      return withId(item.id, message(item.role, readContent(item, at), call));
    case 'function_call': {
      const [callId, name, args] = strings(item, ['call_id', 'name', 'arguments'], at);
      const id = call.gateway.seams.encode.id('fc_', call);
      return withId(item.id, {
        id,
        type: 'function_call',
        status: 'completed',
        arguments: args,
        call_id: callId,
        name,
      });
    }
    case 'function_call_output': {
      const [callId] = strings(item, ['call_id'], at);
      const output = typeof item.output === 'string' ? item.output : readParts(item.output, at);
      const id = call.gateway.seams.encode.id('fco_', call);
      return withId(item.id, {
        id,
        type: 'function_call_output',
        status: 'completed',
        call_id: callId,
        output,
      });
    }
    case 'reasoning': {
      const summary = isArray(item.summary) ? item.summary : [];
      if (!isShallow(summary)) throw new Refusal('too-deep', `'${at}' is nested too deep.`, at);
      const id = call.gateway.seams.encode.id('rs_', call);
      const { encrypted_content: sealed } = item;
      const kept = typeof sealed === 'string' ? { encrypted_content: sealed } : {};
      return withId(item.id, { id, type: 'reasoning', summary, ...kept });
    }
    case 'compaction': {
      const [content] = strings(item, ['encrypted_content'], at);
      if (summaryIn(content ?? '') === null) {
        const param = `${at}.encrypted_content`;
        throw new Refusal('invalid-value', `'${param}' was not made by this gateway.`, param);
      }
      const id = call.gateway.seams.encode.id('cmp_', call);
      return withId(item.id, { id, type: 'compaction', encrypted_content: content });
    }
    case 'item_reference': {
      const [id = ''] = strings(item, ['id'], at);
      const found = storedItem(id, call);
      if (found !== undefined) return found;
      throw new Refusal('unknown-item', `Item with id ${quoted(id)} not found.`, `${at}.id`);
    }
    default:
      throw new Refusal(
        'invalid-value',
        typeof item.type === 'string'
          ? `'${at}.type' ${quoted(item.type)} is no type of item that this gateway reads.`
          : `'${at}' has neither a type nor a role.`,
        `${at}.type`,
      );
  }
}

/** Returns an item of a stored response that the key may continue. */
function storedItem(id: string, call: Call): JsonObject | undefined {
  const { key, gateway } = call;
  if (key === null || id === '') return undefined;
  for (const record of gateway.store.newestFirst()) {
    const { turn } = record;
    if (turn === null) continue;
    const items = [...turn.output(), ...turn.parts.request.input];
    const item = items.find((one) => one.id === id);
    if (item !== undefined && mayReach({ operation: 'continue', record, key, call })) return item;
  }
  return undefined;
}

function readContent(item: JsonObject, at: string): readonly JsonObject[] {
  const { content, role } = item;
  if (typeof content === 'string') {
    return [
      role === 'assistant'
        ? { type: 'output_text', text: content, annotations: [] }
        : inputText(content),
    ];
  }
  return readParts(content, `${at}.content`);
}

function readParts(parts: Json | undefined, at: string): readonly JsonObject[] {
  if (!isArray(parts)) {
    throw new Refusal('wrong-type', `'${at}' has to be a string or an array of parts.`, at);
  }
  return parts.map((part, index) => {
    const where = `${at}[${index}]`;
    if (!isObject(part)) throw new Refusal('wrong-type', `'${where}' has to be an object.`, where);
    if (part.type === 'refusal') {
      const [refusal] = strings(part, ['refusal'], where);
      return { type: 'refusal', refusal };
    }
    if (part.type === 'input_image') {
      const [url] = strings(part, ['image_url'], where);
      return { type: 'input_image', image_url: url, detail: part.detail ?? 'auto', file_id: null };
    }
    if (part.type !== 'input_text' && part.type !== 'output_text') {
      const message = `'${where}.type': these models read texts and images only.`;
      throw new Refusal('invalid-value', message, where);
    }
    const [text] = strings(part, ['text'], where);
    return part.type === 'input_text'
      ? inputText(text ?? '')
      : { type: 'output_text', text, annotations: [] };
  });
}

function strings(item: JsonObject, names: readonly string[], at: string): string[] {
  return names.map((name) => {
    const value = item[name];
    if (typeof value === 'string') return value;
    const param = `${at}.${name}`;
    throw value === undefined
      ? new Refusal('missing-parameter', `Missing required parameter: '${param}'.`, param)
      : new Refusal('wrong-type', `'${param}' has to be a string.`, param);
  });
}

function message(role: Json, content: readonly JsonObject[], call: Call): JsonObject {
  const id = call.gateway.seams.encode.id('msg_', call);
  return { id, type: 'message', status: 'completed', role, content };
}

function inputText(text: string): JsonObject {
  return { type: 'input_text', text };
}

/** Adds the id that a returned item already has. */
function withId(id: Json | undefined, item: JsonObject): JsonObject {
  return typeof id === 'string' && id !== '' ? { ...item, id } : item;
}
