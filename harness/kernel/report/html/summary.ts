import { pointsJudged, type RunResult } from '../../core/index.ts';
import { remarksOf } from '../conclusion.ts';
import { html, type Markup, type MarkupPart } from '../document/markup.ts';
import { type Block, type Fact, fact, withFacts } from '../document/tree.ts';
import { runDuration } from '../duration.ts';
import { isDue, undue } from '../outcome.ts';
import { clocksInWords, connectionInWords } from '../provenance.ts';
import { clientFacts, trafficInWords } from '../subject.ts';
import { counted, recognisableInWords, stateWords } from '../words.ts';
import { looks, shownStates } from './states.ts';

/** Part of the conclusion that only a page draws: shares and counts of the states. */
export function shares(result: RunResult): Block {
  return { block: 'drawn', markup: () => html`${bar(result)}\n${legend(result)}` };
}

/** Minimum width of a state in the bar, in percent, so that one failure in a thousand checks is visible. */
const leastPart = 0.6;

/** The states of what was due as parts of one bar. The legend has the same content in words. */
function bar({ counts, checks }: RunResult): Markup {
  const due = checks.filter(isDue).length;
  const shares = shownStates
    .filter((state) => !undue.has(state))
    .map((state) => {
      const share = (counts[state] / Math.max(due, 1)) * 100;
      return { state, share: share === 0 ? 0 : Math.max(share, leastPart) };
    });
  const whole = Math.max(
    shares.reduce((sum, { share }) => sum + share, 0),
    100,
  );
  let x = 0;
  const parts = shares.map(({ state, share }): MarkupPart => {
    const width = (share / whole) * 100;
    const part = html`<rect class="${state}" x="${x.toFixed(3)}%" width="${width.toFixed(3)}%" height="10"><title>${`${counts[state]} ${looks[state].title.toLowerCase()}`}</title></rect>`;
    x += width;
    return width === 0 ? null : part;
  });
  return html`<svg class="bar" height="10" aria-hidden="true" focusable="false">${parts}</svg>`;
}

/** Each state with its count, as a link to its checks. */
function legend({ counts }: RunResult): Markup {
  const items = shownStates
    .filter((state) => counts[state] > 0)
    .map(
      (state) =>
        html`<li><a href="#${state}"><span class="sign ${state}" aria-hidden="true">${looks[state].sign}</span> <b>${counts[state]}</b> ${stateWords[state]}</a></li>`,
    );
  return html`<ul class="legend">${items}</ul>`;
}

/** Facts of the run, which come after what was found. */
export function factsOfRun(result: RunResult, unrecorded: readonly string[]): Block {
  const { target, provenance, challenge, strict, filters, interrupted } = result;
  const named = (rows: readonly (readonly [string, string])[]): readonly (Fact | null)[] =>
    rows.map(([name, value]) => fact(name, value));
  return withFacts([
    ...named(
      target.client === undefined
        ? target.regions.map(({ name, baseUrl }) => [`Region ${name}`, baseUrl])
        : clientFacts(target.client),
    ),
    fact('Headers', target.headers ? `${target.headers.join(', ')} (of the target file)` : null),
    fact('Keys', target.takesNoKeys ? 'none: the gateway takes none' : null),
    ...(provenance?.connections ?? []).map((one) => fact('Connection', connectionInWords(one))),
    ...clocksInWords(provenance?.clocks ?? []).map((said) => fact('Clock', said)),
    fact('Started', instant(result.startedAt)),
    fact('Took', runDuration(result.durationMs)),
    fact('Judged', `at ${counted(pointsJudged(result.checks), 'point')}`),
    fact('Traffic', trafficInWords(result)),
    ...named(remarksOf(result)),
    fact('Challenge', challenge ?? null),
    fact('Seed', String(result.seed)),
    fact('Touchstone', result.suiteVersion),
    fact('Run', result.runId),
    fact('Strict', strict ? 'a broken SHOULD fails the run' : null),
    fact('Only', filters.length > 0 ? filters.join(', ') : null),
    fact('Interrupted', interrupted ? 'by the user; the rest was not tested' : null),
    fact(
      'Not recorded',
      unrecorded.length > 0 ? `the exchanges of ${unrecorded.join(', ')}` : null,
    ),
    // Placed last, because its length would leave a gap between the others.
    fact('Recognisable by', recognisableInWords(result.traffic)),
  ]);
}

/** `2025-01-02 03:04:05 UTC` */
function instant(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
