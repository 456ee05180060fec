import { duration } from './duration.ts';
import type { ExchangeView, StepView } from './exchange-view.ts';
import { html, type Part } from './html-markup.ts';

/** A scenario that polled for long has many; what matters stands around the one that was judged. */
const around = 20;

/** How the exchange came about: those before and after it in its scenario, one line each. */
export function scenarioSteps({ key, scenario }: ExchangeView): Part {
  if (scenario.length < 2) return null;
  const here = scenario.findIndex((step) => step.key === key);
  const from = Math.max(0, here - around);
  const steps = scenario.slice(from, here + around + 1);
  const began = scenario[0]?.at ?? 0;
  return html`<details class="raw"><summary>Exchange ${here + 1} of ${scenario.length} in its scenario</summary>
<ol class="steps" start="${from + 1}">${steps.map((step) => item(step, step.key === key, began))}</ol>
</details>`;
}

function item({ request, outcome, at, took }: StepView, current: boolean, began: number): Part {
  const words = html`<span class="at">${duration(at - began)}</span> ${request} → ${outcome} <span class="aside">in ${duration(took)}</span>`;
  return current ? html`<li aria-current="true">${words}</li>` : html`<li>${words}</li>`;
}
