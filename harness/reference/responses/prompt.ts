import type { Asked } from '../asked.ts';
import type { FunctionTool, Prompt, Turn } from '../engine.ts';
import type { FixtureModel } from '../fixture-models.ts';
import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import { summaryIn } from './compaction-item.ts';

/** Parts of a request that determine the prompt and the allowed answers. */
export interface PromptParts {
  readonly model: FixtureModel;
  readonly instructions: string | null;
  readonly tools: readonly FunctionTool[];
  readonly callRequired: Prompt['callRequired'];
  readonly limit: number | null;
  readonly asked: Asked;
}

/** Returns the prompt: the instructions of this request, then the earlier turns, then the new input. */
export function promptOf(parts: PromptParts, items: readonly JsonObject[]): Prompt {
  const { model, instructions, tools, callRequired, limit, asked } = parts;
  const turns: Turn[] = instructions === null ? [] : [{ role: 'system', text: instructions }];
  for (const item of items) turns.push(turnOf(item));
  return { model: model.id, turns, tools, callRequired, limit, asked };
}

function turnOf(item: JsonObject): Turn {
  switch (item.type) {
    case 'function_call':
      return { role: 'assistant', text: `${item.name}(${item.arguments})` };
    case 'function_call_output':
      return { role: 'tool', text: textOf(item.output) };
    case 'reasoning':
      return { role: 'assistant', text: textOf(item.summary) };
    case 'compaction':
      return { role: 'system', text: summaryIn(String(item.encrypted_content)) ?? '' };
    default:
      return {
        role: roleOf(item.role),
        text: textOf(item.content),
        images: imagesIn(item.content).length,
      };
  }
}

function roleOf(role: Json | undefined): Turn['role'] {
  if (role === 'user' || role === 'assistant') return role;
  return 'system';
}

/** Returns the images among the parts of a content. */
export function imagesIn(content: Json | undefined): readonly JsonObject[] {
  if (!isArray(content)) return [];
  return content.filter(isObject).filter(({ type }) => type === 'input_image');
}

/** Returns the text of a content: a string, or the texts of its parts. */
function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!isArray(content)) return '';
  return content
    .map((part) => {
      if (!isObject(part)) return '';
      const text = part.text ?? part.refusal;
      return typeof text === 'string' ? text : '';
    })
    .join('\n');
}
