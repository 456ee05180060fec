import type { HeaderLines } from '../../kernel/core/index.ts';
import {
  isHarmlessHeader,
  isHarmlessParameter,
  isSecretName,
  keepIn,
  notAKey,
  type Secrets,
} from '../../kernel/redaction/index.ts';
import type { Target } from '../../kernel/targets/index.ts';

/** Headers and query parameters that hold the key of a client, which no answer may repeat. */
const keyName = /(^|[-_])(authorization|auth|key)$|api[-_]?key$/i;
/** Clients in a browser have no other place for the key of a WebSocket. */
const keyInProtocol = /api[-_]?key\.([^\s,]+)/gi;
/** Values that an exporter has already masked. */
const masked = /^[*•x.]+$|\*{3}|redact|removed/i;
/** Maximum number of credentials. The latest are kept, because clients may have a new token for each request. */
const mostKept = 100;

/**
 * Credentials that clients were seen to send. They are masked wherever they occur, and kept only in the memory of
 * this process.
 */
export class Credentials {
  readonly #target: ReadonlyMap<string, string>;
  /** Names by values, in order of their first occurrence. */
  readonly #seen = new Map<string, string>();
  #secrets: Secrets;
  #count = 0;

  /** Headers that hold keys according to the target file, in lower case. */
  readonly #headers: ReadonlySet<string>;

  constructor({ keys, credentials }: Pick<Target, 'keys' | 'credentials'>) {
    this.#headers = new Set(Object.values(credentials).map((name) => name.toLowerCase()));
    this.#target = new Map(Object.entries(keys).map(([name, value]) => [value, name]));
    this.#secrets = this.#all();
  }

  /** All values to mask at this moment. */
  get secrets(): Secrets {
    return this.#secrets;
  }

  /**
   * Learns the credentials of a request.
   *
   * @returns the name of the key in the target file. `owner` for an unknown key, which may be equivalent. `none`
   *   without a key
   */
  learn(headers: HeaderLines, url: URL): string {
    const lines = [...headers, ...url.searchParams];
    const keys = lines
      .flatMap(([name, value]) =>
        this.#headers.has(name.toLowerCase()) ? [value.trim()] : keysIn(name, value),
      )
      .filter(isTelling);
    const others = lines.flatMap(([name, value]) =>
      isSought(name, value) ? secretsIn(name, value) : [],
    );
    this.#keep(keys, others);
    const [named] = keys.flatMap((value) => this.#target.get(value) ?? []);
    return named ?? (keys.length > 0 ? 'owner' : 'none');
  }

  /** Learns cookies that a gateway sets in a browser, which are credentials, too. */
  learnCookies(headers: HeaderLines): void {
    const given = headers.flatMap(([name, value]) =>
      /^set-cookie$/i.test(name) ? secretsIn(name, value.split(';')[0] ?? '') : [],
    );
    this.#keep([], given);
  }

  #keep(keys: readonly string[], others: readonly string[]): void {
    const known = this.#seen.size;
    for (const value of keys) this.#learn(value, 'client key ');
    for (const value of others.filter(isTelling)) this.#learn(value, notAKey);
    if (this.#seen.size !== known) this.#secrets = this.#all();
  }

  #learn(value: string, kind: string): void {
    if (this.#target.has(value) || this.#seen.has(value)) return;
    this.#seen.set(value, `${kind}${++this.#count}`);
    if (kind !== notAKey) keepIn([value]);
    const [first] = this.#seen.keys();
    if (this.#seen.size > mostKept && first !== undefined) {
      this.#seen.delete(first);
      this.#secrets = this.#all();
    }
  }

  #all(): Secrets {
    const all = [...this.#target, ...this.#seen];
    return Object.fromEntries(all.map(([value, name]) => [name, value]));
  }
}

function isTelling(value: string): boolean {
  return value !== '' && !masked.test(value);
}

/** The keys in a header line or parameter, without the scheme. For Basic, also the decoded value. */
function keysIn(name: string, value: string): readonly string[] {
  if (/^sec-websocket-protocol$/i.test(name)) {
    return [...value.matchAll(keyInProtocol)].flatMap(([, key]) => key ?? []);
  }
  if (!keyName.test(name) || !isSecretName(name)) return [];
  const [, scheme = '', rest = value] = /^([A-Za-z][\w-]*)\s+(.+)$/.exec(value.trim()) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [rest];
  const [user = '', ...password] = Buffer.from(rest, 'base64').toString().split(':');
  return [rest, password.join(':') || user];
}

/** True if a value is masked everywhere: it has a secret name, or is not a word. */
function isSought(name: string, value: string): boolean {
  // Values under these names are collected as keys, without their scheme.
  if (keyName.test(name)) return false;
  if (isSecretName(name)) return true;
  if (isHarmlessHeader(name) || isHarmlessParameter(name)) return false;
  return /^[\w.+/=~-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

function secretsIn(name: string, value: string): readonly string[] {
  if (!/cookie$/i.test(name)) return [value];
  return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
}
