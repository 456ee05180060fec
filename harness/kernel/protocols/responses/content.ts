import { at, isObject, listAt, textAt } from '../../core/index.ts';
import type { EventStream, ToolCall } from '../grammar.ts';
import type { Content, ContentReader } from '../module.ts';

export const responsesContent: ContentReader = { fromBody, fromEvents };

/** Statuses: of a complete answer, of one that reached its output limit, and all documented ones. */
export const endings = {
  complete: 'completed',
  call: null,
  limit: 'incomplete',
  stopSequence: null,
  documented: {
    completed: null,
    incomplete: null,
    failed: null,
    cancelled: 'background',
    queued: 'background',
    in_progress: 'background',
  },
} as const;

function fromBody(body: unknown): Content {
  const items = listAt(body, 'output');
  return {
    id: textAt(body, 'id'),
    text: items.map(textOfItem).join(''),
    ending: textAt(body, 'status'),
    usage: at(body, 'usage') ?? null,
    toolCalls: items.flatMap(callOfItem),
    items,
  };
}

/** The text of the `output_text` parts of a message item, or '' for other items. */
export function textOfItem(item: unknown): string {
  if (at(item, 'type') !== 'message') return '';
  return listAt(item, 'content')
    .map((part) => (at(part, 'type') === 'output_text' ? (textAt(part, 'text') ?? '') : ''))
    .join('');
}

function callOfItem(item: unknown): ToolCall[] {
  if (at(item, 'type') !== 'function_call') return [];
  return [
    {
      name: textAt(item, 'name'),
      id: textAt(item, 'call_id'),
      arguments: textAt(item, 'arguments') ?? '',
    },
  ];
}

/** The text of an event: a fragment, or the whole text of a part, an item or the response. */
export function textOfEvent(event: unknown): string | null {
  switch (textAt(event, 'type')) {
    case 'response.output_text.delta':
      return textAt(event, 'delta');
    case 'response.output_text.done':
      return textAt(event, 'text');
    case 'response.output_item.done':
      return textOfItem(at(event, 'item'));
    case 'response.completed':
    case 'response.incomplete':
      return fromBody(at(event, 'response')).text;
    default:
      return null;
  }
}

/**
 * Reads the text from the deltas. A stream that starts without deltas has its text in one piece. Usage, status and
 * items come from the response in the last event that has one.
 */
function fromEvents({ events }: EventStream): Content {
  let last: unknown;
  let id: string | null = null;
  let text = '';
  let whole = '';
  let isFromTheStart = false;
  const finished: unknown[] = [];
  for (const { json } of events) {
    if (!isObject(json)) continue;
    if (isObject(json.response)) last = json.response;
    id ??= textAt(json, 'response.id');
    if (json.type === 'response.output_text.delta') text += textAt(json, 'delta') ?? '';
    if (json.type === 'response.created') isFromTheStart = true;
    if (json.type === 'response.output_text.done') whole += textAt(json, 'text') ?? '';
    if (json.type === 'response.output_item.done') finished.push(json.item);
  }
  const final = fromBody(last);
  const items = final.items.length > 0 ? final.items : finished;
  return {
    ...final,
    id: id ?? final.id,
    text: text || (isFromTheStart ? whole || items.map(textOfItem).join('') : ''),
    items,
    toolCalls: items.flatMap(callOfItem),
  };
}
