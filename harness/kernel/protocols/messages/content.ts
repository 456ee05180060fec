import { at, isObject, listAt, numberAt, parsed, textAt } from '../../core/index.ts';
import type { EventStream, ToolCall } from '../grammar.ts';
import type { Content, ContentReader } from '../module.ts';

export const messagesContent: ContentReader = { fromBody, fromEvents };

/** Stop reasons: of a complete answer, of one that reached its output limit, and all documented ones. */
export const endings = {
  complete: 'end_turn',
  call: 'tool_use',
  limit: 'max_tokens',
  stopSequence: 'stop_sequence',
  documented: {
    end_turn: null,
    max_tokens: null,
    refusal: null,
    model_context_window_exceeded: null,
    stop_sequence: 'stop_sequences',
    tool_use: 'tools',
    // Only with tools that the server runs itself.
    pause_turn: 'tools',
  },
} as const;

function fromBody(body: unknown): Content {
  const items = listAt(body, 'content');
  return {
    id: textAt(body, 'id'),
    text: items
      .map((block) => (at(block, 'type') === 'text' ? textAt(block, 'text') : ''))
      .join(''),
    ending: textAt(body, 'stop_reason'),
    usage: at(body, 'usage') ?? null,
    toolCalls: items.flatMap(callOfBlock),
    items,
  };
}

function callOfBlock(block: unknown): ToolCall[] {
  if (at(block, 'type') !== 'tool_use') return [];
  return [
    {
      name: textAt(block, 'name'),
      id: textAt(block, 'id'),
      arguments: JSON.stringify(at(block, 'input') ?? {}),
    },
  ];
}

/** Members of a block whose deltas have the same name. */
const written = ['text', 'thinking', 'signature'] as const;

interface OpenBlock {
  readonly start: unknown;
  readonly said: Partial<Record<(typeof written)[number], string>>;
  json: string;
}

function fromEvents({ events }: EventStream): Content {
  let message: unknown;
  let ending: string | null = null;
  const usage: Record<string, unknown> = {};
  const blocks = new Map<number, OpenBlock>();
  for (const { json } of events) {
    if (!isObject(json)) continue;
    const counted = at(json, 'message.usage') ?? json.usage;
    // Counts are cumulative. A count that a later event omits is unchanged.
    if (isObject(counted)) Object.assign(usage, counted);
    const index = numberAt(json, 'index') ?? 0;
    if (json.type === 'message_start') message ??= json.message;
    if (json.type === 'content_block_start') {
      blocks.set(index, { start: json.content_block, said: {}, json: '' });
    }
    const block = blocks.get(index);
    if (json.type === 'content_block_delta' && block !== undefined) {
      for (const name of written) {
        const piece = textAt(json, `delta.${name}`);
        const before = block.said[name] ?? textAt(block.start, name) ?? '';
        if (piece !== null) block.said[name] = before + piece;
      }
      block.json += textAt(json, 'delta.partial_json') ?? '';
    }
    if (json.type === 'message_delta') ending = textAt(json, 'delta.stop_reason') ?? ending;
  }
  const items = [...blocks.values()].map(finished);
  const counted = Object.keys(usage).length > 0 ? usage : null;
  return {
    ...fromBody({ content: items }),
    id: textAt(message, 'id'),
    ending,
    usage: counted,
  };
}

function finished({ start, said, json }: OpenBlock): unknown {
  if (!isObject(start)) return start;
  return { ...start, ...said, ...(json === '' ? {} : { input: parsed(json) ?? json }) };
}

/** Returns the tokens of text in the usage of a stream. Null if it has blocks other than text. */
export function tokensSaid({ events }: EventStream): number | null {
  const kinds = events.map(({ json }) => textAt(json, 'content_block.type'));
  if (kinds.some((kind) => kind !== null && kind !== 'text')) return null;
  return events.reduce<number | null>(
    (last, { json }) => numberAt(json, 'usage.output_tokens') ?? last,
    null,
  );
}
