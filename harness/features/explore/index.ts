export { type ExploreOptions, explore, type SoFar } from './explore.ts';
export { type Explored, type Find, isMeasured, type Performed } from './finds.ts';
export {
  type Act,
  type Actor,
  actsOf,
  type FirstMode,
  generationsOf,
  type History,
  neededBy,
  pauseBefore,
} from './history.ts';
export { recordExploration } from './history-recorder.ts';
export { requiredOf } from './oracle.ts';
export type { Sent } from './perform.ts';
export { type ExploredAgain, exploredAgain } from './rejudge-exploration.ts';
export { firstModes, type World, worldOf } from './world.ts';
