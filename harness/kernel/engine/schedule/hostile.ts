import type { Call, CallOptions, KeyName } from '../../protocols/index.ts';

export type Hostile = 'credentials' | 'input';

/** Kind of request that a gateway may defend itself against. Those that may end it run alone. */
export type HostileKind = 'key' | 'place' | 'body' | 'alone';

/** Characters of a body written by hand above which it may end a gateway. */
const mostHarmless = 8_192;

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

/** Returns the kind of a request of a scenario if a gateway may defend itself against it, or null. */
export function hostileKind(
  { hostile, last }: { readonly hostile: Hostile | null; readonly last: boolean },
  call: Call,
  options: CallOptions,
): HostileKind | null {
  const what = hostileIn(call, options) ?? (hostile === 'input' ? hostile : null);
  if (what === null) return null;
  const isLarge = isRaw(call.body) && Object(call.body).length > mostHarmless;
  const isPartial = options.cutRequestAfterBytes !== undefined;
  if (last || isLarge || isPartial) return 'alone';
  if (what === 'credentials') return goodKeys.includes(options.key ?? 'owner') ? 'place' : 'key';
  return call.expects === 'socket' ? 'alone' : 'body';
}
