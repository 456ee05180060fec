import type { RunResult } from '../../core/index.ts';
import { html, type Part } from '../document/markup.ts';
import { duration } from '../duration.ts';
import { slowest, type TimedScenario } from '../slowest.ts';
import { counted } from '../words.ts';

/** Number of scenarios shown. */
const shown = 15;

/** Lists the slowest scenarios of a run, with the checks that are judged on each. */
export function slowestScenarios(result: RunResult): Part {
  const all = slowest(result);
  const [first] = all;
  if (first === undefined) return null;
  return html`<details class="section" id="slowest">
<summary><h3>Slowest scenarios</h3> <span class="aside">what the run took its time for; scenarios run side by side</span></summary>
<ol class="slowest">${all.slice(0, shown).map((one) => scenario(one, first.durationMs))}</ol>
</details>`;
}

function scenario({ name, durationMs, checks }: TimedScenario, longest: number): Part {
  const [check] = checks;
  const on =
    check === undefined
      ? null
      : html` <a href="#${check.id}">${counted(checks.length, 'check')}</a>`;
  const width = (100 * durationMs) / Math.max(longest, 1);
  return html`<li><span class="time">${duration(durationMs)}</span> <span><code>${name}</code>${on}<svg height="4" width="100%" aria-hidden="true" focusable="false"><rect class="note" width="${width.toFixed(1)}%" height="4"/></svg></span></li>
`;
}
