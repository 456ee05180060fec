import { Recorder } from '../recordings/index.ts';
import { atHome, type Target } from '../targets/index.ts';
import { outcomeOf } from './capture.ts';
import { LiveRun, type LiveRunOptions } from './live-run.ts';
import { modelsShown } from './scenario.ts';
import { isIn } from './shown-models.ts';
import { Traffic } from './traffic.ts';

/**
 * Returns the target with the region first that the seed draws. Rows that cost generations are judged there, so that
 * a few runs make each region the home. Seed 1 draws the first region of the target file, seed 2 the second, and so
 * on. The region is asked for its lists before the run, because no source says that every region has every model.
 */
export async function atDrawnHome(
  options: Omit<LiveRunOptions, 'traffic' | 'recorder'>,
): Promise<Target> {
  const { target, seed } = options;
  const { regions } = target;
  const drawn = regions[(seed + regions.length - 1) % regions.length]?.name;
  if (drawn === undefined || drawn === regions[0]?.name) return target;
  return (await hasAllModels(options, drawn)) ? atHome(target, drawn) : target;
}

async function hasAllModels(
  options: Parameters<typeof atDrawnHome>[0],
  region: string,
): Promise<boolean> {
  const { models } = options.target;
  if (models.some(({ regions }) => regions?.includes(region) === false)) return false;
  if (models.every(({ regions }) => regions !== undefined)) return true;
  const unrecorded = { load: undefined, traffic: new Traffic(), recorder: new Recorder(null) };
  const outcome = await outcomeOf(
    new LiveRun({ ...options, ...unrecorded }),
    modelsShown.inRegion(region),
  );
  return outcome.kind === 'captured' && models.every(isIn(outcome.captured));
}
