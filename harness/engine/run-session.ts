import { setMaxListeners } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';
import { suiteOf } from '../core/result.ts';
import type { CheckVerdict } from '../core/verdict.ts';
import { LiveRun } from './live-run.ts';
import type { ChannelMessage, RunOrder } from './order.ts';
import { chainHeights } from './priority.ts';
import { Recorder } from './recorder.ts';
import { readRecording } from './recording.ts';
import { ReplayRun } from './replay-run.ts';
import type { Scenario } from './scenario.ts';
import type { TargetRun } from './session.ts';
import { Traffic } from './traffic.ts';

/** How far a suite is. */
interface Count {
  checks: number;
  judged: number;
  failed: number;
  undecided: number;
}

/** A run as the worker sees it: its targets, what is selected, and how far it is. */
export class Session {
  readonly runs: readonly TargetRun[];
  /** Keys of recorded exchanges that no scenario has asked for; none in a run that is sent. */
  readonly unasked: () => readonly string[];
  readonly traffic = new Traffic();
  /** Nothing is run: each test says what it would need. */
  readonly planning: boolean;
  /** Each target is one test; null: each check at each target is one. */
  readonly many: RunOrder['many'] | null;
  readonly #selected: ReadonlySet<string> | null;
  readonly #channel: BroadcastChannel;
  readonly #stop = new AbortController();
  readonly #recorder: Recorder;
  readonly #suites = new Map<string, Count>();
  #told = 0;
  #toTell: NodeJS.Timeout | undefined;

  constructor(order: RunOrder) {
    // Every exchange under way listens to it; Node takes more than ten for a leak.
    setMaxListeners(0, this.#stop.signal);
    this.planning = order.planning ?? false;
    this.many = order.many ?? null;
    this.#selected = order.selected === null ? null : new Set(order.selected);
    this.#recorder = new Recorder(order.recording);
    this.#channel = new BroadcastChannel(order.runId);
    this.#channel.onmessage = ({ data }: { data: ChannelMessage }) => {
      if (data.kind === 'stop') this.#stop.abort();
    };
    // A channel that nobody closes would keep the worker alive.
    this.#channel.unref();
    const [stopped = 0] = new Uint8Array(order.stopped ?? new SharedArrayBuffer(1));
    if (stopped !== 0) this.#stop.abort();
    const common = { seed: order.seed, runId: order.runId, traffic: this.traffic };
    const moved = (): void => this.#tell();
    if (order.replay === undefined) {
      const live = { ...common, moved, stop: this.#stop.signal, recorder: this.#recorder };
      this.runs = order.targets.map((target, index) => {
        const { seed = order.seed, sequence = order.sequence ?? {} } =
          order.many?.each[index] ?? {};
        return new LiveRun({ ...live, target, seed, sequence });
      });
      this.unasked = () => [];
    } else {
      const { header, exchanges } = readRecording(order.replay);
      const replay = new ReplayRun({ ...common, moved, exchanges, target: header.target });
      this.runs = [replay];
      this.unasked = () => replay.unasked;
    }
  }

  selects(id: string): boolean {
    return this.#selected === null || this.#selected.has(id);
  }

  /** The checks that will be judged, known when all are collected. */
  expecting(ids: readonly string[]): void {
    for (const id of ids) this.#count(id).checks++;
  }

  judged(id: string, verdict: CheckVerdict): void {
    const count = this.#count(id);
    count.judged++;
    if (verdict.state === 'fail') count.failed++;
    if (verdict.state === 'inconclusive' || verdict.state === 'error') count.undecided++;
    this.#tell();
  }

  #count(id: string): Count {
    const suite = suiteOf(id);
    const count = this.#suites.get(suite) ?? { checks: 0, judged: 0, failed: 0, undecided: 0 };
    this.#suites.set(suite, count);
    return count;
  }

  /** Tells the main side how far the run is, at most every 50 ms; the last word is never lost. */
  #tell(): void {
    const now = performance.now();
    if (now - this.#told < 50) {
      this.#toTell ??= setTimeout(() => this.#tell(), 50).unref();
      return;
    }
    this.#told = now;
    clearTimeout(this.#toTell);
    this.#toTell = undefined;
    const suites = [...this.#suites].map(([suite, count]) => ({ suite, ...count }));
    const message: ChannelMessage = {
      kind: 'progress',
      progress: {
        scenarios: sum(this.runs, (run) => run.scenarios),
        scenariosDone: sum(this.runs, (run) => run.scenariosDone),
        inFlight: this.traffic.inFlight,
        requests: this.traffic.requests,
        checks: sum(suites, ({ checks }) => checks),
        judged: sum(suites, ({ judged }) => judged),
        failed: sum(suites, ({ failed }) => failed),
        suites,
      },
    };
    this.#channel.postMessage(message);
  }

  /** Lets the scenarios that most requests wait for go first. */
  prioritise(scenarios: Iterable<Scenario>): void {
    const all = [...scenarios];
    for (const run of this.runs) run.prioritise(chainHeights(all, run.target));
  }

  /** Everything recorded is on disk when this resolves. */
  flush(): Promise<void> {
    return this.#recorder.flush();
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
