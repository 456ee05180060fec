export { type Explain, indented, titled } from './explain-lines.ts';
export {
  type ExplorationFiles,
  type Feature,
  type LookingFirst,
  type Noticed,
  scriptMeaning,
} from './feature.ts';
export { plannedClient, printClientPlan } from './judging/client-plan.ts';
export { excused, exitCodeOf } from './judging/judge-target.ts';
export { type Watching, watchFiles } from './judging/watched-files.ts';
export { assertThere, type Ready, withTarget } from './judging/with-target.ts';
export { budgetsAt } from './options/budget.ts';
export { assertOneSeed, challenge, challengeHelp } from './options/challenge-option.ts';
export { chooseTarget, type TargetOptions } from './options/choose-target.ts';
export {
  addExcuses,
  addInlineTarget,
  addLook,
  addPace,
  addRate,
  addReference,
  addReports,
  type Excuses,
  headerMeaning,
  lookOf,
  type ReportOptions,
  restrictionOption,
} from './options/command-options.ts';
export { assertKnown } from './options/filters.ts';
export { knownFailuresAt } from './options/known-failures.ts';
export {
  ageInDays,
  collect,
  headerLine,
  partOfHeader,
  positiveNumber,
  rateOf,
  wholeNumber,
} from './options/option-values.ts';
export { settleOf } from './options/run-options.ts';
export { usualFile, usualTarget } from './options/usual-target.ts';
export { commandLine } from './program.ts';
export { runCommand } from './run.ts';
