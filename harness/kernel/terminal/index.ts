export { assertWritten, deliverReports, tellOf, type WrittenFiles } from './deliver.ts';
export { exchangeViews, viewOf } from './exchange-views.ts';
export { assertApart, failureOf, Unwritten, UsageError } from './failure.ts';
export { interrupted, interruptible, stopped } from './interruption.ts';
export { LiveBlock } from './live-block.ts';
export {
  consoleOf,
  printReport,
  printTargets,
  printText,
} from './print-report.ts';
export { isLive, type ProgressDisplay, showProgress } from './progress.ts';
export { ProgressOfSeveral } from './progress-of-several.ts';
export { canAsk, question } from './question.ts';
export { RecordingFile, recordingFile } from './recording-file.ts';
export { reportAt } from './report-at.ts';
export {
  assertWritable,
  formats,
  optionOf,
  type ReportFiles,
  reportFilesIn,
  type ShownExchanges,
  writeReports,
} from './reports.ts';
export { silentTerminal } from './silent-terminal.ts';
export {
  inOurTexts,
  type Output,
  type Terminal,
  wantsColour,
} from './terminal.ts';
