import { at, isObject, listAt, numberAt, textAt } from '../../core/index.ts';
import type { EventStream, ToolCall } from '../grammar.ts';
import type { Content, ContentReader } from '../module.ts';

export const generativeContent: ContentReader = { fromBody, fromEvents };

/** The member of a request that asks for images. */
const image = 'generationConfig.responseModalities';

/** Finish reasons: of a complete answer, of one that reached its output limit, and all documented ones. */
export const endings = {
  complete: 'STOP',
  call: null,
  limit: 'MAX_TOKENS',
  stopSequence: 'STOP',
  documented: {
    STOP: null,
    MAX_TOKENS: null,
    SAFETY: null,
    RECITATION: null,
    LANGUAGE: null,
    OTHER: null,
    BLOCKLIST: null,
    PROHIBITED_CONTENT: null,
    SPII: null,
    // The model called a function although none was offered.
    UNEXPECTED_TOOL_CALL: null,
    CONTINUATION: null,
    MALFORMED_RESPONSE: null,
    MALFORMED_FUNCTION_CALL: 'tools',
    TOO_MANY_TOOL_CALLS: 'tools',
    IMAGE_SAFETY: image,
    IMAGE_PROHIBITED_CONTENT: image,
    IMAGE_OTHER: image,
    IMAGE_RECITATION: image,
    NO_IMAGE: image,
  },
  isOpen: true,
} as const;

/** Reads the first candidate only, because requests that need one answer ask for one candidate. */
function fromBody(body: unknown): Content {
  const parts = listAt(body, 'candidates[0].content.parts');
  return {
    id: textAt(body, 'responseId'),
    text: parts.map(textOfPart).join(''),
    ending: textAt(body, 'candidates[0].finishReason'),
    usage: at(body, 'usageMetadata') ?? null,
    toolCalls: parts.flatMap(callOfPart),
    items: listAt(body, 'candidates').filter((one) => listAt(one, 'content.parts').length > 0),
  };
}

/** The text of a part, or '' for thoughts, which are not part of the answer. */
export function textOfPart(part: unknown): string {
  return at(part, 'thought') === true ? '' : (textAt(part, 'text') ?? '');
}

function callOfPart(part: unknown): ToolCall[] {
  const call = at(part, 'functionCall');
  if (!isObject(call)) return [];
  return [
    {
      name: textAt(call, 'name'),
      id: textAt(call, 'id'),
      // Protobuf JSON may omit empty arguments.
      arguments: JSON.stringify(call.args ?? {}),
    },
  ];
}

/** Returns the tokens of visible text in the usage. Null if there is no usage. Protobuf JSON omits a zero. */
export function tokensSaid(usage: unknown): number | null {
  return isObject(usage) ? (numberAt(usage, 'candidatesTokenCount') ?? 0) : null;
}

function fromEvents({ events }: EventStream): Content {
  let id: string | null = null;
  let ending: string | null = null;
  let usage: unknown = null;
  const parts: unknown[] = [];
  for (const { json } of events) {
    if (!isObject(json)) continue;
    id ??= textAt(json, 'responseId');
    usage = json.usageMetadata ?? usage;
    for (const candidate of listAt(json, 'candidates')) {
      if ((numberAt(candidate, 'index') ?? 0) !== 0) continue;
      parts.push(...listAt(candidate, 'content.parts'));
      ending = textAt(candidate, 'finishReason') || ending;
    }
  }
  const candidate = { content: { parts }, finishReason: ending };
  return { ...fromBody({ candidates: [candidate] }), id, usage };
}
