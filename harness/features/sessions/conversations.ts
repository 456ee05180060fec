import {
  type Conversation,
  type ConversationRequest,
  compareIds,
  type Exchange,
  formatId,
  formatSender,
} from '../../kernel/core/index.ts';
import { requestInWords } from '../../kernel/judge/index.ts';
import { scriptInWords } from './script.ts';
import { generationsIn, protocolsOf, type SentGeneration } from './seen.ts';
import type { ClientSession } from './session.ts';

/** Maximum characters of the client's output in a report. */
const shownOfOutput = 2_000;

/** Returns the starts of a client as reports show them, sorted by start time. */
export function conversationsOf(sessions: readonly ClientSession[]): readonly Conversation[] {
  return sessions
    .toSorted(
      (one, other) => one.run.startedAt - other.run.startedAt || compareIds(one.id, other.id),
    )
    .map(conversationOf);
}

function conversationOf(session: ClientSession): Conversation {
  const { id, task, stream, script, met, run, exchanges } = session;
  // A client that speaks one protocol alone does so whatever protocol the start names.
  const [protocol = session.protocol] = protocolsOf(session);
  const { startedAt, endedAt, exit, endedBy, answer } = run;
  return {
    key: formatId(id),
    scenario: formatSender(id),
    protocol,
    task,
    stream,
    script: scriptInWords(script),
    met,
    startedAt,
    took: endedAt - startedAt,
    exit,
    endedBy,
    outcome: answer?.unsupported === true ? 'unsupported' : (answer?.outcome ?? null),
    printed: run.stdout.slice(0, shownOfOutput),
    errors: run.stderr.slice(-shownOfOutput),
    requests: exchanges.map((one) => requestOf(one, generationsIn(session), startedAt)),
  };
}

function requestOf(
  exchange: Exchange,
  generations: readonly SentGeneration[],
  since: number,
): ConversationRequest {
  const { id, about, times } = exchange;
  return {
    exchange: formatId(id),
    request: requestInWords(exchange),
    region: about.region,
    at: times.started - since,
    took: times.ended - times.started,
    outcome: outcomeForClient(exchange),
    asked: generations
      .filter((generation) => generation.exchange === exchange)
      .map(({ at }) => at - since),
  };
}

/**
 * Returns the outcome of a request that a client sent, in words. Roles are reversed compared with requests of our
 * own: a cut is made by the gateway.
 */
export function outcomeForClient({ response, failure, socket }: Exchange): string {
  const status = response === null ? null : String(response.status);
  const whole = status === null ? null : socket === null ? status : `${status}, a WebSocket`;
  if (failure === null) return whole ?? 'no answer';
  const { kind } = failure;
  const [alone, after] = endings[kind] ?? [`no answer (${kind})`, `then ${kind}`];
  return whole === null ? alone : `${whole}, ${after}`;
}

/** Failures without an answer, and behind the beginning of one. */
const endings: Readonly<Record<string, readonly [string, string]>> = {
  cut: ['cut by the gateway, no answer', 'then cut by the gateway'],
  reset: ['the client left before an answer', 'and the client left before its end'],
};
