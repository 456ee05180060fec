import { STATUS_CODES } from 'node:http';
import { at, isObject, isPath, parsed, type RunResult } from '../../core/index.ts';
import { html, Markup, type MarkupPart } from '../document/markup.ts';
import { duration } from '../duration.ts';
import type {
  ExchangeView,
  ExchangeViews,
  FrameView,
  HeaderLines,
  StepView,
  StreamView,
} from '../exchange-view.ts';
import { counted } from '../words.ts';
import { type BodyPart, bodyBlock, jsonMarkup, verbatim } from './body.ts';

/** Maximum total length of the exchanges of a report, in characters, so that a browser can open it. */
const room = 12_000_000;

/** Place of a finding's exchange in the report, or the reason why it is missing. */
type Shelf =
  /** The exchange is shown at this check. `sharedBy` are the other checks with the same exchange. */
  | { readonly kind: 'here'; readonly id: string; readonly sharedBy: readonly string[] }
  /** An earlier check shows it. */
  | { readonly kind: 'elsewhere'; readonly id: string; readonly check: string }
  | { readonly kind: 'unrecorded' }
  | { readonly kind: 'no-room' };

/** The checks of one exchange, and the places of their findings in it. */
interface Shared {
  readonly checks: readonly string[];
  readonly places: readonly string[];
}

/**
 * The exchanges of a report, each stored once for all checks that judged it. They are stored as text, which a
 * browser neither parses nor renders until a reader opens the check, so that a report of megabytes opens as fast as
 * a small one.
 */
export class ExchangeShelf {
  readonly #views: ExchangeViews;
  readonly #shared: ReadonlyMap<ExchangeView, Shared>;
  readonly #shelved = new Map<ExchangeView, Shelf>();
  readonly #texts: Markup[] = [];
  #taken = 0;

  constructor(views: ExchangeViews, { checks }: Pick<RunResult, 'checks'>) {
    this.#views = views;
    this.#shared = sharedViews(views, checks);
  }

  /** Stores the exchange of this check, unless it is stored already. */
  shelve(check: string): Shelf {
    const view = this.#views.get(check);
    if (view === undefined) return { kind: 'unrecorded' };
    const known = this.#shelved.get(view);
    if (known?.kind === 'here')
      return { kind: 'elsewhere', id: known.id, check: this.#firstOf(view) };
    if (known !== undefined) return known;
    const shelf = this.#place(view, check);
    this.#shelved.set(view, shelf);
    return shelf;
  }

  /** The texts of all stored exchanges. */
  markup(): Markup {
    return html`${this.#texts}`;
  }

  readonly #firsts = new Map<ExchangeView, string>();

  #firstOf(view: ExchangeView): string {
    return this.#firsts.get(view) ?? '';
  }

  #place(view: ExchangeView, check: string): Shelf {
    const { checks = [], places = [] } = this.#shared.get(view) ?? {};
    const halves = exchangeHalves(view, places);
    if (this.#taken + halves.text.length > room) return { kind: 'no-room' };
    this.#taken += halves.text.length;
    const id = `exchange-${this.#texts.length}`;
    this.#texts.push(html`<script type="application/json" id="${id}">${asData(halves)}</script>
`);
    this.#firsts.set(view, check);
    return { kind: 'here', id, sharedBy: checks.filter((one) => one !== check) };
  }
}

function sharedViews(
  views: ExchangeViews,
  checks: RunResult['checks'],
): ReadonlyMap<ExchangeView, Shared> {
  const shared = new Map<ExchangeView, Shared>();
  for (const { id, verdict } of checks) {
    const view = views.get(id);
    if (view === undefined) continue;
    const before = shared.get(view) ?? { checks: [], places: [] };
    const places = 'places' in verdict ? (verdict.places ?? []) : [];
    shared.set(view, {
      checks: [...before.checks, id],
      places: [...new Set([...before.places, ...places])],
    });
  }
  return shared;
}

/** A JSON text in which no HTML parser finds the end of its element or a comment. */
function asData({ text }: Markup): Markup {
  // Only a quotation mark within a tag has to be escaped, and JSON is full of them.
  const short = text.replace(/>[^<]+/g, (run) => run.replaceAll('&quot;', '"'));
  return new Markup(
    JSON.stringify(short).replaceAll('</', '<\\/').replaceAll('<!--', '<\\u0021--'),
  );
}

/**
 * Request and answer, with the time line of the stream between them, if there is one.
 *
 * @param places places of findings in the answer. The browser keeps the marks of the current check
 */
export function exchangeHalves(view: ExchangeView, places: readonly string[] = []): Markup {
  const { request, stream } = view;
  return html`${scenarioSteps(view)}<div class="halves">
<section class="half"><h4>Request</h4>
<p class="line"><b>${request.method}</b> <span>${request.url}</span></p>
${headerList(request.headers)}${request.body === null ? null : bodyBlock(request.body)}
<p class="aside">${view.operation}, region ${view.region}, key ${view.credential}</p>
</section>
<section class="half"><h4>Response</h4>
${answerLine(view)}
${view.answer === null ? null : headerList(view.answer.headers)}${decoded(view)}${answerBody(view, places)}
${view.failure === null ? null : html`<p class="broken">${view.failure}</p>`}
${
  view.echoed.length === 0
    ? null
    : html`<p class="broken">The response repeats a credential: ${view.echoed.join(', ')}.</p>`
}
</section>
</div>
${stream === null ? null : timeline(stream, view, places)}`;
}

function answerLine({ answer, took }: ExchangeView): Markup {
  const time = html`<span class="took">${duration(took)}</span>`;
  if (answer === null) return html`<p class="line"><b>no response</b> ${time}</p>`;
  const { status, complete } = answer;
  const kind = status < 400 ? 'good' : 'bad';
  return html`<p class="line"><b class="${kind}">${status}</b> <span>${STATUS_CODES[status] ?? ''}</span> ${time}</p>
${complete ? null : html`<p class="broken">The response is incomplete: it did not end as its framing says.</p>`}`;
}

/** A note that the headers name a coding, but the body is shown decoded. */
function decoded({ answer }: ExchangeView): Markup | null {
  if (answer?.decodedFrom == null) return null;
  return html`<p class="aside">The body was encoded with ${answer.decodedFrom} and is shown decoded.</p>`;
}

function answerBody({ answer, stream }: ExchangeView, places: readonly string[]): Markup | null {
  if (answer === null) return null;
  if (stream === null) return bodyBlock(answer.body, places);
  if (stream.over === 'websocket') return html`<p class="aside">The WebSocket is below.</p>`;
  return html`<details class="raw"><summary>The raw stream (${counted(answer.body.bytes, 'byte')})</summary>
${verbatim(answer.body, marksIn(answer.body.text, markedFrames(stream, places)))}</details>`;
}

/** Headers that almost every request and answer has, and that explain hardly any finding. */
const usual =
  /^(?:accept(?:-.*)?|anthropic-.*|connection|content-length|date|host|keep-alive|sec-.*|server|user-agent|vary|x-client-request-id|x-goog-.*|x-stainless-.*)$/i;

function headerList(headers: HeaderLines): Markup {
  const list = (some: HeaderLines): MarkupPart =>
    some.length === 0
      ? null
      : html`<dl class="headers">${some.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  const folded = headers.filter(([name]) => usual.test(name));
  return html`${list(headers.filter(([name]) => !usual.test(name)))}${
    folded.length === 0
      ? null
      : html`<details class="raw"><summary>${counted(folded.length, 'usual header')}</summary>${list(folded)}</details>`
  }`;
}

/** Number of steps shown before and after the judged one, because a scenario that polls has many. */
const around = 20;

/** Context of the exchange: the exchanges before and after it in its scenario, one line each. */
function scenarioSteps({ key, scenario }: ExchangeView): MarkupPart {
  if (scenario.length < 2) return null;
  const here = scenario.findIndex((step) => step.key === key);
  const from = Math.max(0, here - around);
  const steps = scenario.slice(from, here + around + 1);
  const began = scenario[0]?.at ?? 0;
  return html`<details class="raw"><summary>Exchange ${here + 1} of ${scenario.length} in its scenario</summary>
<ol class="steps" start="${from + 1}">${steps.map((step) => stepItem(step, step.key === key, began))}</ol>
</details>`;
}

function stepItem(
  { request, outcome, at, took }: StepView,
  current: boolean,
  began: number,
): MarkupPart {
  const words = html`<span class="at">${duration(at - began)}</span> ${request} → ${outcome} <span class="aside">in ${duration(took)}</span>`;
  return current ? html`<li aria-current="true">${words}</li>` : html`<li>${words}</li>`;
}

/** Parts of a frame to mark: the whole event, or members of its data. */
interface Marked {
  readonly event?: string;
  readonly members?: readonly string[];
}

/**
 * Findings refer to events by number, and to a member by its path in the last event that has it, or in the response
 * of that event.
 */
function markedFrames(
  { frames, over }: StreamView,
  places: readonly string[],
): ReadonlyMap<FrameView, Marked> {
  const marked = new Map<FrameView, Marked>();
  if (over !== 'sse') return marked;
  const events = frames.filter(({ name }) => name !== 'comment');
  for (const place of places) {
    const event = /^events\[(\d+)\]$/.exec(place)?.[1];
    const paths = [place, `response.${place}`];
    const has = ({ data }: FrameView, path: string): boolean =>
      isPath(path) && at(parsed(data.text), path) !== undefined;
    const frame =
      event === undefined
        ? (events.findLast((one) => paths.some((path) => has(one, path))) ??
          events.findLast(({ data }) => isObject(at(parsed(data.text), 'response'))))
        : events[Number(event)];
    if (frame === undefined) continue;
    const before = marked.get(frame);
    const there = paths.filter((path) => has(frame, path));
    const members = event !== undefined ? [] : there.length > 0 ? there : paths.slice(1);
    marked.set(frame, {
      ...before,
      ...(event === undefined ? {} : { event: place }),
      members: [...(before?.members ?? []), ...members],
    });
  }
  return marked;
}

/** The parts of a raw stream in which findings are marked: whole events, and members of their data. */
function marksIn(raw: string, marked: ReadonlyMap<FrameView, Marked>): readonly BodyPart[] {
  return [...marked].flatMap(([{ data }, { event, members }]): readonly BodyPart[] => {
    const start = raw.lastIndexOf(data.text);
    const drawn =
      event === undefined
        ? jsonMarkup(data.text, members, 'as it came')
        : html`<mark data-place="${event}">${data.text}</mark>`;
    return start === -1 || drawn === null ? [] : [{ start, text: data.text, drawn }];
  });
}

/** Number of frames shown at the start and the end of a long stream, where faults usually are. Marked ones are added. */
const firstFrames = 30;
const lastFrames = 20;

/** Frames of a stream, each with its time and its data. */
function timeline(stream: StreamView, view: ExchangeView, places: readonly string[]): Markup {
  const { frames, over, close, ping } = stream;
  const marked = markedFrames(stream, places);
  const isShown = (frame: FrameView | undefined, index: number): boolean =>
    index < firstFrames ||
    index >= frames.length - lastFrames ||
    (frame !== undefined && marked.has(frame));
  let hidden = 0;
  const items = frames.map((frame, index): MarkupPart => {
    if (isShown(frame, index)) return frameItem(frame, frames[index - 1], index, over, marked);
    hidden++;
    if (!isShown(frames[index + 1], index + 1)) return null;
    const left = hidden;
    hidden = 0;
    return html`<li class="gap">${counted(left, 'frame')} left out here; the recording has them</li>
`;
  });
  return html`<section class="stream"><h4>${over === 'sse' ? 'Stream' : 'WebSocket'}</h4>
<p class="aside">${inWords(frames, view, over)}</p>
<ol class="frames">
${items}</ol>
<p class="aside">${ping === undefined ? null : `A ping was ${ping}. `}${close === null ? null : `Closed with ${close}. `}Ended after ${duration(view.took)}.</p>
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

function frameItem(
  frame: FrameView,
  before: FrameView | undefined,
  index: number,
  over: StreamView['over'],
  marked: ReadonlyMap<FrameView, Marked>,
): Markup {
  const { at, from, name, data } = frame;
  const { event = null, members = [] } = marked.get(frame) ?? {};
  const start = data.text.slice(0, 100).replace(/\s+/g, ' ');
  const direction =
    over === 'sse'
      ? null
      : html`<span class="from">${from === 'us' ? '→' : '←'}<span class="hidden"> ${from === 'us' ? 'sent' : 'received'}</span></span>`;
  const place = event === null ? null : html` class="wrong" data-place="${event}"`;
  return html`<li${place}><details><summary><span class="number">${index + 1}</span><span class="at" title="${`+${duration(at - (before?.at ?? 0))}`}">${duration(at)}</span>${direction}${
    name === null ? null : html`<span class="event">${name}</span>`
  }<span class="start">${start}</span></summary>${bodyBlock(data, members)}</details></li>
`;
}
