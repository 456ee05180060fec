import { STATUS_CODES } from 'node:http';
import { duration } from './duration.ts';
import type { ExchangeView, HeaderLines } from './exchange-view.ts';
import { bodyBlock, verbatim } from './html-body.ts';
import { html, type Markup } from './html-markup.ts';
import { scenarioSteps } from './html-scenario.ts';
import { timeline } from './html-timeline.ts';
import { counted } from './tally.ts';

/** Both halves of an exchange, and between them, where it streamed, what came when. */
export function exchangeHalves(view: ExchangeView): Markup {
  const { request, stream } = view;
  return html`${scenarioSteps(view)}<div class="halves">
<section class="half"><h4>Request</h4>
<p class="line"><b>${request.method}</b> <span>${request.url}</span></p>
${headerList(request.headers)}${request.body === null ? null : bodyBlock(request.body)}
<p class="aside">${view.operation}, region ${view.region}, key ${view.credential}</p>
</section>
<section class="half"><h4>Answer</h4>
${answerLine(view)}
${view.answer === null ? null : headerList(view.answer.headers)}${decoded(view)}${answerBody(view)}
${view.failure === null ? null : html`<p class="broken">${view.failure}</p>`}
${
  view.echoed.length === 0
    ? null
    : html`<p class="broken">The answer repeats a credential: ${view.echoed.join(', ')}.</p>`
}
</section>
</div>
${stream === null ? null : timeline(stream, view)}`;
}

function answerLine({ answer, took }: ExchangeView): Markup {
  const time = html`<span class="took">${duration(took)}</span>`;
  if (answer === null) return html`<p class="line"><b>no answer</b> ${time}</p>`;
  const { status, complete } = answer;
  const kind = status < 400 ? 'good' : 'bad';
  return html`<p class="line"><b class="${kind}">${status}</b> <span>${STATUS_CODES[status] ?? ''}</span> ${time}</p>
${complete ? null : html`<p class="broken">The answer is cut: it did not end as its framing says.</p>`}`;
}

/** The headers name a coding that the body below is not in. */
function decoded({ answer }: ExchangeView): Markup | null {
  if (answer?.decodedFrom == null) return null;
  return html`<p class="aside">The body came in the coding ${answer.decodedFrom}, and is shown decoded.</p>`;
}

function answerBody({ answer, stream }: ExchangeView): Markup | null {
  if (answer === null) return null;
  if (stream === null) return bodyBlock(answer.body);
  if (stream.over === 'websocket') return html`<p class="aside">The WebSocket is below.</p>`;
  return html`<details class="raw"><summary>The stream as it came (${counted(answer.body.bytes, 'byte')})</summary>
${verbatim(answer.body)}</details>`;
}

function headerList(headers: HeaderLines): Markup {
  const lines = headers.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return html`<dl class="headers">${lines}</dl>`;
}
