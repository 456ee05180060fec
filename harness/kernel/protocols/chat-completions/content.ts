import { at, isObject, listAt, numberAt, textAt } from '../../core/index.ts';
import type { EventStream, ToolCall } from '../grammar.ts';
import type { Content, ContentReader } from '../module.ts';

export const chatContent: ContentReader = { fromBody, fromEvents };

/** Finish reasons: of a complete answer, of one that reached its output limit, and all documented ones. */
export const endings = {
  complete: 'stop',
  call: 'tool_calls',
  limit: 'length',
  stopSequence: 'stop',
  documented: {
    stop: null,
    length: null,
    content_filter: null,
    tool_calls: 'tools',
    function_call: 'functions',
  },
} as const;

/** Reads the first choice only, because requests that need one answer ask for one choice. */
function fromBody(body: unknown): Content {
  const message = at(body, 'choices[0].message');
  return {
    id: textAt(body, 'id'),
    text: textAt(message, 'content') ?? '',
    ending: textAt(body, 'choices[0].finish_reason'),
    usage: at(body, 'usage') ?? null,
    toolCalls: listAt(message, 'tool_calls').map((call) => ({
      name: textAt(call, 'function.name'),
      id: textAt(call, 'id'),
      arguments: textAt(call, 'function.arguments') ?? '',
    })),
    items: listAt(body, 'choices'),
  };
}

function fromEvents({ events }: EventStream): Content {
  let id: string | null = null;
  let text = '';
  let ending: string | null = null;
  let usage: unknown = null;
  const calls = new Map<number, JoinedCall>();
  for (const { json } of events) {
    if (!isObject(json)) continue;
    id ??= textAt(json, 'id');
    usage = json.usage ?? usage;
    for (const choice of listAt(json, 'choices')) {
      if ((numberAt(choice, 'index') ?? 0) !== 0) continue;
      text += textAt(choice, 'delta.content') ?? '';
      ending ??= textAt(choice, 'finish_reason');
      for (const fragment of listAt(choice, 'delta.tool_calls')) joinCall(calls, fragment);
    }
  }
  const toolCalls: ToolCall[] = [...calls.values()];
  const message = { role: 'assistant', content: text, tool_calls: toolCalls.map(asInBody) };
  const items =
    text === '' && toolCalls.length === 0 ? [] : [{ index: 0, message, finish_reason: ending }];
  return { id, text, ending, usage, toolCalls, items };
}

/** Returns a call in the form of a JSON body. Members without a fragment are left out. */
function asInBody({ name, id, arguments: args }: ToolCall): unknown {
  return {
    ...(id === null ? {} : { id }),
    type: 'function',
    function: { ...(name === null ? {} : { name }), arguments: args },
  };
}

export interface JoinedCall {
  name: string | null;
  id: string | null;
  arguments: string;
}

/** Adds one fragment of a tool call to the call that its `index` names. */
export function joinCall(calls: Map<number, JoinedCall>, fragment: unknown): void {
  const index = numberAt(fragment, 'index') ?? 0;
  const call = calls.get(index) ?? { name: null, id: null, arguments: '' };
  call.name ??= textAt(fragment, 'function.name');
  call.id ??= textAt(fragment, 'id');
  call.arguments += textAt(fragment, 'function.arguments') ?? '';
  calls.set(index, call);
}

/** Returns the tokens of visible text in the usage of a stream. Null if they may include reasoning tokens. */
export function tokensSaid({ events }: EventStream, usage: unknown): number | null {
  const deltas = events.flatMap(({ json }) =>
    listAt(json, 'choices').map((choice) => at(choice, 'delta')),
  );
  if (deltas.some(hasMoreThanText)) return null;
  const all = numberAt(usage, 'completion_tokens');
  const thoughts = numberAt(usage, 'completion_tokens_details.reasoning_tokens') ?? 0;
  return all === null ? null : all - thoughts;
}

/** True if a delta has members other than text: gateways add their own members for reasoning. */
function hasMoreThanText(delta: unknown): boolean {
  if (!isObject(delta)) return false;
  const known = ['role', 'content', 'refusal'];
  return Object.entries(delta).some(([name, value]) => value !== null && !known.includes(name));
}
