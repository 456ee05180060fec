import {
  type Capability,
  type Exchange,
  endsTurn,
  type Fields,
  Inconclusive,
  type Io,
  idOf,
  isRefused,
  isServed,
  json,
  lostBecause,
  mostPolls,
  outcome,
  protocolModules,
  responsesFindings,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import { baseline, leftRunning, lookupControl } from '../baselines.ts';
import { present } from '../exchanges.ts';
import { clientForms, costOf, sendInForms } from '../requests/request-forms.ts';
import { longLimit, pollsAnd, pollToTheEnd } from '../stored/stored-responses.ts';

/** A stream or a turn with `store: true` that the suite interrupted, and the lookups of its run. */
interface Interrupted {
  /** Exchange up to the cut. */
  readonly seen: Exchange;
  readonly id: string;
  readonly lookups: readonly Exchange[];
}

/**
 * Matches the first text, after any events without text: a queue, a reasoning item, an empty delta. The text may
 * arrive in one piece.
 */
export const textBegun = { events: 1, holding: (data: string) => carriesText(json.parsed(data)) };

function carriesText(event: unknown): boolean {
  return (protocolModules.responses.stream.textOf(event) ?? '') !== '';
}

const interruptedInBackground = interruptedStream('running/interrupted-background-stream', true);
export const interruptedInForeground = interruptedStream(
  'running/interrupted-foreground-stream',
  false,
);

/**
 * A turn over WebSocket whose connection the suite cuts at its first text, without a closing frame. The baseline
 * turn comes first, so that the cut cannot disturb it.
 */
export const interruptedTurn = scenario(
  'running/interrupted-turn',
  {
    after: { baseline: baseline.websocket },
    cost: (target) => ({ requests: 1, generations: 1, outputTokens: longLimit(target) }),
  },
  async (io, { baseline: { baseline: control } }) => {
    const { responses } = io;
    const session = await responses.connect();
    session.send(responses.frame(longAnswer(io)));
    await session.receive(
      ({ json: event }) => carriesText(event) || endsTurn(json.text(event, 'type')),
    );
    session.terminate();
    return { control, seen: await session.exchange() };
  },
);

/** The baseline request in one body, all of it sent, whose client leaves before any answer. */
export const droppedBody = scenario(
  'running/dropped-body',
  { after: { baseline: baseline.responses }, cost: { requests: 1, generations: 1 } },
  ({ ask }, { baseline: { input } }) =>
    ask('responses', { input }, { cutRequestAfterBytes: Number.MAX_SAFE_INTEGER }),
);

/** Returns a request for a text long enough to be interrupted; its limit truncates the rest. */
function longAnswer({ target, text, topic }: Io) {
  const limit = longLimit(target);
  return { input: text(400, topic()), max_output_tokens: limit, store: true };
}

/** Interrupts a stream. In the foreground it has no output limit at first, which a gateway may refuse. */
function interruptedStream(
  name: string,
  background: boolean,
): Scenario<{ readonly seen: Exchange; readonly first: Exchange }> {
  const supports: Capability[] = ['stream:responses'];
  if (background) supports.push('background');
  return scenario(
    name,
    {
      needs: { model: { speaks: 'responses', supports } },
      cost: (target) => ({
        ...{ requests: 2, generations: 1, fallback: 1 },
        outputTokens: background ? longLimit(target) : null,
      }),
    },
    async (io) => {
      const more = background ? { background } : {};
      const send = (unlimited: Fields): Promise<Exchange> =>
        io.responses.stream({ ...longAnswer(io), ...more, ...unlimited }, { cut: textBegun });
      const first = await send(background ? {} : { max_output_tokens: undefined });
      return { first, seen: !background && isRefused(first) ? await send({}) : first };
    },
  );
}

/** Lookups of a run whose connection was interrupted; a gateway may hide the run until it ends. */
export const lookedUpAfterInterruption = {
  background: lookedUp('running/interrupted-background-looked-up', interruptedInBackground),
  foreground: lookedUp('running/interrupted-foreground-looked-up', interruptedInForeground),
  websocket: lookedUp('running/interrupted-turn-looked-up', interruptedTurn),
};

function lookedUp(
  name: string,
  interrupted: Scenario<{ readonly seen: Exchange }>,
): Scenario<Interrupted> {
  return scenario(
    name,
    {
      after: { interrupted, lookupControl },
      cost: (target) => ({
        requests: 2 * mostPolls(target),
        spare: 2 * mostPolls(target) - 2,
        generations: 0,
      }),
    },
    async (io, { interrupted: { seen }, lookupControl: { baseline: ordinary } }) => {
      const id = idOf(seen);
      // A gateway that shows no responses at all is not polled.
      const hidden = isServed(ordinary)
        ? await pollUntilShown(io, id)
        : [await io.responses.lookup(id)];
      const isFound = present(hidden.at(-1), 'lookup').response?.status === 200;
      return { seen, id, lookups: isFound ? await pollToTheEnd(io, id) : hidden };
    },
  );
}

/** The rest of a background stream, fetched immediately while the run continues. */
export const resumed = scenario(
  'running/resumed',
  { after: { interrupted: interruptedInBackground }, cost: pollsAnd(1) },
  async (io: Io, { interrupted: { seen } }) => {
    const id = idOf(seen);
    const last = lastNumber(seen);
    const rest = await io.responses.recover(id, { startingAfter: last });
    const lookups = await pollToTheEnd(io, id);
    return { seen, last, rest, lookups, limit: longLimit(io.target) };
  },
);

/** Returns the sequence numbers of the received events; empty without a stream. */
export function numbersIn(stream: Exchange): readonly number[] {
  return responsesFindings(stream)?.sequenceNumbers ?? [];
}

/**
 * Returns the number of the last received event.
 *
 * @throws {Inconclusive} if no event has a number; another check judges that
 */
export function lastNumber(stream: Exchange): number {
  const last = numbersIn(stream).at(-1);
  if (last !== undefined) return last;
  throw new Inconclusive('no event of the stream had a sequence number to go on from', stream);
}

/**
 * The rest of an interrupted foreground stream, fetched after the end of its run, because the native API may hide
 * the response and its events until then.
 */
export const resumedInForeground = scenario(
  'running/resumed-in-foreground',
  {
    after: { lookedUp: lookedUpAfterInterruption.foreground },
    cost: { requests: 1, generations: 0 },
  },
  async ({ responses }, { lookedUp: { seen, id, lookups } }) => ({
    seen,
    lookups,
    rest: await responses.recover(id, { startingAfter: lastNumber(seen) }),
  }),
);

/** Polls a response until the gateway shows it, or the deadline passes. */
function pollUntilShown({ responses, poll }: Io, id: string): Promise<Exchange[]> {
  return poll(
    () => responses.lookup(id),
    ({ response }) => response?.status !== 404,
  );
}

/** A run that goes on while the baseline request cancels another one, and its lookup after that. */
export const besideCancelled = scenario(
  'background/beside-cancelled',
  {
    after: { other: leftRunning, done: baseline.cancel },
    cost: costOf(clientForms.withoutBody, { requests: 2, generations: 0 }),
  },
  async (io, { other: { id, created: before }, done }) => {
    const after = await io.responses.lookup(id);
    // The rest of the run has no reader, and costs the user money.
    const { clients } = await sendInForms(io, clientForms.withoutBody, (as) =>
      io.responses.cancel(id, as),
    );
    return { seen: done.before, stop: done.baseline, clients, before, after };
  },
);

/**
 * Returns the last event of the open stream of a stopped run.
 *
 * @throws {Inconclusive} without one
 */
export function endOf(stream: Exchange): string | null {
  const findings = responsesFindings(stream);
  if (lostBecause(stream) !== '') {
    throw new Inconclusive(`the open stream was not seen to its end${lostBecause(stream)}`, stream);
  }
  if (findings === null) {
    throw new Inconclusive(`there was no stream to be ended, but ${outcome(stream)}`, stream);
  }
  return findings.terminal;
}

/** Advice for a model that generated no text. */
export const noTextHint =
  'where a model uses up its output limit with thoughts, raise `limits.maxOutputTokens` of the target file';
