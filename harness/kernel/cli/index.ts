export { type Explain, explained, titled } from './explained.ts';
export {
  type ExplorationFiles,
  type Feature,
  type LookingFirst,
  type Modifier,
  type Noticed,
  provided,
  remarked,
  scriptMeaning,
} from './feature.ts';
export { type JudgingLimits, judgedApart } from './judging/apart.ts';
export { clientPlanDocument, plannedClient } from './judging/client-plan.ts';
export { excused, exitCodeOf } from './judging/excused.ts';
export { settleOf, timeLeft } from './judging/judge.ts';
export { rejudgeAny, rejudgedApart, secondsToJudge } from './judging/rejudge-any.ts';
export { assertThere, type Ready, withTarget } from './judging/with-target.ts';
export { budgetsAt } from './options/budget.ts';
export { assertOneSeed, challenge, challengeHelp } from './options/challenge-option.ts';
export { chooseTarget, type TargetOptions } from './options/choose-target.ts';
export { type Given, givenIn, optionsIn } from './options/declared.ts';
export { assertKnown } from './options/filters.ts';
export { knownFailuresAt } from './options/known-failures.ts';
export {
  ageInDays,
  collect,
  decimal,
  headerLine,
  partOfHeader,
  rateOf,
  type ShardNumber,
  shardNumber,
  wholeNumber,
} from './options/option-values.ts';
export {
  add,
  collectRestriction,
  type Excuses,
  type GivenOf,
  headerMeaning,
  optionGroups,
  type ReportOptions,
  restrictionMeaning,
  runTable,
} from './options/run-table.ts';
export { usualFile, usualTarget } from './options/usual-target.ts';
export { commandLine, commandTable } from './program.ts';
