import { insist } from '../admission.ts';
import type { Call } from '../call.ts';
import type { FunctionTool, Prompt } from '../engine.ts';
import {
  isArray,
  isObject,
  isShallow,
  type Json,
  type JsonObject,
  objectOrEmpty,
} from '../json.ts';
import { arrayAt } from '../parameters.ts';
import { quoted, Refusal } from '../refusal.ts';

/** Reads the functions that a request declares, the only tools of the fixture models. */
export function readTools(body: JsonObject, call: Call): readonly FunctionTool[] {
  return (arrayAt(body, 'tools', call) ?? []).flatMap((tool, index) => {
    const at = `tools[${index}]`;
    if (!isObject(tool)) {
      insist(call, new Refusal('wrong-type', `'${at}' has to be an object.`, at));
      return [];
    }
    if (tool.type !== 'function' || typeof tool.name !== 'string') {
      const message = `'${at}' has to be {"type": "function", "name": …}: there are no other tools.`;
      insist(call, new Refusal('invalid-value', message, at));
      return [];
    }
    const description = typeof tool.description === 'string' ? tool.description : '';
    return [{ name: tool.name, description, parameters: objectOrEmpty(tool.parameters) }];
  });
}

/** Returns the call that `tool_choice` forces: `required`, a named function, or one of the allowed functions. */
export function readToolChoice(
  body: JsonObject,
  tools: readonly FunctionTool[],
  call: Call,
): Prompt['callRequired'] {
  const choice: Json = body.tool_choice ?? 'auto';
  // The answer repeats the choice, so it must not be nested deeper than serialization allows.
  if (!isShallow(choice)) return refused('nested too deep', call);
  if (choice === 'none') return null;
  if (choice === 'auto') return 'auto';
  if (choice === 'required') return tools.length > 0 ? 'any' : refused('required', call);
  if (isObject(choice)) {
    if (choice.type === 'function' && typeof choice.name === 'string') return named(choice.name);
    if (choice.type === 'allowed_tools' && isArray(choice.tools)) {
      const [first] = choice.tools;
      if (choice.mode !== 'required') return 'auto';
      if (isObject(first) && typeof first.name === 'string') return named(first.name);
    }
  }
  return refused('of this form', call);

  function named(name: string): Prompt['callRequired'] {
    return tools.some((tool) => tool.name === name) ? { name } : refused(quoted(name), call);
  }
}

function refused(what: string, call: Call): null {
  const message = `'tool_choice' ${what}: there is no such function in 'tools'.`;
  insist(call, new Refusal('invalid-value', message, 'tool_choice'));
  return null;
}
