import { html, type Markup } from '../../../kernel/report/index.ts';

interface Bar {
  readonly value: number;
  /** Class of its colour. */
  readonly tone: string;
  readonly title: string;
}

/** Number of bars that have a visible width. Older ones are left out. */
const most = 200;

/** Bars side by side, the newest at the right. Purely decorative, because a table has the same content. */
export function barChart(
  title: string,
  bars: readonly Bar[],
  words: (value: number) => string,
): Markup {
  const shown = bars.slice(-most);
  const highest = Math.max(0, ...shown.map(({ value }) => value));
  const width = 100 / Math.max(shown.length, 12);
  const drawn = shown.map(({ value, tone, title }, index) => {
    // A value of zero keeps a thin line, so that it can be pointed at.
    const height = highest === 0 ? 1 : Math.max(1, (value / highest) * 60);
    return html`<rect class="${tone}" x="${(index * width).toFixed(3)}%" y="${(61 - height).toFixed(2)}" width="${(width * 0.86).toFixed(3)}%" height="${height.toFixed(2)}"><title>${title}</title></rect>`;
  });
  return html`<figure class="chart"><figcaption>${title} <span class="aside">at most ${words(highest)}</span></figcaption>
<svg height="62" width="100%" aria-hidden="true" focusable="false">${drawn}</svg></figure>`;
}
