import { createHash } from 'node:crypto';
import { type Protocol, protocols } from '../core/index.ts';
import { notAKey, type Secrets, shortestSought } from '../redaction/index.ts';
import { alteredKey, alteredKeys } from './altered-keys.ts';
import type {
  AlteredKey,
  Call,
  CallOptions,
  Deployment,
  ForeignHeader,
  KeyName,
  Placement,
} from './call.ts';
import { maskedCredential } from './custom-headers.ts';
import { endpointModules } from './modules.ts';

interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Name of the header that sends the owner's key in addition. */
  readonly beside: string | null;
  /** Recorded values of headers whose key is too short to be masked by search. */
  readonly shownHeaders: Readonly<Record<string, string>>;
  /** Recorded query whose key is too short to be masked by search. Null if there is none. */
  readonly shownQuery: Readonly<Record<string, string>> | null;
}

/** Pattern of a made-up key if there is no key, or if it is too short. */
const madeUp = 'sk-touchstone-made-up-00000000';

type Placed = Pick<Credential, 'headers' | 'query'>;

/**
 * The credential of a call in its place, with the version header of the Messages protocol. `none` and foreign
 * placements keep the version header, so that a request has only one defect.
 */
export function credentialFor(
  call: Call,
  { key = 'owner', placement = 'own', beside, version }: CallOptions,
  deployment: Deployment,
): Credential {
  const value = keyValue(key, placement, deployment);
  const placed =
    value === null ? { headers: {}, query: {} } : place(value, placement, call, deployment);
  const further = beside === undefined ? {} : besideIt(beside, call, deployment);
  const keys = { ...further, ...placed.headers };
  const short = Object.values(deployment.keys).filter(isShort);
  const shownHeaders = shownWithout(short, keys);
  const shownQuery = shownWithout(short, placed.query);
  return {
    headers: { ...keys, ...versionOf(call, version, deployment) },
    query: placed.query,
    beside: Object.keys(further)[0] ?? null,
    shownHeaders,
    shownQuery: Object.keys(shownQuery).length === 0 ? null : shownQuery,
  };
}

/** Masks the values that equal one of these keys or end with it. Other values are left out. */
function shownWithout(
  keys: readonly string[],
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const shown = keys.reduce(maskedCredential, value);
      return shown === value ? [] : [[name, shown]];
    }),
  );
}

/** The headers that the specification names for other protocols. Empty if it names none for this one. */
export function foreignHeaders(protocol: Protocol | 'models'): readonly ForeignHeader[] {
  const own = endpointModules[protocol].credential;
  if (typeof own !== 'string') return [];
  const named = protocols.map((name) => endpointModules[name].credential);
  return named.filter((other) => typeof other === 'string').filter((other) => other !== own);
}

/**
 * All values to mask in a record: the keys, keys derived from the owner's, and secrets in custom headers. Short
 * values are not searched for, because masking them everywhere would hide text that checks judge. They are masked
 * in the request where they are sent.
 */
export function secretsOf(deployment: Deployment): Secrets {
  const variables = Object.entries(deployment.variables ?? {});
  const sought = [
    ...Object.entries(keysOf(deployment)),
    ...playedKeys(deployment),
    ...variables.map(([name, value]) => [`${notAKey}${name}`, value] as const),
  ].filter(([, value]) => value.length >= shortestSought);
  return Object.fromEntries(sought);
}

/** Keys that the gateway shows to providers that Touchstone plays. `client` is no key. */
function playedKeys({ providers }: Deployment): [string, string][] {
  const own = Object.entries(providers?.keys ?? {}).filter(([, key]) => key !== 'client');
  return own.map(([name, key]) => [`provider-${name}`, key]);
}

/** True if a key is searched for in answers. Configured keys may be too short. All other keys are long enough. */
export function isSought(name: string, keys: Deployment['keys']): boolean {
  const given = Object.entries(keys).find(([one]) => one === name)?.[1];
  return given === undefined || !isShort(given);
}

function isShort(key: string): boolean {
  return key !== '' && key.length < shortestSought;
}

/** The keys of the target, and keys derived from the owner's. */
function keysOf({ keys }: Deployment): Readonly<Record<string, string>> {
  const { owner } = keys;
  return {
    ...keys,
    ...(owner === undefined
      ? {}
      : {
          unknown: unknownKey(owner),
          ...Object.fromEntries(alteredKeys.map((kind) => [kind, missed(owner, kind)])),
        }),
  };
}

/**
 * Makes a key of the same form that no gateway has issued: same length, same prefix up to a separator such as
 * `sk-`, letters for letters and digits for digits. Does not reveal the original.
 */
export function unknownKey(key: string): string {
  // A made-up key as short as this one may be another valid key.
  if (isShort(key)) return unknownKey(madeUp);
  const prefix = /^[A-Za-z0-9]{1,6}[-_]/.exec(key)?.[0] ?? '';
  let drawn = Buffer.alloc(0);
  while (drawn.length < key.length) {
    const seed = `no such key\0${drawn.length}\0${key}`;
    drawn = Buffer.concat([drawn, createHash('sha256').update(seed).digest()]);
  }
  const rest = [...key.slice(prefix.length)].map((character, index) => {
    const among = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'].find(
      (letters) => letters.includes(character),
    );
    return among?.[(drawn[index] ?? 0) % among.length] ?? character;
  });
  return prefix + rest.join('');
}

/** An altered key. If the key cannot be altered, an unrelated made-up key. */
function missed(owner: string, kind: AlteredKey): string {
  return alteredKey(owner, kind) ?? unknownKey(owner);
}

function keyValue(key: KeyName, placement: Placement, { keys }: Deployment): string | null {
  if (key === 'none') return null;
  const given = keys[key];
  if (given !== undefined) return given;
  // A gateway without keys is called without a credential, except where a key must be refused.
  if (key === 'owner') return placement === 'own' ? null : unknownKey(madeUp);
  const { owner = madeUp } = keys;
  if (key === 'unknown') return unknownKey(owner);
  const miss = alteredKeys.find((kind) => kind === key);
  if (miss !== undefined) return missed(owner, miss);
  throw new Error(
    `The target has no key "${key}". A scenario that calls with it must say so in its needs.`,
  );
}

function besideIt(header: ForeignHeader, call: Call, deployment: Deployment) {
  const owner = keyValue('owner', header, deployment);
  return owner === null ? {} : place(owner, header, call, deployment).headers;
}

function place(key: string, placement: Placement, call: Call, deployment: Deployment): Placed {
  const header = (name: string, value: string): Placed => ({
    headers: { [name]: value },
    query: {},
  });
  switch (placement) {
    case 'own':
      return ownPlace(key, call, deployment);
    case 'own-lower-case':
      return inLowerCase(ownPlace(key, call, deployment));
    case 'bearer':
      return header('Authorization', `Bearer ${key}`);
    case 'x-api-key':
      return header('x-api-key', key);
    case 'vendorB-api-key':
      return header(vendorBHeader(deployment), key);
    case 'query-key':
      return { headers: {}, query: { key } };
    case 'query-api_key':
      return { headers: {}, query: { api_key: key } };
    case 'bare':
      return header('Authorization', key);
    case 'basic':
      return header('Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`);
  }
}

/** The header of the call's protocol, or the one in the target file if the specification has none. */
function ownPlace(key: string, call: Call, deployment: Deployment): Placed {
  if (call.protocol === 'probe') throw new Error('A probe takes no credential');
  const { credential } = endpointModules[call.protocol];
  if (typeof credential === 'string') return place(key, credential, call, deployment);
  const name = deployment.credentials[credential.configured];
  return name === 'bearer'
    ? place(key, 'bearer', call, deployment)
    : { headers: { [name]: key }, query: {} };
}

function inLowerCase({ headers, query }: Placed): Placed {
  const lines = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    value.replace(/^Bearer (?=.)/, 'bearer '),
  ]);
  return { headers: Object.fromEntries(lines), query };
}

function versionOf(
  { protocol }: Call,
  version: string | null | undefined,
  { names, versionDate }: Deployment,
): Record<string, string> {
  const isVersioned = protocol !== 'probe' && endpointModules[protocol].isVersioned === true;
  if (!isVersioned || version === null) return {};
  return { [`${names.vendorA}-version`]: version ?? versionDate };
}

function vendorBHeader({ names }: Deployment): string {
  return `x-${names.vendorB}-api-key`;
}
