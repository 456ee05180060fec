import { chance } from '../engine/drawn/chance.ts';
import { LiveRun } from '../engine/live-run.ts';
import { Recorder } from '../engine/recordings/recorder.ts';
import { Traffic } from '../engine/traffic.ts';
import type { Target } from '../target/target.ts';
import { drawHistory } from './draw.ts';
import { addFinds, type Find, type Performed } from './finds.ts';
import type { History } from './history.ts';
import { judgeOf } from './judge-history.ts';
import { performIn } from './perform-in.ts';
import { shrunk } from './shrink.ts';
import { sameKind } from './violation.ts';
import { worldOf } from './world.ts';

export interface ExploreOptions {
  readonly target: Target;
  /** All histories derive from it. */
  readonly seed: number;
  /** Generations that are asked for, at most, those for shortening included. */
  readonly generations: number;
  /** Requests, at most. */
  readonly requests: number;
  /** Milliseconds, at most. */
  readonly ms: number;
  /** Histories, at most. Default: as many as the other bounds allow. */
  readonly histories?: number;
  /** Where the exchanges are recorded. Default: nowhere. */
  readonly recorder?: Recorder;
  /** Told of each history that was performed and judged, those for shortening included. */
  readonly onPerformed?: (performed: Performed) => void;
  /** Aborting ends it with what was found. */
  readonly signal: AbortSignal;
}

export interface Explored {
  readonly seed: number;
  histories: number;
  acts: number;
  /** Acts of which nothing can be said: time-outs and the like. */
  unknown: number;
  generations: number;
  requests: number;
  readonly finds: Find[];
}

/** Acts and generations of one history, at most. */
const size = { acts: 24, generations: 6 };

/** Of all generations, at most so large a part goes into making one find short. */
const shrinkShare = 0.25;
const shrinkTries = 60;

/**
 * Explores a gateway: draws histories, performs them one after another, and holds what came against the
 * specification. What breaks it is made as short as the bounds allow.
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const { target, seed, signal } = options;
  const world = worldOf(target);
  const judge = await judgeOf(target);
  const explored: Explored = {
    ...{ seed, histories: 0, acts: 0, unknown: 0, generations: 0, requests: 0, finds: [] },
  };
  const traffic = new Traffic();
  const { recorder = new Recorder(null) } = options;
  const run = new LiveRun({ target, seed, runId: runIdOf(seed), stop: signal, traffic, recorder });
  const began = performance.now();
  const { histories = Number.POSITIVE_INFINITY } = options;
  const isOver = (): boolean =>
    signal.aborted ||
    explored.histories >= histories ||
    explored.requests >= options.requests ||
    performance.now() - began >= options.ms;
  const left = (): number => options.generations - explored.generations;
  let tries = 0;

  /** Performs and judges a history. Gives what it shows, and what nothing had shown before. */
  const tryOne = async (planned: Planned) => {
    const sent = await performIn(run, planned.name, planned.history);
    explored.acts += sent.size;
    explored.unknown += [...sent.values()].filter((one) => one.served === null).length;
    const { generations, requests } = traffic.report();
    explored.generations = generations;
    explored.requests = requests;
    const judged: Performed = { ...planned, sent, violations: judge.violationsIn(sent) };
    const added = addFinds(explored.finds, judged);
    options.onPerformed?.(judged);
    return { violations: judged.violations, added };
  };

  while (!isOver() && left() > 0) {
    const number = explored.histories + 1;
    const generations = Math.min(size.generations, left());
    const { random } = chance(seed, `explore/${number}`);
    const history = random((faker) => drawHistory(faker, world, { ...size, generations }));
    const { added } = await tryOne({ name: `explore/${number}`, number, drawn: true, history });
    explored.histories = number;
    // What shows only while another is shortened is made short, too.
    const found = [...added];
    for (let find = found.shift(); find !== undefined; find = found.shift()) {
      found.push(...(await shorten(number, find)));
    }
  }
  await recorder.close();
  return explored;

  async function shorten(number: number, { violation, history }: Find): Promise<readonly Find[]> {
    const alsoFound: Find[] = [];
    const shows = async (shorter: History): Promise<number | null> => {
      if (isOver()) return null;
      const name = `explore/${number}-${violation.n}-shorter-${++tries}`;
      const tried = await tryOne({ name, number, drawn: false, history: shorter });
      alsoFound.push(...tried.added);
      return tried.violations.find((one) => sameKind(one, violation))?.n ?? null;
    };
    const bounds = {
      tries: shrinkTries,
      generations: Math.min(left(), Math.ceil(options.generations * shrinkShare)),
    };
    await shrunk(history, violation.n, shows, bounds);
    return alsoFound;
  }
}

type Planned = Pick<Performed, 'name' | 'number' | 'drawn' | 'history'>;

function runIdOf(seed: number): string {
  return `explore-${seed}`;
}
