import {
  asObject,
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
  type Read,
  suiteVersion,
  text,
  whole,
} from '../../kernel/core/index.ts';
import { operations, type RequestMode, requestModes } from '../../kernel/model/index.ts';
import { endpointNames } from '../../kernel/protocols/index.ts';
import { headerLine, Recorder, type RecordingHeader } from '../../kernel/recordings/index.ts';
import { keyNames } from '../../kernel/targets/index.ts';
import type { Explored, Performed } from './finds.ts';
import type { Act, History } from './history.ts';
import { firstModes } from './world.ts';

/** A history as a line of a recording. Its exchanges precede it. */
export interface RecordedHistory
  extends Pick<Performed, 'name' | 'number' | 'drawn'>,
    Pick<History, 'steps'> {}

export interface RecordedEnd extends Omit<Explored, 'finds'> {
  readonly incomplete: string | null;
  readonly durationMs: number;
  readonly recorded: number;
  /** Number of histories that were not recorded because the file had reached its maximum size. */
  readonly leftOut: number;
}

const historyBeginning = '{"history":';
const endBeginning = '{"explored":';

/** File size in bytes from which only histories that matter are recorded. */
const mostBytes = 256 * 1024 * 1024;

/** Records each history after its exchanges: beyond a size only those that finds depend on. */
export class HistoryRecorder extends Recorder {
  readonly #most: number;
  readonly #waiting = new Map<string, { target: string; exchanges: Exchange[] }>();
  #recorded = 0;
  #leftOut = 0;

  constructor(path: string | null, header: string, most: number) {
    super(path, header);
    this.#most = most;
  }

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

/** @throws {FileInUse} while another process writes the file */
export function recordExploration(
  path: string | undefined,
  how: Pick<RecordingHeader, 'target' | 'seed' | 'runId' | 'startedAt'>,
  bounds: Omit<NonNullable<RecordingHeader['explored']>, 'bytes'>,
): HistoryRecorder {
  const header = headerLine({
    ...{ suiteVersion, catalogue: loadCatalogue().digest },
    ...{ strict: false, filters: [], ...how },
    explored: { ...bounds, bytes: mostBytes },
  });
  return new HistoryRecorder(path ?? null, header, mostBytes);
}

const isTrue = kind('true', (value): value is true => value === true);
const requestMode: Read<RequestMode> = oneOf(...Object.values(requestModes).flat());
const endpoint = oneOf(...endpointNames);

const page: Read<'first' | number> = (value, at) => (value === 'first' ? value : whole(value, at));

const asked = { n: whole, actor: oneOf(...keyNames), region: text };
const optional = { afterMs: finite, fresh: isTrue };
const turn = { ...optional, live: isTrue, socket: whole, loses: isTrue };

const readers: { readonly [Kind in Act['kind']]: Read<Extract<Act, { readonly kind: Kind }>> } = {
  create: objectOf(
    { ...asked, kind: oneOf('create'), model: text, mode: oneOf(...firstModes), store: flag },
    { ...turn, previous: whole, items: isTrue },
  ),
  act: objectOf(
    { ...asked, kind: oneOf('act'), of: whole, operation: oneOf(...operations), requestMode },
    { ...optional, after: whole },
  ),
  ask: objectOf(
    { ...asked, kind: oneOf('ask'), endpoint, stream: flag, model: orNull(text) },
    { ...optional, page },
  ),
  ledger: objectOf({ ...asked, kind: oneOf('ledger'), requests: finite }, optional),
  list: objectOf({ ...asked, kind: oneOf('list') }, optional),
};
const kindOf = oneOf('create', 'act', 'ask', 'ledger', 'list');

const act: Read<Act> = (value, at) => readers[kindOf(asObject(value).kind, at)](value, at);

const historyShape: Read<RecordedHistory> = objectOf({
  ...{ name: text, number: finite, drawn: flag, steps: listOf(listOf(act)) },
});

const endShape: Read<RecordedEnd> = objectOf({
  ...{ seed: finite, histories: finite, decided: finite, acts: finite, unknown: finite },
  ...{ generations: finite, requests: finite, givenUp: orNull(text), incomplete: orNull(text) },
  ...{ durationMs: finite, recorded: finite, leftOut: finite },
});

export function historyIn(line: string): RecordedHistory | null {
  if (!line.startsWith(historyBeginning)) return null;
  return historyShape(asObject(parsed(line)).history, 'history');
}

export function endIn(line: string): RecordedEnd | null {
  if (!line.startsWith(endBeginning)) return null;
  return endShape(asObject(parsed(line)).explored, 'explored');
}
