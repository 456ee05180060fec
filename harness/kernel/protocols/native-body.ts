import { isObject } from '../core/index.ts';
import type { NativeBody } from './module.ts';

/** True when a body has the protocol's own members at the top. */
export function isNativeBody(native: NativeBody, body: unknown): boolean {
  return isObject(body) && !isEnvelope(native, body) && native.has(body);
}

/**
 * True for `{ data, requestId }` around a native body; a list's own `data` is native.
 *
 * @param native what the interface gives to the request; null for what is no operation of it
 */
export function isEnvelope(native: NativeBody | null, body: unknown): boolean {
  if (!isObject(body) || !('data' in body)) return false;
  if (!('requestId' in body) && !('request_id' in body)) return false;
  if (Array.isArray(body.data)) return body.object !== 'list';
  return native === null || native.isUnspecified === true || !native.has(body);
}

/** True for a refusal that has both members of an envelope at its top: no native error has `data`. */
export function isEnvelopedRefusal(body: unknown): boolean {
  return isObject(body) && 'data' in body && ('requestId' in body || 'request_id' in body);
}
