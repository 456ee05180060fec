import { pointsJudged, type RunResult } from '../../core/index.ts';
import { verdictTones } from '../comparison/words.ts';
import { html, type Markup, type Part } from '../document/markup.ts';
import {
  type Block,
  type Conclusion,
  fact,
  paragraph,
  prose,
  withFacts,
} from '../document/tree.ts';
import { runDuration } from '../duration.ts';
import { explain } from '../explanation.ts';
import { clocksInWords, connectionInWords } from '../provenance.ts';
import { clientFacts, trafficInWords } from '../subject.ts';
import {
  brokenInWords,
  counted,
  heldBackInWords,
  lagsInWords,
  loadInWords,
  recognisableInWords,
  repeatedInWords,
  shadowInWords,
  stateWords,
} from '../words.ts';
import { looks, shownStates } from './states.ts';

/** The verdict, why it is that, what to do next, and what the run was. */
export function conclusionOfRun(result: RunResult, unrecorded: readonly string[]): Conclusion {
  const { verdict, why, advice, typed } = explain(result);
  return {
    tone: verdictTones[result.verdict],
    word: verdict.charAt(0) + verdict.slice(1).toLowerCase(),
    said: prose(why),
    after: [
      paragraph(prose(advice)),
      ...(typed === null ? [] : [paragraph({ span: 'command', text: typed })]),
      { block: 'drawn', markup: () => html`${bar(result)}\n${legend(result)}` },
      facts(result, unrecorded),
    ],
  };
}

/** Least width of a state in the bar, in percent, so that one failed check of a thousand is visible. */
const leastPart = 0.6;

/** The states as parts of one bar. The legend says it in words. */
function bar({ counts, checks }: RunResult): Markup {
  const shares = shownStates.map((state) => {
    const share = (counts[state] / Math.max(checks.length, 1)) * 100;
    return { state, share: share === 0 ? 0 : Math.max(share, leastPart) };
  });
  const whole = Math.max(
    shares.reduce((sum, { share }) => sum + share, 0),
    100,
  );
  let x = 0;
  const parts = shares.map(({ state, share }): Part => {
    const width = (share / whole) * 100;
    const part = html`<rect class="${state}" x="${x.toFixed(3)}%" width="${width.toFixed(3)}%" height="10"><title>${`${counts[state]} ${looks[state].title.toLowerCase()}`}</title></rect>`;
    x += width;
    return width === 0 ? null : part;
  });
  return html`<svg class="bar" height="10" aria-hidden="true" focusable="false">${parts}</svg>`;
}

/** Each state with its count, as a way to its checks. */
function legend({ counts }: RunResult): Markup {
  const items = shownStates
    .filter((state) => counts[state] > 0)
    .map(
      (state) =>
        html`<li><a href="#${state}"><span class="sign ${state}" aria-hidden="true">${looks[state].sign}</span> <b>${counts[state]}</b> ${stateWords[state]}</a></li>`,
    );
  return html`<ul class="legend">${items}</ul>`;
}

function facts(result: RunResult, unrecorded: readonly string[]): Block {
  const { target, traffic } = result;
  const held = heldBackInWords(traffic);
  const broken = brokenInWords(traffic);
  const late = lagsInWords(result.checks);
  const recognisable = recognisableInWords(traffic);
  const shadow = shadowInWords(traffic);
  const repeated = repeatedInWords(result);
  const load = loadInWords(traffic);
  const rows: (readonly [string, string])[] = [
    ...(target.client === undefined
      ? target.regions.map(({ name, baseUrl }) => [`Region ${name}`, baseUrl] as const)
      : clientFacts(target.client)),
    ...(target.headers === undefined
      ? []
      : [['Headers', `${target.headers.join(', ')} (of the target file)`] as const]),
    ...(target.takesNoKeys ? [['Keys', 'none: the gateway takes none'] as const] : []),
    ...(result.provenance?.connections ?? []).map(
      (connection) => ['Connection', connectionInWords(connection)] as const,
    ),
    ...clocksInWords(result.provenance?.clocks ?? []).map((said) => ['Clock', said] as const),
    ['Started', instant(result.startedAt)],
    ['Took', runDuration(result.durationMs)],
    ['Judged', `at ${counted(pointsJudged(result.checks), 'point')}`],
    ...(repeated === null ? [] : [['Repeated', repeated] as const]),
    ['Traffic', trafficInWords(result)],
    ...(broken === null ? [] : [['Connections', broken] as const]),
    ...(held === null ? [] : [['Held back', held] as const]),
    ...(late === null ? [] : [['Lag', late] as const]),
    ...(load === null ? [] : [['Under load', load] as const]),
    ...(shadow === null ? [] : [['Official clients', shadow] as const]),
    ...(result.challenge === undefined ? [] : [['Challenge', result.challenge] as const]),
    ['Seed', String(result.seed)],
    ['Touchstone', result.suiteVersion],
    ['Run', result.runId],
    ...(result.strict ? [['Strict', 'a broken SHOULD fails the run'] as const] : []),
    ...(result.filters.length > 0 ? [['Only', result.filters.join(', ')] as const] : []),
    ...(result.interrupted
      ? [['Interrupted', 'by the user; the rest was not tested'] as const]
      : []),
    ...(unrecorded.length > 0
      ? [['Not recorded', `the exchanges of ${unrecorded.join(', ')}`] as const]
      : []),
    // The longest, which would leave a hole between the others.
    ...(recognisable === null ? [] : [['Recognisable by', recognisable] as const]),
  ];
  return withFacts(rows.map(([name, value]) => fact(name, value)));
}

/** `2025-01-02 03:04:05 UTC` */
function instant(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
