import { createHash } from 'node:crypto';
import { type Protocol, protocols } from '../core/protocol.ts';
import type { Secrets } from '../wire/redact.ts';
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
import { endpointModules } from './modules.ts';

/** What a credential adds to a request. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Name of the header that shows the owner's key besides. */
  readonly beside: string | null;
}

type Placed = Omit<Credential, 'beside'>;

/**
 * The credential of a call, in its own header or in another place, with the version header that the
 * Messages protocol takes besides. `none` and foreign placements keep the version header: only one
 * thing is wrong at a time.
 */
export function credentialFor(
  call: Call,
  { key = 'owner', placement = 'own', beside, version }: CallOptions,
  deployment: Deployment,
): Credential {
  const value = keyValue(key, deployment);
  const placed =
    value === null ? { headers: {}, query: {} } : place(value, placement, call, deployment);
  const further = beside === undefined ? {} : besideIt(beside, call, deployment);
  return {
    headers: { ...further, ...placed.headers, ...versionOf(call, version, deployment) },
    query: placed.query,
    beside: Object.keys(further)[0] ?? null,
  };
}

/**
 * The headers that the specification names for other protocols than this; none where it names none for
 * this one.
 */
export function foreignHeaders(protocol: Protocol | 'models'): readonly ForeignHeader[] {
  const own = endpointModules[protocol].credential;
  if (typeof own !== 'string') return [];
  const named = protocols.map((name) => endpointModules[name].credential);
  return named.filter((other) => typeof other === 'string').filter((other) => other !== own);
}

/** Everything that must not stand in a record: the keys, and those that were made up of the owner's. */
export function secretsOf(deployment: Deployment): Secrets {
  const { owner } = deployment.keys;
  return {
    ...deployment.keys,
    ...(owner === undefined
      ? {}
      : {
          unknown: unknownKey(owner),
          ...Object.fromEntries(alteredKeys.map((kind) => [kind, missed(owner, kind)])),
        }),
  };
}

/**
 * A key of the form of another, that no gateway has issued: same length, same beginning up to a
 * separator such as `sk-`, letters for letters and digits for digits. It does not tell the other.
 */
export function unknownKey(key: string): string {
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

/** An altered key; of a key that allows none, one that has nothing of it. */
function missed(owner: string, kind: AlteredKey): string {
  return alteredKey(owner, kind) ?? unknownKey(owner);
}

function keyValue(key: KeyName, { keys }: Deployment): string | null {
  if (key === 'none') return null;
  const given = keys[key];
  if (given !== undefined) return given;
  if (key === 'unknown' && keys.owner !== undefined) return unknownKey(keys.owner);
  const miss = alteredKeys.find((kind) => kind === key);
  if (miss !== undefined && keys.owner !== undefined) return missed(keys.owner, miss);
  throw new Error(
    `The target has no key "${key}". A scenario that calls with it must say so in its needs.`,
  );
}

function besideIt(header: ForeignHeader, call: Call, deployment: Deployment) {
  const owner = keyValue('owner', deployment);
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

/** The header that the protocol of the call names, or that the target file gives where none is shown. */
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
