export { renderBadge, renderBadgeEndpoint } from './badge.ts';
export { basisInWords } from './basis.ts';
export { bundlesDocument } from './certificates/document.ts';
export { type ListedBundle, worthOf } from './certificates/listed.ts';
export { compare } from './comparison/comparison.ts';
export { comparisonDocument } from './comparison/document.ts';
export { renderComparisonJson } from './comparison/json.ts';
export { type ConsoleOptions, renderConsole } from './console.ts';
export { conversationOf, wrappedConversation } from './conversations.ts';
export { renderCtrf } from './ctrf.ts';
export { type Change, type Difference, difference } from './difference.ts';
export { inMarkdown } from './document/markdown.ts';
export { pageOf } from './document/page.ts';
export { printed } from './document/terminal.ts';
export type { ReportDocument } from './document/tree.ts';
export {
  type BodyView,
  type ExchangeView,
  type ExchangeViews,
  type FrameView,
  type StepView,
  type StreamView,
  shownOfBody,
  shownOfFrame,
} from './exchange-view.ts';
export { alsoAccepted, explain } from './explanation.ts';
export { explorationDocument } from './exploration/document.ts';
export type {
  Exploration,
  ExplorationVerdict,
  ToldAct,
  ToldFind,
} from './exploration/exploration.ts';
export { renderExplorationJson } from './exploration/json.ts';
export { type PlaceOf, renderGithub, renderGithubOfTargets } from './github.ts';
export { historyDocument } from './history/document.ts';
export { type History, historyOf, type LeftOut } from './history/history.ts';
export { renderHistoryJson } from './history/json.ts';
export { type PastRun, pastRun } from './history/past-run.ts';
export { renderHtml } from './html/page.ts';
export { causesFor, type JsonReport, renderJson } from './json.ts';
export { renderJunit } from './junit.ts';
export { renderKnownFailures } from './known-failures-file.ts';
export { inOneLine, Line, line, own, quoted } from './line.ts';
export { renderMarkdown, renderMarkdownOfTargets } from './markdown.ts';
export { mergeReports, NotParts, type Part } from './merge.ts';
export { printable } from './printable.ts';
export { clocksInWords, connectionInWords } from './provenance.ts';
export { NoReport, readReport } from './read-report.ts';
export { isReport } from './report-schema.ts';
export { type Rerun, renderRerun } from './rerun.ts';
export { Rounds } from './rounds.ts';
export { claimInWords, mustsInWords, scopeInWords } from './scope.ts';
export { clientFacts, placeInWords, subjectOf, titleOf } from './subject.ts';
export { type TargetOutcome, targetsDocument, type Unjudged, wordOf } from './target-outcome.ts';
export { openIn, updated } from './update.ts';
export { counted, leftInWords, roundInWords, waitingInWords } from './words.ts';
export { labelled, padded, shortened, widest, wrap } from './wrap.ts';
