import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Bounded, type Limits } from '../bounded.ts';
import type { Call, Gateway } from '../call.ts';
import { dialectNames } from '../dialect.ts';
import type { JsonObject } from '../json.ts';
import { keyRoles } from '../keys.ts';
import { isSecretName } from './secret-names.ts';

export interface RequestEntry {
  /** Number from 1, over all regions. */
  readonly number: number;
  /** Arrival time; ISO 8601. */
  readonly at: string;
  readonly region: string;
  /** HTTP method; `WebSocket` for a turn. */
  readonly method: string;
  readonly path: string;
  /** Query parameters, without keys. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers with names in lower case, without those that carry a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** `responses`, `chat-completions`, `messages`, `generative`, `systemone`; `models` for the list. */
  readonly protocol: string;
  /** Operation such as `chat-completions.create`; `none` if no endpoint matches. */
  readonly operation: string;
  /** Role of the key in the request, never the key itself; null without a known key. */
  readonly key: string | null;
  readonly client_request_id: string | null;
  readonly model: string | null;
  /** Null if the request has no body, or one too large to keep. */
  readonly body: JsonObject | null;
  readonly body_bytes: number;
  /** Null until it is known. */
  readonly status: number | null;
  /** Milliseconds until the end of the answer; null until then. */
  readonly ms: number | null;
  /** True if the connection ended before the answer. */
  readonly cut: boolean;
  readonly faults: readonly string[];
  /** Script rule that determined the answer, or `otherwise`; null for the reference gateway's own answer. */
  readonly rule: string | null;
}

/** Filter for requests; all of its members have to match. */
export interface RequestFilter {
  readonly protocol?: string;
  /** Path, or a prefix of it that ends before `/` or `:`. */
  readonly path?: string;
  readonly model?: string;
  /** Status, `429`, or class, `4xx`. */
  readonly status?: string | number;
  /** Number of the request, or time (ISO 8601), after which requests match. */
  readonly since?: string | number;
  readonly region?: string;
  readonly key?: string;
}

export const filterNames = [
  'protocol',
  'path',
  'model',
  'status',
  'since',
  'region',
  'key',
] as const satisfies readonly (keyof RequestFilter)[];

/**
 * Limits of the journal, which keeps the latest requests. Default: 1000 requests, in 16 megabytes. With a count of
 * 0, requests are only counted.
 */
export interface JournalOptions extends Partial<Limits> {
  /** Called for each request at the end of its answer. */
  readonly ended?: (entry: RequestEntry) => void;
}

/** A current or past request. Its entry is created on demand. */
interface Noted {
  readonly number: number;
  readonly at: number;
  readonly from: number;
  /** Call of the request, without a body that is too large to keep. */
  call: Call;
  /** True for HTTP, false for a turn on a WebSocket. */
  readonly isHttp: boolean;
  /** Null without an HTTP answer, and after its end, because it retains much memory. */
  out: ServerResponse | null;
  status: number | null;
  ms: number | null;
  cut: boolean;
}

/** Requests of one kind, as the metrics count them. */
interface EndedRequests {
  readonly region: string;
  readonly protocol: string;
  readonly operation: string;
  readonly status: number;
  count: number;
}

/** Approximate bytes of a request without its body. */
const headBytes = 2_000;

/** Latest requests, oldest first. */
export class RequestJournal {
  /** True if it keeps requests. It counts them for the metrics in any case. */
  readonly keepsAny: boolean;
  readonly #largest: number;
  readonly #told: JournalOptions['ended'];
  readonly #entries: Bounded<Noted, number>;
  #number = 0;
  readonly #open = new Set<Noted>();
  /** Ended requests by operation. */
  readonly #ended = new Map<string, EndedRequests[]>();

  constructor({ count = 1000, bytes = 16_000_000, ended }: JournalOptions = {}) {
    this.keepsAny = count > 0;
    this.#entries = new Bounded({ count, bytes });
    // One body must not evict all the others.
    this.#largest = bytes / 16;
    this.#told = ended;
  }

  /** Requests whose answer has not ended. */
  get open(): ReadonlySet<Noted> {
    return this.#open;
  }

  get ended(): readonly EndedRequests[] {
    return [...this.#ended.values()].flat();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Begins an entry. @param out null for a turn on a WebSocket, which {@link end} ends */
  begin(call: Call, out: ServerResponse | null): Noted {
    const noted: Noted = {
      number: ++this.#number,
      at: Date.now(),
      from: performance.now(),
      call,
      isHttp: out !== null,
      out,
      status: null,
      ms: null,
      cut: false,
    };
    this.#open.add(noted);
    this.#entries.put(noted.number, noted, headBytes);
    out?.once('close', () => this.end(noted, out.statusCode, !out.writableFinished));
    return noted;
  }

  end(noted: Noted, status: number, cut: boolean): void {
    if (!this.#open.delete(noted)) return;
    noted.out = null;
    noted.ms = Math.round(performance.now() - noted.from);
    noted.status = status;
    noted.cut = cut || noted.call.note.cut;
    const { gateway, dialect, operation } = noted.call;
    this.#count(gateway.region, dialect.name, operation, status);
    this.#told?.(entryOf(noted));
  }

  #count(region: string, protocol: string, operation: string, status: number): void {
    const alike = this.#ended.get(operation) ?? [];
    if (alike.length === 0) this.#ended.set(operation, alike);
    for (const one of alike) {
      if (one.status !== status || one.protocol !== protocol || one.region !== region) continue;
      one.count++;
      return;
    }
    alike.push({ region, protocol, operation, status, count: 1 });
  }

  /** Records that the body of a request has been read. */
  read(noted: Noted): void {
    const { bytes } = noted.call.note;
    if (bytes > this.#largest) noted.call = { ...noted.call, body: {} };
    else this.#entries.resize(noted.number, headBytes + 2 * bytes);
  }

  /** Enters a turn of a WebSocket, which runs meanwhile. @returns its status */
  async during(call: Call, turn: () => Promise<number>, gone: AbortSignal): Promise<number> {
    const noted = this.begin(call, null);
    this.read(noted);
    const status = await turn();
    this.end(noted, status, gone.aborted);
    return status;
  }

  /** Returns the matching requests, oldest first. */
  find(filter: RequestFilter = {}): RequestEntry[] {
    return [...this.#entries.values()].map(entryOf).filter((entry) => fits(entry, filter));
  }

  /** @returns the number of removed requests */
  clear(): number {
    const { size } = this;
    this.#entries.clear();
    return size;
  }
}

/** Returns the error in a filter that cannot match any request; null for a valid filter. */
export function wrongFilter(filter: RequestFilter, { everywhere }: Gateway): string | null {
  const among: readonly (readonly [keyof RequestFilter, readonly string[]])[] = [
    ['protocol', dialectNames],
    ['region', everywhere.map(({ region }) => region)],
    ['key', keyRoles],
  ];
  for (const [name, known] of among) {
    const asked = filter[name];
    if (asked === undefined || known.includes(String(asked))) continue;
    return `'${name}' is '${String(asked).slice(0, 80)}': there are ${known.join(', ')}.`;
  }
  const { status, since, path } = filter;
  if (status !== undefined && !/^[1-5](?:\d\d|xx)$/i.test(String(status))) {
    return "'status' has to be a status, such as 429, or a class of them, such as 4xx.";
  }
  if (path !== undefined && !path.startsWith('/')) {
    return "'path' has to begin with a slash, as in /v1/messages.";
  }
  if (since === undefined || /^\d+$/.test(String(since))) return null;
  return Number.isNaN(Date.parse(String(since)))
    ? "'since' has to be the number of a request, or a time in ISO 8601."
    : null;
}

function fits(entry: RequestEntry, filter: RequestFilter): boolean {
  const { path, status, since } = filter;
  for (const name of ['protocol', 'model', 'region', 'key'] as const) {
    if (filter[name] !== undefined && filter[name] !== entry[name]) return false;
  }
  if (path !== undefined && entry.path !== path) {
    const rest = entry.path.startsWith(path) ? entry.path.slice(path.length) : '';
    if (!/^[/:]/.test(rest) && !(rest !== '' && path.endsWith('/'))) return false;
  }
  if (status !== undefined) {
    const known = String(entry.status ?? '');
    const asked = String(status);
    if (/^\dxx$/i.test(asked) ? known[0] !== asked[0] : known !== asked) return false;
  }
  if (since === undefined) return true;
  return /^\d+$/.test(String(since))
    ? entry.number > Number(since)
    : Date.parse(entry.at) >= Date.parse(String(since));
}

function entryOf({ number, at, call, isHttp, out, status, ms, cut }: Noted): RequestEntry {
  const { body, headers, note, params } = call;
  const model = body.model ?? params.model;
  const secrets = call.gateway.keys.map(({ secret }) => secret);
  return {
    number,
    at: new Date(at).toISOString(),
    region: call.gateway.region,
    method: isHttp ? call.method : 'WebSocket',
    path: call.path,
    query: withoutKeys(Object.fromEntries(call.query), secrets),
    headers: withoutKeys(headers, secrets),
    protocol: call.dialect.name,
    operation: call.operation,
    key: call.key?.role ?? null,
    client_request_id: call.clientRequestId,
    model: typeof model === 'string' ? model : null,
    body: Object.keys(body).length === 0 ? null : body,
    body_bytes: note.bytes,
    status: status ?? (out?.headersSent === true ? out.statusCode : null),
    ms,
    cut,
    faults: note.faults,
    rule: note.rule,
  };
}

/** Removes keys, which may appear in any value, including keys of other services. */
function withoutKeys(
  values: IncomingHttpHeaders,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const text = [value].flat().join(', ');
    const isSecret = isSecretName(name) || secrets.some((secret) => text.includes(secret));
    if (value !== undefined && !isSecret) kept[name] = text;
  }
  return kept;
}
