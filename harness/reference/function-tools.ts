import { insist } from './admission.ts';
import type { Call } from './call.ts';
import type { FunctionTool, Prompt } from './engine.ts';
import { isObject, isShallow, type Json } from './json.ts';
import { Refusal } from './refusal.ts';

// The functions that a request declares, and the one that it forces. Each protocol has its own form, but the rules
// are the same.

/**
 * Returns one declared function. Null for one without a name, if the policy does not insist.
 *
 * @param path dotted name of the declaration, for the refusal
 */
export function functionTool(
  declared: {
    readonly name: Json | undefined;
    readonly description: Json | undefined;
    readonly parameters: Json | undefined;
  },
  path: string,
  call: Call,
): FunctionTool | null {
  const { name, description, parameters } = declared;
  if (typeof name !== 'string' || name === '') {
    const param = `${path}.name`;
    insist(
      call,
      new Refusal('missing-parameter', `Missing required parameter: '${param}'.`, param),
    );
    return null;
  }
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) {
    insist(call, new Refusal('wrong-type', `The schema of '${path}' has to be an object.`, path));
  }
  if (!isShallow(parameters)) {
    insist(call, new Refusal('too-deep', `The schema of '${path}' is nested too deep.`, path));
  }
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isObject(parameters) && isShallow(parameters) ? parameters : {},
  };
}

/**
 * Returns the call that a request forces: `any` function or a named one, which has to be declared. Otherwise the
 * request is refused.
 *
 * @param path dotted name of the forcing member, for the refusal
 */
export function forcedCall(
  wanted: Json | undefined,
  tools: readonly FunctionTool[],
  path: string,
  call: Call,
): Prompt['callRequired'] {
  if (wanted === 'any' && tools.length > 0) return 'any';
  const tool = tools.find(({ name }) => name === wanted);
  if (tool !== undefined) return { name: tool.name };
  insist(
    call,
    new Refusal('invalid-value', `'${path}' forces a function that is not declared.`, path),
  );
  return null;
}
