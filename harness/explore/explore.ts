import { outcomeOf } from '../engine/capture.ts';
import { chance } from '../engine/drawn/chance.ts';
import { LiveRun } from '../engine/live-run.ts';
import { Recorder } from '../engine/recordings/recorder.ts';
import { scenario } from '../engine/scenario.ts';
import { Traffic } from '../engine/traffic.ts';
import type { Target } from '../target/target.ts';
import { drawHistory } from './draw.ts';
import { actsOf, generationsOf, type History } from './history.ts';
import { judgeOf } from './judge-history.ts';
import { perform, type Sent } from './perform.ts';
import { shrunk } from './shrink.ts';
import { sameKind, type Violation } from './violation.ts';
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
  /** Aborting ends it with what was found. */
  readonly signal: AbortSignal;
}

/** What was found, in its shortest history. */
export interface Find {
  readonly violation: Violation;
  readonly history: History;
  readonly sent: ReadonlyMap<number, Sent>;
  /** The history that has shown it first, counted from one, and how many acts it had. */
  readonly foundIn: number;
  readonly foundActs: number;
  /** Histories that were tried to shorten it. */
  readonly tries: number;
  /** How many of all histories have shown it. */
  times: number;
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
  const recorder = new Recorder(null);
  const run = new LiveRun({ target, seed, runId: runIdOf(seed), stop: signal, traffic, recorder });
  const began = performance.now();
  const { histories = Number.POSITIVE_INFINITY } = options;
  const isOver = (): boolean =>
    signal.aborted ||
    explored.histories >= histories ||
    explored.requests >= options.requests ||
    performance.now() - began >= options.ms;
  const left = (): number => options.generations - explored.generations;

  const tryOne = async (name: string, history: History): Promise<ReadonlyMap<number, Sent>> => {
    const sent = await performed(run, name, history);
    explored.acts += sent.size;
    explored.unknown += [...sent.values()].filter((one) => one.served === null).length;
    const { generations, requests } = traffic.report();
    explored.generations = generations;
    explored.requests = requests;
    return sent;
  };

  while (!isOver() && left() > 0) {
    const number = explored.histories + 1;
    const generations = Math.min(size.generations, left());
    const { random } = chance(seed, `explore/${number}`);
    const history = random((faker) => drawHistory(faker, world, { ...size, generations }));
    const sent = await tryOne(`explore/${number}`, history);
    explored.histories = number;
    await findsIn(number, history, sent);
  }
  await recorder.close();
  return explored;

  async function findsIn(
    number: number,
    history: History,
    sent: ReadonlyMap<number, Sent>,
  ): Promise<void> {
    const all = judge.violationsIn(sent);
    for (const [index, violation] of all.entries()) {
      if (all.findIndex((one) => sameKind(one, violation)) < index) continue;
      const known = explored.finds.find((one) => sameKind(one.violation, violation));
      if (known === undefined)
        explored.finds.push(await shortened(number, history, sent, violation));
      else known.times++;
    }
  }

  async function shortened(
    number: number,
    history: History,
    sent: ReadonlyMap<number, Sent>,
    violation: Violation,
  ): Promise<Find> {
    let best = { violation, sent };
    let tries = 0;
    const shows = async (shorter: History): Promise<number | null> => {
      if (isOver()) return null;
      const again = await tryOne(`explore/${number}-${violation.n}-shorter-${++tries}`, shorter);
      const same = judge.violationsIn(again).find((one) => sameKind(one, violation));
      if (same === undefined) return null;
      best = { violation: same, sent: again };
      return same.n;
    };
    const bounds = {
      tries: shrinkTries,
      generations: Math.min(left(), Math.ceil(options.generations * shrinkShare)),
    };
    const { history: short } = await shrunk(history, violation.n, shows, bounds);
    const foundActs = actsOf(history).length;
    return { ...best, history: short, foundIn: number, foundActs, tries, times: 1 };
  }
}

function runIdOf(seed: number): string {
  return `explore-${seed}`;
}

async function performed(
  run: LiveRun,
  name: string,
  history: History,
): Promise<ReadonlyMap<number, Sent>> {
  const acts = actsOf(history);
  const one = scenario(
    name,
    {
      cost: {
        requests: acts.length,
        generations: generationsOf(history),
        continues: acts.filter((act) => act.kind === 'create' && act.previous !== undefined).length,
      },
    },
    (io) => perform(io, history),
  );
  run.prioritise([one]);
  const outcome = await outcomeOf(run, one);
  // What was performed is not kept: there may be very many.
  run.outcomes.delete(one);
  if (outcome.kind === 'captured') return outcome.captured;
  if (outcome.kind === 'error') throw outcome.error;
  return new Map();
}
