import type { Exchange } from '../../kernel/core/index.ts';
import {
  answerOf,
  asker,
  classifyRefusal,
  errorMessage,
  jsonOf,
  membersOf,
  unservable,
} from '../../kernel/probing/index.ts';
import {
  type Call,
  catalogCall,
  listCall,
  messagesCount,
  messagesCountCall,
  usualNames,
} from '../../kernel/protocols/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { isMissingForBearer } from './discovery.ts';

// Header names differ between gateways. The usual ones are tried first, then those that the gateway's own errors
// name. No request costs a generation.

/** Result of looking for one header. */
export interface HeaderSeen {
  /** `missing` means that no endpoint takes it. */
  readonly state: 'accepted' | 'refused' | 'missing';
  /** Last answer of the gateway. */
  readonly said: string;
}

export interface HeadersSeen {
  /** Target with the names that were found. */
  readonly target: Target;
  /** The publisher's name in the version header of Messages, and the result for the key there. */
  readonly messages: HeaderSeen;
  /** The publisher's name in the header for the key on generative-content. */
  readonly generative: HeaderSeen;
}

/** Names given on the command line, which are not searched for. */
interface GivenHeaders {
  readonly vendorA?: string | undefined;
  readonly vendorB?: string | undefined;
}

/** The stand-ins of the specification. */
const standIns = { vendorA: 'vendorA', vendorB: 'vendorB' } as const;

/** Maximum number of names that are tried. */
const mostTries = 6;

/** Finds the publishers' names, and the header for the key on Chat Completions and System One. */
export async function findHeaders(
  target: Target,
  model: string,
  given: GivenHeaders,
  stop: AbortSignal,
): Promise<HeadersSeen> {
  const a = await findVersionHeader(target, model, given.vendorA, stop);
  const b = await findCatalogHeader(a.target, model, given.vendorB, stop);
  let found = b.target;
  for (const [endpoint, protocol] of [
    ['chat', 'chat-completions'],
    ['systemone', 'systemone'],
  ] as const) {
    found = await findKeyPlace(found, endpoint, unservable(protocol, model), stop);
  }
  return { target: found, messages: a.seen, generative: b.seen };
}

/** Finds the header for the key on `GET /v1/models`. */
export function findListHeader(target: Target, stop: AbortSignal): Promise<Target> {
  return findKeyPlace(target, 'models', listCall(), stop);
}

/** Finds the header for a key. Returns the target unchanged if there is none. */
async function findKeyPlace(
  target: Target,
  endpoint: keyof Target['credentials'],
  call: Call,
  stop: AbortSignal,
): Promise<Target> {
  const usual = ['x-api-key', `x-${usualNames.vendorB}-api-key`, 'api-key'];
  const own = target.credentials[endpoint];
  const queue = [own, ...Object.values(target.credentials), ...usual];
  const tried = new Set<string>();
  while (tried.size < mostTries) {
    const header = queue.find((one) => !tried.has(one));
    if (header === undefined) break;
    tried.add(header);
    const credentials = { ...target.credentials, [endpoint]: header };
    const exchange = await asker({ ...target, credentials }, stop)(call);
    if (!refusesKey(exchange)) return { ...target, credentials };
    queue.unshift(...namedIn(exchange, /\b(x-[a-z0-9-]*(?:key|token)|api[-_]?key)\b/gi));
  }
  return target;
}

async function findVersionHeader(
  target: Target,
  model: string,
  given: string | undefined,
  stop: AbortSignal,
): Promise<{ target: Target; seen: HeaderSeen }> {
  const of = (vendorA: string): Target => ({ ...target, names: { ...target.names, vendorA } });
  const count = messagesCountCall(messagesCount({ model, input: 'Hello', maxOutputTokens: 16 }));
  const call = unservable('messages', model);
  const isMissing = () => isMissingForBearer(call, model, asker(target, stop));
  return tried(given, 'vendorA', isMissing, async (name) => {
    const ask = asker(of(name), stop);
    const own = await ask(call);
    if (classifyRefusal(own, model, membersOf(call)) === 'nothing there')
      return { state: 'missing', last: own, named: [], target: of(name) };
    // A gateway may validate the body first, so a count with a valid one is sent as well.
    const counted = wantsVersion(own) ? own : await ask(count);
    const last = wantsVersion(counted) ? counted : own;
    const named = namedIn(last, /\b([a-z0-9]+(?:-[a-z0-9]+)*)-version\b/gi);
    const state = wantsVersion(last) || refusesKey(last) ? 'refused' : 'accepted';
    return { state, last, named, target: of(name) };
  });
}

async function findCatalogHeader(
  target: Target,
  model: string,
  given: string | undefined,
  stop: AbortSignal,
): Promise<{ target: Target; seen: HeaderSeen }> {
  const of = (vendorB: string): Target => ({ ...target, names: { ...target.names, vendorB } });
  const isOtherwiseMissing = () =>
    isMissingForBearer(unservable('generative', model), model, asker(target, stop));
  return tried(given, 'vendorB', isOtherwiseMissing, async (name) => {
    const ask = asker(of(name), stop);
    const catalog = await ask(catalogCall());
    const last = isMissing(catalog) ? await ask(unservable('generative', model)) : catalog;
    const named = namedIn(last, /\bx-([a-z0-9]+(?:-[a-z0-9]+)*)-api-key\b/gi);
    const state = isMissing(last) ? 'missing' : refusesKey(last) ? 'refused' : 'accepted';
    return { state, last, named, target: of(name) };
  });
}

interface Tried {
  readonly state: HeaderSeen['state'];
  readonly last: Exchange;
  /** Names in its error messages. */
  readonly named: readonly string[];
  readonly target: Target;
}

/**
 * Tries names until one is accepted: the usual one, those that errors name, the stand-in. If the first is refused
 * because of its key, checks first that the endpoint exists.
 */
async function tried(
  given: string | undefined,
  which: keyof typeof standIns,
  isMissing: () => Promise<boolean>,
  attempt: (name: string) => Promise<Tried>,
): Promise<{ target: Target; seen: HeaderSeen }> {
  const first = await attempt(given ?? usualNames[which]);
  if (first.state === 'refused' && refusesKey(first.last) && (await isMissing())) {
    return { target: first.target, seen: { state: 'missing', said: answerOf(first.last) } };
  }
  let best = first;
  const before = new Set([given ?? usualNames[which]]);
  const queue = given === undefined ? [...first.named, standIns[which]] : [];
  while (best.state === 'refused' && before.size < mostTries) {
    const name = queue.find((one) => ![...before].some((other) => isSame(one, other)));
    if (name === undefined) break;
    before.add(name);
    const next = await attempt(isSame(name, standIns[which]) ? standIns[which] : name);
    queue.unshift(...next.named);
    if (next.state !== 'refused') best = next;
  }
  return { target: best.target, seen: { state: best.state, said: answerOf(best.last) } };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** True for a refusal that asks for the version header of Messages, and so is not about a key or an address. */
export function wantsVersion(exchange: Exchange): boolean {
  const message = errorMessage(jsonOf(exchange)) ?? '';
  return /version/i.test(message) && /header|required|missing/i.test(message);
}

/** True if the answer is about the key, and not about the request. */
export function refusesKey(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  if (status === 401 || status === 403) return true;
  return status === 400 && /api.?key|credential|unauthenti/i.test(textOf(exchange));
}

function isMissing({ response }: Exchange): boolean {
  return response?.status === 404 || response?.status === 405 || response?.status === 501;
}

function namedIn(exchange: Exchange, form: RegExp): string[] {
  if ((exchange.response?.status ?? 0) < 400) return [];
  return [...textOf(exchange).matchAll(form)].map(([, name = '']) => name);
}

function textOf({ response }: Exchange): string {
  return new TextDecoder().decode(response?.body.subarray(0, 4_000));
}
