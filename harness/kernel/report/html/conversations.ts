import {
  type CheckResult,
  type Conversation,
  type ConversationRequest,
  protocols,
  protocolTitles,
  type RunResult,
  timesAsked,
} from '../../core/index.ts';
import { askedOf, conversationOf, doneIn, endingOf } from '../conversations.ts';
import { html, type Markup, type MarkupPart, proseOf } from '../document/markup.ts';
import { type Block, countedSection, type Inline, link } from '../document/tree.ts';
import { duration } from '../duration.ts';

/** The starts of a client in one scenario. */
interface Played {
  readonly name: string;
  readonly starts: readonly Conversation[];
}

/** Groups conversations by scenario, in the order of their names. */
function playedIn({ conversations = [] }: RunResult): readonly Played[] {
  const names = [...new Set(conversations.map(({ scenario }) => scenario))].sort();
  return names.map((name) => ({
    name,
    starts: conversations.filter(({ scenario }) => scenario === name),
  }));
}

/**
 * Scenarios by protocols, with the number of requests for one prompt. Two requests mean a retry, which readers look
 * for first.
 */
export function startsTable(result: RunResult): readonly Block[] {
  const played = playedIn(result);
  const shown = protocols.filter((protocol) =>
    played.some(({ starts }) => starts.some((start) => start.protocol === protocol)),
  );
  const rows = played.map(({ name, starts }) => ({
    cells: [
      link(`#scenario-${name}`, shortName(name)),
      ...shown.map((protocol) => startCell(starts.filter((start) => start.protocol === protocol))),
    ],
  }));
  const head = ['', ...shown.map((protocol) => protocolTitles[protocol])];
  return countedSection(
    'What the client sent',
    rows.length,
    [{ block: 'table', label: 'Scenarios and protocols', head, rows }],
    {
      id: 'starts',
      meaning:
        'How often it asked for the answer to one prompt, of each scenario the most in one start. Choose a number to see it.',
    },
  );
}

function startCell(starts: readonly Conversation[]): Inline {
  const [first] = [...starts].sort((one, other) => timesAsked(other) - timesAsked(one));
  if (first === undefined) return '';
  const times = timesAsked(first);
  const tone = times > 1 ? 'fail' : times === 1 ? 'pass' : 'excluded';
  const title = `${times === 1 ? 'generation' : 'generations'}, ${protocolTitles[first.protocol]}`;
  return { span: 'cell', tone, text: String(times), title, to: `#${placeOf(first)}` };
}

/** All starts of the client, by scenario. Starts with a retry are unfolded. */
export function conversations(result: RunResult): MarkupPart {
  const played = playedIn(result);
  if (played.length === 0) return null;
  return html`<section id="conversations" aria-labelledby="conversations-title">
<h2 id="conversations-title">Every start of the client</h2>
<p class="aside">What it sent, as the gateway saw it, with the time since the start of the command; then how it ended, and what it printed.</p>
<ul class="colours" aria-label="Colours of the lines of time"><li><i class="asked-key" aria-hidden="true"></i> asked for the answer</li><li><i class="again-key" aria-hidden="true"></i> asked for it again</li><li><i class="other-key" aria-hidden="true"></i> anything else</li></ul>
${played.map(scenarioSection)}
</section>`;
}

function scenarioSection({ name, starts }: Played): Markup {
  const most = Math.max(...starts.map(timesAsked));
  const open = most > 1 ? html` open` : null;
  const [first] = starts;
  const again = most > 1 ? html` <span class="tag again">sent again</span>` : null;
  return html`<details class="section" id="scenario-${name}"${open}>
<summary><h3>${shortName(name)} <span class="count">${starts.length}</span></h3>${again} <span class="aside">${first === undefined ? null : proseOf(`the gateway ${first.script}`)}</span></summary>
${starts.map((start) => conversationBlock(start, placeOf(start)))}
</details>
`;
}

/** Shows the conversation with a finding, if there is one. */
export function conversationIn(check: CheckResult, result: RunResult): MarkupPart {
  const found = conversationOf(check, result);
  if (found === null) return null;
  return html`<h3 class="exchange-title">As the gateway saw it</h3>
${conversationBlock(found, null)}
<p class="aside"><a href="#scenario-${found.scenario}">All starts of ${shortName(found.scenario)}</a></p>
`;
}

/** Shows one start: a line for each request on a common time line, and one for the end. */
function conversationBlock(conversation: Conversation, id: string | null): Markup {
  const { requests, took, printed, errors } = conversation;
  const end = Math.max(took, ...requests.map(({ at, took }) => at + took), 1);
  const times = timesAsked(conversation);
  let asked = 0;
  const lines = requests.map((request) => {
    asked += request.asked.length;
    return requestLine(request, { end, number: asked, times });
  });
  const place = id === null ? null : html` id="${id}"`;
  return html`<div class="talk"${place}>
<h4>${askedOf(conversation)}</h4>
<p class="aside">${proseOf(`The gateway ${doneIn(conversation)}.`)}</p>
<ol class="talk-lines">
${lines.length === 0 ? html`<li class="silent"><span class="at">–</span><span class="track"></span><span>It sent nothing.</span></li>` : lines}
<li class="end"><span class="at">${duration(took)}</span>${track(took, 0, end, 'end-mark')}<span>${endingOf(conversation)}</span></li>
</ol>
${output('Printed', printed)}${output('Standard error', errors)}
</div>
`;
}

interface OnLine {
  readonly end: number;
  /** Number of generations so far, including this one. */
  readonly number: number;
  readonly times: number;
}

function requestLine(
  { at, took, request, outcome, asked, region, exchange }: ConversationRequest,
  { end, number, times }: OnLine,
): Markup {
  const again = asked.length > 0 && number > 1;
  const kind = again ? 'again' : asked.length > 0 ? 'asked' : 'other';
  const tag = again ? html` <span class="tag again">generation ${number} of ${times}</span>` : null;
  return html`<li class="${kind}" title="${`${exchange}, region ${region}`}"><span class="at">${duration(at)}</span>${track(at, took, end, kind)}<span>${request} → ${outcome} <span class="aside">in ${duration(took)}</span>${tag}</span></li>
`;
}

/** Draws the position of an event on the time line. Purely decorative, because the words have the same content. */
function track(at: number, took: number, end: number, kind: string): Markup {
  const percent = (part: number): string => `${((part / end) * 100).toFixed(2)}%`;
  const x = Math.min(Math.max(at, 0), end * 0.99);
  return html`<svg class="track" height="12" aria-hidden="true" focusable="false"><line x1="0" x2="100%" y1="6" y2="6"/><rect class="${kind}" x="${percent(x)}" y="1" width="${percent(Math.max(took, end * 0.012))}" height="10" rx="2"/></svg>`;
}

function output(title: string, text: string): MarkupPart {
  if (text.trim() === '') return null;
  return html`<p class="aside">${title}</p><pre class="body" tabindex="0">${text.trimEnd()}</pre>`;
}

/** Name of a scenario without its suite, which is the same for all. */
function shortName(name: string): string {
  return name.replace(/^client\//, '');
}

function placeOf({ key }: Conversation): string {
  return `start-${key.replace(/[^a-z0-9-]+/gi, '-')}`;
}
