import { isObject } from '../core/index.ts';
import type { NativeBody } from './module.ts';

/** True if a body has the protocol's characteristic members at the top level. */
export function isNativeBody(native: NativeBody, body: unknown): boolean {
  return isObject(body) && !isEnvelope(native, body) && native.has(body);
}

/**
 * True for `{ data, requestId }` around a native body. The `data` of a list is native.
 *
 * @param native native body of the request's answer, or null if the request is not an operation
 */
export function isEnvelope(native: NativeBody | null, body: unknown): boolean {
  if (!isObject(body) || !('data' in body)) return false;
  if (!('requestId' in body) && !('request_id' in body)) return false;
  if (Array.isArray(body.data)) return body.object !== 'list';
  return native === null || native.isUnspecified === true || !native.has(body);
}
