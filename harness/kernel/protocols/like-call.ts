import { isObject, textAt } from '../core/index.ts';
import type { Fields } from './defaults.ts';

/** Returns a second call like one that the model made, under another id if it has one. */
export function likeCall(call: unknown, member: string): Fields {
  const id = textAt(call, member);
  return { ...(isObject(call) ? call : {}), ...(id === null ? {} : { [member]: `${id}2` }) };
}
