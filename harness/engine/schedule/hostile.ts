import type { Call, CallOptions, KeyName } from '../../protocols/index.ts';

/** What makes a request hostile to look at: a credential that is wrong, or input that is. */
export type Hostile = 'credentials' | 'input';

const goodKeys: readonly KeyName[] = ['owner', 'sameUser', 'otherUser', 'restricted'];

/** What makes a request hostile whatever it is sent for; null: nothing that can be seen. */
export function hostileIn(
  { protocol, body }: Call,
  { key = 'owner', placement = 'own' }: CallOptions,
): Hostile | null {
  const wellPlaced = placement === 'own' || placement === 'own-lower-case';
  if (protocol !== 'probe' && !(goodKeys.includes(key) && wellPlaced)) return 'credentials';
  return isRaw(body) ? 'input' : null;
}

/** A body or a frame that is written by hand, rather than made of an object. */
export function isRaw(data: unknown): boolean {
  return typeof data === 'string' || data instanceof Uint8Array;
}
