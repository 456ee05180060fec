import { type CheckVerdict, type Exchange, formatId } from '../../kernel/core/index.ts';
import {
  type Check,
  exchangesOf,
  forgivingReplay,
  type Scenario,
  type TargetRun,
  transients,
  verdictsOf,
} from '../../kernel/engine/index.ts';

const nothing = { body: new Uint8Array(), chunks: [] };

type Verdicts = Readonly<Record<string, CheckVerdict>>;

type Change = (exchange: Exchange) => Exchange | null;

const half = (exchange: Exchange): Exchange => transients.slow(exchange) ?? exchange;

/** Apart from the transients that are nobody's fault, what a gateway may be blamed for: a verdict has to stay as it was. */
const changes: Readonly<Record<string, Change>> = {
  ...transients,
  broken: (exchange) => ({
    ...half(exchange),
    failure: { kind: 'reset', message: 'the connection broke' },
  }),
  closed: (exchange) => ({
    ...half(exchange),
    socket: exchange.socket && {
      frames: exchange.socket.frames.slice(0, 2),
      close: { code: 1000, reason: '', by: 'gateway' },
    },
    failure: null,
  }),
  unfinished: (exchange) => ({
    ...exchange,
    response: exchange.socket === null ? withoutLastChunk(exchange.response) : exchange.response,
    socket: exchange.socket && { frames: exchange.socket.frames.slice(0, -1), close: null },
    failure: half(exchange).failure,
  }),
  uncounted: (exchange) => ({
    ...exchange,
    response: exchange.response && {
      ...exchange.response,
      body: withZeros(exchange.response.body),
    },
    socket: exchange.socket && {
      ...exchange.socket,
      frames: exchange.socket.frames.map((frame) =>
        frame.from === 'us' ? frame : { ...frame, data: withZeros(frame.data) },
      ),
    },
  }),
  drained: (exchange) =>
    exchange.response && { ...exchange, response: { ...exchange.response, ...nothing } },
  failed: answering(500, '{"error":{"type":"server_error","message":"It failed."}}'),
  refused: answering(400, '{"error":{"type":"invalid_request_error","message":"No."}}'),
  missing: answering(404, '{"error":{"type":"not_found_error","message":"There is none."}}'),
  empty: answering(200, '{}'),
};

/** Number of answers that are tried of a scenario with an axis, whose answers are all alike. */
const mostAnswers = 6;

/** Picks answers from the beginning and the end, so that a long poll is included with what follows it. */
function firstAndLast(answers: readonly Exchange[]): readonly Exchange[] {
  const first = answers.slice(0, mostAnswers / 2);
  return [...first, ...answers.slice(first.length).slice(-mostAnswers / 2)];
}

/**
 * Verdicts on what was captured with each change of each answer to a scenario. None, where the
 * scenario asks for something else than was captured: then nothing is known about the answers.
 *
 * @param enough asked about the verdicts on each change; true: the other changes need not be tried
 */
export async function afterTransients(
  run: TargetRun,
  scenario: Scenario,
  checks: readonly Check[],
  enough: (verdicts: Verdicts) => boolean,
): Promise<Verdicts> {
  const exchanges = await exchangesIn(run);
  const own = exchangesOf(
    (await run.outcomes.get(scenario)) ?? { kind: 'error', error: null, exchanges: [] },
  );
  const as = forgivingReplay(run, exchanges);
  const verdicts = named('unchanged', await verdictsOf(as, checks));
  if (as.strays > 0) return {};
  if (enough(verdicts)) return verdicts;
  for (const one of firstAndLast(own.filter(({ response }) => response !== null))) {
    for (const [name, change] of Object.entries(changes)) {
      const other = change(one);
      if (other === null) continue;
      const changed = exchanges.map((each) => (each === one ? other : each));
      const replay = forgivingReplay(run, changed);
      const after = named(`${formatId(one.id)} ${name}`, await verdictsOf(replay, checks));
      Object.assign(verdicts, after);
      if (enough(after)) return verdicts;
    }
  }
  return verdicts;
}

/** All that was captured. */
export async function exchangesIn(run: TargetRun): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const outcome of run.outcomes.values()) exchanges.push(...exchangesOf(await outcome));
  return exchanges;
}

function withoutLastChunk(response: Exchange['response']): Exchange['response'] {
  if (response === null) return null;
  const chunks = response.chunks.slice(0, -1);
  const body = response.body.subarray(0, chunks.at(-1)?.end ?? 0);
  return { ...response, body, chunks, complete: false };
}

/** Every number a zero, and no byte more or less: what arrived when stays as it was. */
function withZeros(json: Uint8Array): Buffer {
  const text = Buffer.from(json).toString('latin1');
  const zeros = text.replaceAll(/(?<=:\s*)\d+(?=[,}])/g, ({ length }) => '0'.padStart(length));
  return Buffer.from(zeros, 'latin1');
}

function answering(status: number, body: string): Change {
  return (exchange) => ({
    ...exchange,
    response: {
      status,
      headers: [['content-type', 'application/json']],
      body: Buffer.from(body),
      chunks: [],
      complete: true,
    },
    socket: null,
    failure: null,
  });
}

function named(when: string, verdicts: ReadonlyMap<string, CheckVerdict>) {
  const all: Record<string, CheckVerdict> = {};
  for (const [check, verdict] of verdicts) all[`${check}, ${when}`] = verdict;
  return all;
}
