export {
  lossOfService,
  mostPolls,
  paidAgain,
  responsesIn,
  sharesAll,
} from './again/index.ts';
export { arrayAt } from './array.ts';
export type { Variation } from './ask.ts';
export { assemble } from './assemble.ts';
export { outcomeOf } from './capture.ts';
export { boundEach, check } from './check.ts';
export { accompany } from './companions.ts';
export { ownSignal } from './deadline.ts';
export { designAt } from './design.ts';
export { everywhere } from './everywhere.ts';
export { ExchangePoints } from './exchange-points.ts';
export { FileByFile } from './file-by-file.ts';
export { type Io, idOf } from './io.ts';
export type { JudgeContext } from './judge.ts';
export { LiveRun } from './live-run.ts';
export { mostOfLoad } from './load/load.ts';
export type { Needs } from './needs.ts';
export { exchangesOf } from './outcome.ts';
export {
  addUp,
  type Plan,
  type PlannedCheck,
  type PlannedScenario,
  plan,
  planBounds,
  plannedObstacle,
} from './plan.ts';
export type { Progress, SuiteProgress } from './progress.ts';
export {
  askedAgain,
  type Rejudged,
  type RejudgeOptions,
  rejudge,
} from './recordings/rejudge.ts';
export { ReplayRun } from './recordings/replay-run.ts';
export { StaleRecording } from './recordings/stale-recording.ts';
export {
  type Check,
  type Everywhere,
  type JudgedExchanges,
  register,
  scenariosAt,
  scenariosCalled,
  suiteChecks,
} from './registry.ts';
export { judgeChecks, type RunOptions, run } from './run.ts';
export { headOf, recordingHeader } from './run-head.ts';
export { RunMemo } from './run-memo.ts';
export {
  type Captures,
  type Cost,
  cheaperElsewhere,
  type Scenario,
  scenario,
  scenariosIn,
  type View,
  view,
  withPrerequisites,
} from './scenario.ts';
export type { Sequence, TargetRun } from './session.ts';
export { listedIds } from './shown-models.ts';
export { RunWorkers } from './threads/run-worker.ts';
export { Traffic } from './traffic.ts';
export { Turns } from './turns.ts';
export { verdictsOf } from './verdicts.ts';
export type { WholeRun } from './whole-run.ts';
