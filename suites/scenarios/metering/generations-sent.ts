import {
  asksToGenerate,
  contentOf,
  type Exchange,
  hasGeneratedContent,
  isRefused,
  isServed,
  json,
  type Protocol,
  protocolOf,
  remembered,
  type StreamingProtocol,
  tokenCounts,
  turnsOf,
  type WholeRun,
} from '../../../harness/index.ts';
import { onceFor, requestBody, responseIn } from '../exchanges.ts';
import { terminal } from '../stored/stored-responses.ts';
import { askedAt, type Exchanged } from './ledger-answers.ts';

// Reads the generations that a run requested, and their outcomes. Nothing here judges.

export type GenerationMode =
  | Protocol
  | `${StreamingProtocol}-stream`
  | 'websocket'
  | 'background'
  | 'continuation';

/** True for a request, or the turns of a WebSocket, that asks for a generation. */
export function isGeneration({ about, socket }: Exchange): boolean {
  return socket !== null || asksToGenerate(about);
}

/** Returns the mode of a generation; null for any other request, including compact calls. */
export const modeOf = remembered((request): GenerationMode | null => {
  if (request.socket !== null) return 'websocket';
  if (!isGeneration(request) || request.about.operation === 'responses.compact') return null;
  const protocol = protocolOf(request);
  if (protocol === null || protocol === 'systemone') return protocol;
  const body = requestBody(request);
  if (protocol === 'responses') {
    if (json.at(body, 'background') === true) return 'background';
    if (json.at(body, 'previous_response_id') != null) return 'continuation';
  }
  const streams =
    json.at(body, 'stream') === true || request.about.operation === 'generative.stream';
  return streams ? `${protocol}-stream` : protocol;
});

/** True if a generation visibly produced output. A background run may fail before that. */
export function hasToBeRecorded(run: Exchanged, request: Exchange): boolean {
  if (!isGeneration(request)) return false;
  if (hasGeneratedContent(request)) return true;
  return (
    modeOf(request) === 'background' &&
    fatesOf(run, request).some(({ lookups }) => lookups.some(hasGeneratedContent))
  );
}

interface UsageTold {
  readonly input: number;
  readonly output: number;
  /** Thought tokens that are counted separately from the output. */
  readonly thoughts: number;
}

/** Returns the turns of a WebSocket that were not refused; any other exchange is its only turn. */
function turnsThatGenerate(request: Exchange): readonly Exchange[] {
  return request.socket === null ? [request] : turnsOf(request).filter((turn) => !isRefused(turn));
}

/** Returns the usage of all turns of a request, or of the last lookup of its response; null if incomplete. */
export function usageTold(run: WholeRun, request: Exchange): UsageTold | null {
  const answers = turnsThatGenerate(request);
  if (answers.length === 0) return null;
  const own = answers.map(usageIn);
  if (own.every((one) => one !== null)) return own.reduce(sum);
  const [fate] = answers.length === 1 ? fatesOf(run, request) : [];
  const last = fate?.lookups.findLast(hasEnded);
  return last === undefined ? null : usageIn(last);
}

function hasEnded(answer: Exchange): boolean {
  return terminal.includes(contentOf(answer).ending);
}

/** Returns the usage of an answer, or null. An interrupted stream shows only part of its usage. */
function usageIn(answer: Exchange): UsageTold | null {
  const [input, output] = [tokenCounts.input(answer), tokenCounts.output(answer)];
  if (answer.failure !== null || input === null || output === null) return null;
  if (input === 0 || output === 0) return null;
  const thoughts = Number(json.at(contentOf(answer).usage, 'thoughtsTokenCount') ?? 0);
  return { input, output, thoughts };
}

function sum(one: UsageTold, other: UsageTold): UsageTold {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    thoughts: one.thoughts + other.thoughts,
  };
}

/** Deletion, cancel, ageing and lookups of a response. */
interface Fate {
  readonly deletion: Exchange | null;
  readonly cancel: Exchange | null;
  /** Seconds by which it was aged. */
  readonly age: number;
  /** Served lookups in order. `fatesOf` returns those that ended before the ledger request. */
  readonly lookups: readonly Exchange[];
}

const unknown: Fate = { deletion: null, cancel: null, age: 0, lookups: [] };

const fatesIn = onceFor((exchanges: readonly Exchange[]): ReadonlyMap<string, Fate> => {
  const all = new Map<string, Fate>();
  const inTime = [...exchanges].sort((one, other) => one.times.ended - other.times.ended);
  for (const exchange of inTime) {
    const { operation } = exchange.about;
    const id = operation === 'probes.clock' ? agedId(exchange) : responseIn(exchange);
    if (id === null || !takesPlace(exchange)) continue;
    const before = all.get(id) ?? unknown;
    switch (operation) {
      case 'responses.delete':
        all.set(id, { ...before, deletion: exchange });
        break;
      case 'responses.cancel':
        all.set(id, { ...before, cancel: exchange });
        break;
      case 'responses.lookup':
        all.set(id, { ...before, lookups: [...before.lookups, exchange] });
        break;
      case 'probes.clock': {
        const age = Number(json.at(requestBody(exchange), 'age_seconds') ?? 0);
        all.set(id, { ...before, age: Math.max(age, before.age) });
        break;
      }
    }
  }
  return all;
});

function takesPlace(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  return exchange.about.operation === 'probes.clock'
    ? status >= 200 && status < 300
    : isServed(exchange);
}

function agedId(exchange: Exchange): string | null {
  return json.text(requestBody(exchange), 'response_id');
}

/**
 * Returns the fates of the responses that a request created, one per turn of a WebSocket. Lookups after the ledger
 * request are left out, because they prove nothing about what the ledger had to show.
 */
export function fatesOf(run: Exchanged, request: Exchange): readonly Fate[] {
  const asked = askedAt(run, request);
  return turnsOf(request)
    .flatMap((turn) => contentOf(turn).id ?? [])
    .map((id) => fatesIn(run.exchanges).get(id) ?? unknown)
    .map((fate) => ({
      ...fate,
      lookups: fate.lookups.filter(({ times }) => times.ended <= asked),
    }));
}

/** True if no response that a request created was deleted or has expired. */
export function isStillThere(run: WholeRun, request: Exchange): boolean {
  return fatesOf(run, request).every(
    ({ deletion, age }) => deletion === null && !isPastRetention(run, age),
  );
}

/** Last known state of a run when its response was deleted. */
export type MomentOfDeletion = 'ended' | 'running';

/** Returns the state of the run when a response of the request was deleted; null without a deletion. */
export function momentOfDeletion(run: WholeRun, request: Exchange): MomentOfDeletion | null {
  const fate = fatesOf(run, request).find(({ deletion }) => deletion !== null);
  if (fate === undefined || fate.deletion === null) return null;
  const { started } = fate.deletion.times;
  // A turn may have ended long before its socket was closed.
  if (request.socket !== null) return usageTold(run, request) === null ? 'running' : 'ended';
  const seenToEnd = [request, ...fate.lookups].some(
    (answer) => hasEnded(answer) && answer.times.ended <= started,
  );
  return seenToEnd ? 'ended' : 'running';
}

/** @param age in seconds */
export function isPastRetention({ target }: WholeRun, age: number): boolean {
  return age > target.retentionDays * 86_400;
}
