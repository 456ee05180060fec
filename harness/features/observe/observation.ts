import { randomUUID } from 'node:crypto';
import {
  type Catalogue,
  type CheckVerdict,
  type Exchange,
  formatId,
  isAskedFor,
  loadCatalogue,
  type ObservedIn,
  type RunResult,
  suiteVersion,
} from '../../kernel/core/index.ts';
import {
  assemble,
  type Check,
  ExchangePoints,
  type JudgedExchanges,
  scenariosIn,
  suiteChecks,
  Traffic,
  Turns,
  type WholeRun,
} from '../../kernel/engine/index.ts';
import type { ManyPoints } from '../../kernel/judge/index.ts';
import {
  beginRecording,
  type Recorder,
  type RecordingHeader,
} from '../../kernel/recordings/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { withoutBody } from '../../kernel/wire/index.ts';
import { observedOfClient } from '../sessions/index.ts';

export interface ObservationOptions {
  readonly target: Target;
  readonly source: ObservedIn;
  /** Id prefixes; empty: everything. */
  readonly filters?: readonly string[];
  readonly strict?: boolean;
  /** File that gets each exchange as a line of JSON. Without it no body is kept or shown. */
  readonly recording?: string | undefined;
  /** The recorded observation that is judged again. */
  readonly again?: Pick<RecordingHeader, 'runId' | 'startedAt'>;
  /** Bounds on the exchanges that are kept at a time. Default: 2000 exchanges, 64 MiB. */
  readonly bounds?: Bounds;
}

interface Bounds {
  readonly exchanges: number;
  readonly bytes: number;
}

/** Milliseconds of judging between two turns of the event loop, which clients wait for. */
const atATime = 2;
/** Number of earlier exchanges that a new one is first judged with, before its verdict is final. */
const besideNew = 200;
const others = 'Only a run can judge it, by what it sends or serves itself';

/** A check that can be judged on the traffic of clients, and its points so far. */
interface Observed {
  readonly check: Check;
  readonly judging: JudgedExchanges;
  readonly points: ExchangePoints;
  /** First failure among the exchanges with a final verdict, and the number of exchanges with one. */
  wrong: Omit<Wrong, 'id' | 'level'> | null;
}

/** First sighting of a broken check so far, and its number of sightings. */
export interface Wrong {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  exchanges: number;
  /** Actual behaviour at the first failure. */
  readonly actual: string;
  readonly exchange: string;
}

export interface ObservationProgress {
  readonly requests: number;
  readonly generations: number;
  /** Number of requests of each operation, by outcome: a status, or the reason why there is none. */
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly wrong: readonly Wrong[];
}

/**
 * A run on exchanges of others: of clients that a proxy observes, or from a file. It sends nothing and runs no
 * scenario, and judges the checks that apply to every exchange.
 *
 * Exchanges are kept, within bounds, as long as others may be needed to judge them. Each then gets its final
 * verdict together with all exchanges that are kept, before and after it.
 */
export class Observation {
  readonly #options: Required<Omit<ObservationOptions, 'again' | 'recording'>>;
  readonly #runId: string;
  readonly #startedAt: string;
  readonly #began = Date.now();
  readonly #recorder: Recorder;
  readonly #keepsBodies: boolean;
  readonly #observed: readonly Observed[];
  readonly #traffic = new Traffic();
  readonly #operations = new Map<string, Map<string, number>>();
  /** In the order of their ends. */
  #kept: Exchange[] = [];
  #bytes = 0;
  /** Number of kept exchanges that were judged provisionally. */
  #seen = 0;
  /** Number of kept exchanges with a final verdict. Later exchanges are judged with them. */
  #judged = 0;
  /** Failures of exchanges that have no final verdict yet. */
  readonly #wrong = new Map<Exchange, ReadonlyMap<Observed, string>>();
  #working: Promise<void> = Promise.resolve();

  static async of(options: ObservationOptions): Promise<Observation> {
    const { filters = [], source } = options;
    const checks = [...(await suiteChecks()), ...(await suiteChecks('client'))];
    const asked = (id: string): boolean =>
      filters.length === 0 || filters.some((filter) => isAskedFor(id, filter));
    const observed = checks.flatMap((check) => {
      const judging = judgingOf(check, source);
      return judging === null || !asked(check.id)
        ? []
        : [{ check, judging, points: new ExchangePoints(), wrong: null }];
    });
    return new Observation(options, observed);
  }

  private constructor(options: ObservationOptions, observed: readonly Observed[]) {
    const { recording, again, ...rest } = options;
    this.#options = {
      filters: [],
      strict: false,
      bounds: { exchanges: 2_000, bytes: 64 * 1024 * 1024 },
      ...rest,
    };
    this.#runId = again?.runId ?? randomUUID();
    this.#startedAt = again?.startedAt ?? new Date(this.#began).toISOString();
    this.#keepsBodies = recording !== undefined || again !== undefined;
    this.#recorder = this.#begin(recording);
    this.#observed = observed;
  }

  add(exchange: Exchange): void {
    this.#traffic.begin()(exchange, null);
    this.#count(exchange);
    this.#recorder.add(this.#options.target.name, exchange);
    this.#kept.push(exchange);
    this.#bytes += bytesOf(exchange);
  }

  /** Judges new exchanges provisionally, and those beyond the bounds finally. Calls are serialised. */
  look(): Promise<void> {
    this.#working = this.#working.then(() => this.#look());
    return this.#working;
  }

  /** Judges exchanges beyond the bounds finally, like `look`, and no new ones. */
  trim(): Promise<void> {
    this.#working = this.#working.then(() => this.#trim());
    return this.#working;
  }

  /** Broken checks so far, the most frequent first. */
  get wrong(): readonly Wrong[] {
    const found = new Map(
      this.#observed.flatMap((one) => (one.wrong === null ? [] : [[one, { ...one.wrong }]])),
    );
    for (const [{ id }, wrong] of this.#wrong) {
      for (const [observed, actual] of wrong) {
        const known = found.get(observed) ?? { exchanges: 0, actual, exchange: formatId(id) };
        known.exchanges++;
        found.set(observed, known);
      }
    }
    return [...found]
      .map(([{ check }, one]) => ({ id: check.id, level: check.definition.level, ...one }))
      .sort((one, other) => other.exchanges - one.exchanges || (one.id < other.id ? -1 : 1));
  }

  get progress(): ObservationProgress {
    const { requests, generations } = this.#traffic;
    return { requests, generations, operations: this.#operations, wrong: this.wrong };
  }

  /** Reason why the recording is incomplete, or null if it is complete or not requested. */
  get unrecorded(): string | null {
    const { problem } = this.#recorder;
    return problem === null ? null : `the recording is not whole: ${problem}`;
  }

  async end({ interrupted = false } = {}): Promise<RunResult> {
    await this.#working;
    await this.#settle(this.#kept.length);
    this.#recorder.close();
    const { target, source, filters, strict } = this.#options;
    const catalogue = ofBothSides();
    const ids = this.#observed.map(({ check }) => check.id);
    const verdicts = new Map(
      this.#observed.map((one) => {
        const verdict = verdictOf(one, target);
        return [one.check.id, this.#keepsBodies ? verdict : withoutBodies(verdict)] as const;
      }),
    );
    const result = assemble({
      catalogue,
      target,
      seed: 0,
      runId: this.#runId,
      selected: new Set(ids),
      // No scenario has run.
      checks: this.#observed.map(({ check }) => ({ ...check, on: {} })),
      verdicts,
      traffic: this.#traffic.report(),
      lags: new Map(),
      filters,
      only: { ids, others },
      strict,
      interrupted,
      startedAt: this.#startedAt,
      durationMs: Date.now() - this.#began,
    });
    return { ...result, observed: source };
  }

  #count({ about, response, socket, failure }: Exchange): void {
    const outcomes = this.#operations.get(about.operation) ?? new Map<string, number>();
    const status = response === null ? (failure?.kind ?? 'none') : String(response.status);
    const broken = failure === null || response === null || socket !== null;
    const outcome = broken ? status : `${status} ${failure.kind}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.#operations.set(about.operation, outcomes);
  }

  #begin(recording: string | undefined): Recorder {
    const { target, source, filters, strict } = this.#options;
    return beginRecording(recording, {
      suiteVersion,
      catalogue: loadCatalogue().digest,
      startedAt: this.#startedAt,
      seed: 0,
      runId: this.#runId,
      strict,
      filters,
      observed: source,
      target,
    });
  }

  async #look(): Promise<void> {
    const fresh = this.#kept.slice(this.#seen);
    const whole = this.#among(this.#kept.slice(Math.max(0, this.#seen - besideNew)));
    await inTurns(fresh, (exchange) => {
      const wrong = new Map<Observed, string>();
      for (const one of this.#observed) {
        const { offence } = pointsAt(one, exchange, whole);
        if (offence !== null) wrong.set(one, offence.actual);
      }
      if (wrong.size > 0) this.#wrong.set(exchange, wrong);
    });
    this.#seen += fresh.length;
    await this.#trim();
  }

  async #trim(): Promise<void> {
    const { exchanges, bytes } = this.#options.bounds;
    if (this.#kept.length <= exchanges && this.#bytes <= bytes) return;
    const before = this.#judged;
    // Settles the older half of the open exchanges, so that each has others before and after it.
    await this.#settle(before + Math.ceil((this.#kept.length - before) / 2));
    this.#forget(before);
  }

  /** Drops the oldest exchanges. */
  #forget(count: number): void {
    const leaving = this.#kept.slice(0, count);
    this.#kept = this.#kept.slice(count);
    this.#bytes -= leaving.reduce((sum, exchange) => sum + bytesOf(exchange), 0);
    this.#seen = Math.max(0, this.#seen - count);
    this.#judged -= count;
  }

  /** Judges the open exchanges before this index finally, together with all that are kept. */
  async #settle(end: number): Promise<void> {
    const whole = this.#among(this.#kept);
    const open = this.#kept.slice(this.#judged, end);
    this.#judged = end;
    await inTurns(open, (exchange) => {
      this.#wrong.delete(exchange);
      for (const one of this.#observed) {
        const points = pointsAt(one, exchange, whole);
        one.points.all.add(points);
        const { offence } = points;
        if (offence === null) continue;
        one.wrong ??= { exchanges: 0, actual: offence.actual, exchange: formatId(exchange.id) };
        one.wrong.exchanges++;
      }
    });
  }

  #among(exchanges: readonly Exchange[]): WholeRun {
    const inOrder = [...exchanges].sort((one, other) => one.times.started - other.times.started);
    return { target: this.#options.target, exchanges: inOrder };
  }
}

/** Returns how a check is judged on the traffic of real clients, or null if it cannot be. */
export function judgingOf(check: Check, source: ObservedIn): JudgedExchanges | null {
  const judging = check.everywhere ?? observedOfClient(check.id);
  const isProbed = scenariosIn(check.on).some(({ needs }) => needs.probes?.length);
  if (judging === undefined || judging.observed === 'never' || isProbed) return null;
  return judging.observed === 'on the wire' && source !== 'proxy' ? null : judging;
}

export function ofBothSides(): Catalogue {
  const gateway = loadCatalogue();
  return { ...gateway, checks: [...gateway.checks, ...loadCatalogue('client').checks] };
}

function pointsAt(one: Observed, exchange: Exchange, whole: WholeRun): ManyPoints {
  const points = new ExchangePoints();
  try {
    points.judge(one.judging, exchange, whole);
  } catch (error) {
    one.points.broken ??= { error };
  }
  return points.all;
}

function verdictOf({ check, points }: Observed, target: Target): CheckVerdict {
  const verdict = points.verdict(check.definition, target);
  if (verdict.state !== 'inconclusive') return verdict;
  // No request was sent to decide it.
  return { state: 'not-applicable', reason: `nothing that was seen decides it: ${verdict.reason}` };
}

/** Returns the verdict without prompts and answers, except for what its finding quotes. */
function withoutBodies(verdict: CheckVerdict): CheckVerdict {
  if (!('evidence' in verdict) || verdict.evidence === null) return verdict;
  const { evidence } = verdict;
  const curl = withoutBody(evidence.curl);
  return { ...verdict, evidence: { ...evidence, received: evidence.outcome, curl } };
}

/** Processes each item, and gives way to pending events in between. */
async function inTurns<Item>(items: readonly Item[], does: (item: Item) => void): Promise<void> {
  const turns = new Turns(atATime);
  for (const item of items) {
    does(item);
    await turns.giveWay();
  }
}

function bytesOf({ request, response, socket }: Exchange): number {
  const frames = socket?.frames.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
  return (request.body?.length ?? 0) + (response?.body.length ?? 0) + frames;
}
