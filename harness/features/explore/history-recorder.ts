import {
  asObject,
  type EndpointName,
  type Exchange,
  finite,
  flag,
  formatSender,
  kind,
  listOf,
  loadCatalogue,
  objectOf,
  oneOf,
  orNull,
  parsed,
  protocolOfEndpoint,
  type Read,
  suiteVersion,
  text,
  whole,
} from '../../kernel/core/index.ts';
import {
  type ExploredWithin,
  headerLine,
  Recorder,
  type RecordingHeader,
} from '../../kernel/engine/index.ts';
import {
  creationModes,
  operations,
  type RequestMode,
  requestModes,
} from '../../kernel/model/index.ts';
import { keyNames } from '../../kernel/targets/index.ts';
import type { Explored, Performed } from './finds.ts';
import type { Act, FirstMode, History, TriedOperation } from './history.ts';

/** A history as a line of a recording. Its exchanges precede it. */
export interface RecordedHistory
  extends Pick<Performed, 'name' | 'number' | 'drawn'>,
    Pick<History, 'steps'> {}

/** Last line of a recording: the totals, and the omissions. */
export interface RecordedEnd extends Omit<Explored, 'finds'> {
  /** Reason why it ended before a bound was reached, or null if it did not. */
  readonly incomplete: string | null;
  readonly durationMs: number;
  /** Number of recorded histories, including those for shortening. */
  readonly recorded: number;
  /** Number of histories that were not recorded because the file had reached its maximum size. */
  readonly leftOut: number;
}

const historyBeginning = '{"history":';
const endBeginning = '{"explored":';

/**
 * File size in bytes from which a recording takes only histories that show something for the first time, or in
 * fewer acts.
 */
const mostBytes = 256 * 1024 * 1024;

/**
 * Records an exploration: for each history its exchanges, then its acts. Beyond a maximum size it records only the
 * histories that finds depend on, so that a recording of any exploration has an end and all finds.
 */
export class HistoryRecorder extends Recorder {
  readonly #most: number;
  /** Exchanges of histories that have not ended. */
  readonly #waiting = new Map<string, { target: string; exchanges: Exchange[] }>();
  #recorded = 0;
  #leftOut = 0;

  /** @param most maximum size in bytes */
  constructor(path: string | null, header: string, most: number) {
    super(path, header);
    this.#most = most;
  }

  /** Number of histories that are not in the recording. */
  get leftOut(): number {
    return this.#leftOut;
  }

  override add(target: string, exchange: Exchange): void {
    // Requests that check if a key still works belong to no history.
    if (exchange.id.origin === 'sentinel') {
      super.add(target, exchange);
      return;
    }
    const name = formatSender(exchange.id);
    const waiting = this.#waiting.get(name) ?? { target, exchanges: [] };
    waiting.exchanges.push(exchange);
    this.#waiting.set(name, waiting);
  }

  /** @param matters true if a find depends on this history */
  ended({ name, number, drawn, history }: Performed, matters: boolean): void {
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    if (this.bytes >= this.#most && !matters) {
      this.#leftOut++;
      return;
    }
    for (const exchange of waiting?.exchanges ?? []) super.add(waiting?.target ?? '', exchange);
    const { steps } = history;
    const line: RecordedHistory = { name, number, drawn, steps };
    this.addLine(JSON.stringify({ history: line }));
    this.#recorded++;
  }

  /** Writes the last line, after the last history. */
  end(
    { finds: _, ...explored }: Explored,
    how: Pick<RecordedEnd, 'incomplete' | 'durationMs'>,
  ): void {
    const kept = { recorded: this.#recorded, leftOut: this.#leftOut };
    const end: RecordedEnd = { ...explored, ...how, ...kept };
    this.addLine(JSON.stringify({ explored: end }));
  }

  /** Also records the exchanges of unfinished histories, which can be read, but not judged again. */
  override close(): void {
    for (const { target, exchanges } of this.#waiting.values()) {
      for (const exchange of exchanges) super.add(target, exchange);
    }
    this.#waiting.clear();
    super.close();
  }
}

/**
 * Starts the recording of an exploration.
 *
 * @param path undefined for no recording
 * @throws {FileInUse} while another process writes it
 */
export function recordExploration(
  path: string | undefined,
  how: Pick<RecordingHeader, 'target' | 'seed' | 'runId' | 'startedAt'>,
  bounds: Omit<ExploredWithin, 'bytes'>,
): HistoryRecorder {
  const header = headerLine({
    ...{ suiteVersion, catalogue: loadCatalogue().digest },
    ...{ strict: false, filters: [], ...how },
    explored: { ...bounds, bytes: mostBytes },
  });
  return new HistoryRecorder(path ?? null, header, mostBytes);
}

const isTrue = kind('true', (value): value is true => value === true);
const firstMode = kind('a mode', (value): value is FirstMode =>
  creationModes.some((one) => one !== 'continuation' && one === value),
);
const tried = kind('an operation', (value): value is TriedOperation =>
  operations.some((one) => one !== 'continue' && one !== 'continue-websocket' && one === value),
);
const requestMode = kind('a request mode', (value): value is RequestMode =>
  Object.values(requestModes)
    .flat()
    .some((one) => one === value),
);
const endpoint = kind(
  'an endpoint',
  (value): value is EndpointName =>
    typeof value === 'string' && Object.hasOwn(protocolOfEndpoint, value),
);

const act: Read<Act> = (value, at) => {
  const asked = { n: whole, actor: oneOf(...keyNames), region: text };
  const optional = { afterMs: finite };
  switch (asObject(value).kind) {
    case 'create':
      return objectOf(
        { ...asked, kind: oneOf('create'), model: text, mode: firstMode, store: flag },
        { ...optional, previous: whole, secondTurn: isTrue },
      )(value, at);
    case 'act':
      return objectOf(
        {
          ...asked,
          kind: oneOf('act'),
          of: whole,
          operation: tried,
          requestMode,
        },
        optional,
      )(value, at);
    case 'ask':
      return objectOf(
        {
          ...asked,
          kind: oneOf('ask'),
          endpoint,
          stream: flag,
          model: orNull(text),
        },
        optional,
      )(value, at);
    case 'ledger':
      return objectOf({ ...asked, kind: oneOf('ledger'), requests: finite }, optional)(value, at);
    default:
      return objectOf({ ...asked, kind: oneOf('list') }, optional)(value, at);
  }
};

const historyShape: Read<RecordedHistory> = objectOf({
  name: text,
  number: finite,
  drawn: flag,
  steps: listOf(listOf(act)),
});

const endShape: Read<RecordedEnd> = objectOf({
  seed: finite,
  histories: finite,
  decided: finite,
  acts: finite,
  unknown: finite,
  generations: finite,
  requests: finite,
  givenUp: orNull(text),
  incomplete: orNull(text),
  durationMs: finite,
  recorded: finite,
  leftOut: finite,
});

/** Parses the history in a line. Returns null for any other line. */
export function historyIn(line: string): RecordedHistory | null {
  if (!line.startsWith(historyBeginning)) return null;
  return historyShape(asObject(parsed(line)).history, 'history');
}

/** Parses the last line of a recording. Returns null for any other line. */
export function endIn(line: string): RecordedEnd | null {
  if (!line.startsWith(endBeginning)) return null;
  return endShape(asObject(parsed(line)).explored, 'explored');
}
