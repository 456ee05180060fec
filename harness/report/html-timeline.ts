import { duration } from './duration.ts';
import type { ExchangeView, FrameView, StreamView } from './exchange-view.ts';
import { bodyBlock } from './html-body.ts';
import { html, type Markup } from './html-markup.ts';
import { counted } from './tally.ts';

/** Of a longer stream the beginning and the end are shown, where the faults are. */
const firstFrames = 150;
const lastFrames = 50;

/** A stream as what came when: a line with a mark for each frame, and each frame with its data. */
export function timeline(stream: StreamView, view: ExchangeView): Markup {
  const { frames, over, close } = stream;
  const hidden = Math.max(0, frames.length - firstFrames - lastFrames);
  const first = hidden === 0 ? frames : frames.slice(0, firstFrames);
  const last = hidden === 0 ? [] : frames.slice(-lastFrames);
  return html`<section class="stream"><h4>${over === 'sse' ? 'Stream' : 'WebSocket'}</h4>
<p class="aside">${inWords(frames, view, over)}</p>
${line(frames, view)}
<ol class="frames">
${first.map((frame, index) => item(frame, frames[index - 1], index, over))}
${
  hidden === 0
    ? null
    : html`<li class="gap">${counted(hidden, 'frame')} left out here; the recording has them</li>`
}
${last.map((frame, index) => {
  const at = frames.length - last.length + index;
  return item(frame, frames[at - 1], at, over);
})}
</ol>
<p class="aside">${close === null ? null : `Closed with ${close}. `}Ended after ${duration(view.took)}.</p>
</section>`;
}

function inWords(
  frames: readonly FrameView[],
  { answer, took }: ExchangeView,
  over: StreamView['over'],
): string {
  const [first] = frames;
  if (first === undefined) return `Nothing came in ${duration(took)}.`;
  const headers = answer?.headersAfter ?? null;
  const pauses = frames.map(({ at }, index) => at - (frames[index - 1]?.at ?? at));
  return [
    `${counted(frames.length, over === 'sse' ? 'event' : 'frame')} in ${duration(took)}`,
    ...(headers === null ? [] : [`headers after ${duration(headers)}`]),
    `first after ${duration(first.at)}`,
    `longest pause ${duration(Math.max(...pauses))}`,
  ].join(', ');
}

/** The marks of all frames on one line of time. It repeats what the list says, so it is decoration. */
function line(frames: readonly FrameView[], { took, answer }: ExchangeView): Markup {
  const end = Math.max(took, frames.at(-1)?.at ?? 0, 0.001);
  const x = (at: number): string => `${((at / end) * 100).toFixed(1)}%`;
  // Marks that would lie on one another are drawn once, however many frames there are.
  const places = new Map(frames.map(({ at, from }) => [`${x(at)} ${from}`, { at, from }]));
  const marks = [...places.values()].map(
    ({ at, from }) =>
      html`<rect class="${from}" x="${x(at)}" y="${from === 'us' ? 2 : 10}" width="2" height="8"/>`,
  );
  const headers = answer?.headersAfter ?? null;
  const answered =
    headers === null
      ? null
      : html`<rect class="headers-mark" x="${x(headers)}" y="4" width="1" height="12"/>`;
  return html`<div aria-hidden="true"><svg class="marks" height="20" focusable="false"><line x1="0" x2="100%" y1="10" y2="10"/>${answered}${marks}</svg>
<p class="scale"><span>request</span><span>${duration(end)}</span></p></div>`;
}

function item(
  frame: FrameView,
  before: FrameView | undefined,
  index: number,
  over: StreamView['over'],
): Markup {
  const { at, from, name, data } = frame;
  const start = data.text.slice(0, 160).replace(/\s+/g, ' ');
  const direction =
    over === 'sse'
      ? null
      : html`<span class="from">${from === 'us' ? '→' : '←'}<span class="hidden"> ${from === 'us' ? 'sent' : 'received'}</span></span>`;
  return html`<li><details><summary><span class="number">${index + 1}</span><span class="at" title="${`${duration(at - (before?.at ?? 0))} after the one before`}">${duration(at)}</span>${direction}${
    name === null ? null : html`<span class="event">${name}</span>`
  }<span class="start">${start}</span></summary>${bodyBlock(data)}</details></li>
`;
}
