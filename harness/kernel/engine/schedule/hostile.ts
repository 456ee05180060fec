import type { Call, CallOptions, KeyName } from '../../protocols/index.ts';

/** Kind of a hostile request: wrong credentials, or bad input. */
export type Hostile = 'credentials' | 'input';

const goodKeys: readonly KeyName[] = ['owner', 'sameUser', 'otherUser', 'restricted'];

/** Returns the hostility that a request shows by itself, or null. */
export function hostileIn(
  { protocol, body }: Call,
  { key = 'owner', placement }: CallOptions,
): Hostile | null {
  const isGood = goodKeys.includes(key) && isWellPlaced(placement);
  if (protocol !== 'probe' && !isGood) return 'credentials';
  return isRaw(body) ? 'input' : null;
}

/** True for the header of the protocol. HTTP ignores the case of its name and scheme. */
export function isWellPlaced(placement: CallOptions['placement']): boolean {
  return placement === undefined || placement === 'own' || placement === 'own-lower-case';
}

/** True for a body or a frame that is not made of an object. */
export function isRaw(data: unknown): boolean {
  return typeof data === 'string' || data instanceof Uint8Array;
}

/** True for a request of a scenario that a gateway may defend itself against. */
export function isHostile(
  { hostile }: { readonly hostile: Hostile | null },
  call: Call,
  options: CallOptions,
): boolean {
  return hostile === 'input' || hostileIn(call, options) !== null;
}
