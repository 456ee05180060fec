import {
  type Conversation,
  type ConversationRequest,
  compareIds,
  type Exchange,
  formatId,
  formatSender,
} from '../../kernel/core/index.ts';
import { requestInWords } from '../../kernel/judge/index.ts';
import { scriptInWords } from './script-words.ts';
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
  const generations = generationsIn(session);
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
    requests: exchanges.map((exchange) => requestOf(exchange, generations, startedAt)),
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
  switch (failure?.kind) {
    case undefined:
      return whole ?? 'no answer';
    case 'cut':
      return whole === null ? 'cut by the gateway, no answer' : `${whole}, then cut by the gateway`;
    case 'reset':
      return whole === null
        ? 'the client left before an answer'
        : `${whole}, and the client left before its end`;
    default:
      return whole === null ? `no answer (${failure?.kind})` : `${whole}, then ${failure?.kind}`;
  }
}
