export { printable } from '../core/index.ts';
export { renderBadge, renderBadgeEndpoint } from './badge.ts';
export { basisInWords, clausesSection, sourceOf } from './basis.ts';
export { cellInWords, holdingIn, type StateCounts, stateCounts, toneOf } from './cells.ts';
export { compare } from './comparison/comparison.ts';
export { comparisonDocument } from './comparison/document.ts';
export { renderComparisonJson } from './comparison/json.ts';
export { minuteOf, verdictTones } from './comparison/words.ts';
export { type ConsoleOptions, renderConsole } from './console.ts';
export { conversationOf, wrappedConversation } from './conversations.ts';
export { renderCtrf } from './ctrf.ts';
export { type Change, type Difference, difference } from './difference.ts';
export { inMarkdown } from './document/markdown.ts';
export { html, Markup, type MarkupPart } from './document/markup.ts';
export { pageOf } from './document/page.ts';
export { printed } from './document/terminal.ts';
export {
  aside,
  type Block,
  code,
  type DocumentTable,
  fact,
  type Inline,
  type ListItem,
  link,
  only,
  paragraph,
  prose,
  type ReportDocument,
  signOf,
  strong,
  type TableRow,
  type Tone,
  toned,
  withFacts,
} from './document/tree.ts';
export { duration, runDuration } from './duration.ts';
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
export { explain, notJudged } from './explanation.ts';
export { shortFinding } from './finding.ts';
export { type PlaceOf, renderGithub, renderGithubOfTargets } from './github.ts';
export { exchangeHalves } from './html/exchange.ts';
export { renderHtml } from './html/page.ts';
export { stateSign } from './html/states.ts';
export { causesFor, type JsonReport, renderJson, reportOf, resultIn } from './json.ts';
export { renderJunit } from './junit.ts';
export { renderKnownFailures } from './known-failures-file.ts';
export { inOneLine, Line, line, own, quoted } from './line.ts';
export { renderMarkdown, renderMarkdownOfTargets } from './markdown.ts';
export { isDue } from './outcome.ts';
export { clocksInWords, connectionInWords } from './provenance.ts';
export { NoReport, readReport } from './read-report.ts';
export { claimInWords, mustsInWords, scopeInWords } from './scope.ts';
export { clientFacts, placeInWords, subjectOf, titleOf } from './subject.ts';
export { type TargetOutcome, targetsDocument, type Unjudged, wordOf } from './target-outcome.ts';
export { counted, leftInWords, roundInWords, triesInWords, waitingInWords } from './words.ts';
export { labelled, padded, shortened, widest, wrap } from './wrap.ts';
