import {
  duration,
  html,
  type Markup,
  type MarkupPart,
  shortened,
} from '../../../kernel/report/index.ts';
import type { ToldAct, ToldFind } from './exploration.ts';

/** Units of the drawing, which scales to the available width. */
const width = 960;
const margin = 64;
/** Space for the names above the lines. */
const top = 46;
const ofRequest = 42;
const ofAnswer = 36;
const letter = 6.9;
const bar = 9;

interface Arrow {
  readonly act: ToldAct;
  readonly kind: 'request' | 'answer';
  readonly at: number;
  readonly y: number;
}

/**
 * Draws a history as a sequence diagram. Keys and regions are lines, time runs downwards, and each act is a pair of
 * arrows. A frame contains concurrent acts in the order of their starts and ends.
 *
 * @param id unique element id in the page
 */
export function sequenceDiagram(find: ToldFind, id: string): Markup {
  const { kind, source, acts } = find;
  const sent = acts.filter(({ exchange }) => exchange !== null);
  const lines = linesOf(sent);
  const arrows = arrowsOf(sent);
  const height = (arrows.at(-1)?.y ?? top) + 26;
  return html`<svg class="sequence" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${`Sequence of requests: ${kind}`}</title>
<desc id="${id}-desc">${sent.map(inWords).join(' ')}${` The table below says the same. It breaks ${source.id}.`}</desc>
${[...lines].map(([name, { x, of }]) => lifeline(name, x, of, height))}
${frames(arrows)}
${sent.map((act) => activity(act, arrows, lines, sent))}
${arrows.map((arrow) => drawn(arrow, lines, find))}
</svg>`;
}

interface Line {
  readonly x: number;
  readonly of: 'key' | 'region';
}

/** Returns the lines: keys on the left, regions on the right, each in order of appearance. */
function linesOf(acts: readonly ToldAct[]): ReadonlyMap<string, Line> {
  const names = [
    ...new Set(acts.map(({ actor }) => nameOf('key', actor))),
    ...new Set(acts.map(({ region }) => nameOf('region', region))),
  ];
  const first = margin + 62;
  const between = (width - first - 70) / Math.max(1, names.length - 1);
  return new Map(
    names.map((name, index) => {
      const of = name.startsWith('key ') ? 'key' : 'region';
      return [name, { x: Math.round(first + index * between), of }];
    }),
  );
}

/** Distinguishes a region from a key with the same name. */
function nameOf(of: Line['of'], name: string): string {
  return `${of} ${name}`;
}

function arrowsOf(acts: readonly ToldAct[]): readonly Arrow[] {
  let y = top + 4;
  return acts
    .flatMap((act): Omit<Arrow, 'y'>[] => [
      { act, kind: 'request', at: act.began },
      { act, kind: 'answer', at: act.ended },
    ])
    .toSorted(
      // Steps stay in order, even with a coarse clock.
      (one, other) =>
        one.act.step - other.act.step || one.at - other.at || (one.kind === 'request' ? -1 : 1),
    )
    .map((arrow) => {
      y += arrow.kind === 'request' ? ofRequest : ofAnswer;
      return { ...arrow, y };
    });
}

function lifeline(name: string, x: number, of: Line['of'], height: number): Markup {
  const shown = shortened(name.slice(of.length + 1), 18);
  const half = Math.max(34, (shown.length * letter) / 2 + 10);
  return html`<line class="life" x1="${x}" x2="${x}" y1="34" y2="${height - 6}"/>
<rect class="head ${of}" x="${x - half}" y="4" width="${half * 2}" height="30" rx="${of === 'key' ? 15 : 4}"/>
<text class="name" x="${x}" y="24" text-anchor="middle">${shown}</text>
`;
}

function frames(arrows: readonly Arrow[]): MarkupPart {
  const steps = [...new Set(arrows.map(({ act }) => act.step))];
  return steps.map((step) => {
    const own = arrows.filter(({ act }) => act.step === step);
    const [first] = own;
    const last = own.at(-1);
    if (first === undefined || last === undefined || own.length < 4) return null;
    const y = first.y - 34;
    return html`<rect class="beside" x="8" y="${y}" width="${width - 16}" height="${last.y - y + 12}" rx="6"/>
<text class="beside-name" x="${width - 18}" y="${y + 15}" text-anchor="end">side by side</text>
`;
  });
}

/** Returns the number of bars to the left of this one: those of earlier concurrent acts in the same region. */
function aside(act: ToldAct, acts: readonly ToldAct[]): number {
  const before = acts.slice(0, acts.indexOf(act)).filter(({ exchange }) => exchange !== null);
  return before.filter(({ step, region }) => step === act.step && region === act.region).length;
}

function activity(
  act: ToldAct,
  arrows: readonly Arrow[],
  lines: ReadonlyMap<string, Line>,
  acts: readonly ToldAct[],
): MarkupPart {
  const x = lines.get(nameOf('region', act.region))?.x ?? 0;
  const [from = 0, to = 0] = arrows.filter((arrow) => arrow.act === act).map(({ y }) => y);
  const left = x - bar / 2 + aside(act, acts) * (bar + 2);
  const kind = act.shows ? 'active shows' : 'active';
  return html`<rect class="${kind}" x="${left}" y="${from - 3}" width="${bar}" height="${to - from + 6}" rx="2"/>
`;
}

function drawn(
  { act, kind, at, y }: Arrow,
  lines: ReadonlyMap<string, Line>,
  find: ToldFind,
): MarkupPart {
  const from = lines.get(nameOf('key', act.actor))?.x ?? 0;
  const region = lines.get(nameOf('region', act.region))?.x ?? 0;
  const to = region - bar / 2 + aside(act, find.acts) * (bar + 2);
  const shows = act.shows && kind === 'answer';
  const tone = shows ? ' shows' : '';
  const label = kind === 'request' ? `${act.label} ${act.what}` : answerOf(act, find);
  const text = shortened(label, 96);
  const half = (text.length * letter) / 2;
  const middle = Math.min(Math.max((from + to) / 2, margin + half), width - 8 - half);
  const tip = kind === 'request' ? to : from;
  const back = kind === 'request' ? tip - 9 : tip + 9;
  return html`<text class="time" x="4" y="${y + 4}">${kind === 'request' ? `+${duration(at)}` : null}</text>
<line class="${kind}${tone}" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/>
<path class="tip${tone}" d="M${tip} ${y}L${back} ${y - 4.5}L${back} ${y + 4.5}z"/>
<text class="label${tone}" x="${middle.toFixed(1)}" y="${y - 7}" text-anchor="middle">${text}</text>
`;
}

function answerOf({ came, shows, label }: ToldAct, { expected, source }: ToldFind): string {
  if (!shows) return `${label} ${came}`;
  const isAccess = expected === 'served' || expected === 'denied';
  const why = isAccess ? `has to be ${expected} (${source.id})` : `breaks ${source.id}`;
  return `✗ ${label} ${came} – ${why}`;
}

function inWords({ label, actor, region, what, came, shows }: ToldAct): string {
  return `${label}: ${actor} asks ${region}: ${what}; ${came}${shows ? ', which shows it' : ''}.`;
}
