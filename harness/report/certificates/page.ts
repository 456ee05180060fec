import { readFileSync } from 'node:fs';
import { minuteOf } from '../comparison/words.ts';
import { headOf, style as reportStyle } from '../html/frame.ts';
import { html, type Part } from '../html/markup.ts';
import { counted } from '../words.ts';
import { type ListedBundle, problemInWords, worthOf } from './listed.ts';

const style = reportStyle + readFileSync(new URL('../history/page.css', import.meta.url), 'utf8');

/** Sign and colour of each word: those of the check state of the same weight. */
const looks: Readonly<Record<string, { readonly sign: string; readonly tone: string }>> = {
  VERIFIED: { sign: '✓', tone: 'pass' },
  INTACT: { sign: '?', tone: 'inconclusive' },
  NONCONFORMANT: { sign: '✗', tone: 'fail' },
  REFUSED: { sign: '◐', tone: 'untestable' },
  REJECTED: { sign: '✗', tone: 'fail' },
};

/** Notes for the reader next to the table. */
export interface ListRemarks {
  /** Folder that was listed. */
  readonly folder: string;
  /** Meaning of each word and level, in the order in which a reader looks for them. */
  readonly meanings: readonly (readonly [word: string, meaning: string])[];
}

/** A list of bundles as one HTML file that needs nothing else, and runs no script. */
export function renderBundlesHtml(
  bundles: readonly ListedBundle[],
  { folder, meanings }: ListRemarks,
): string {
  const used = new Set(bundles.map(worthOf));
  return html`<!doctype html>
<html lang="en">
${headOf({ title: `Certificates in ${folder}`, style, script: null })}
<body>
<header>
<p class="brand">Touchstone <span>certificates</span></p>
<h1>${folder}</h1>
<p>${inWords(bundles)}</p>
</header>
<main>
<section aria-labelledby="bundles-title">
<h2 id="bundles-title">Bundles</h2>
<div class="scroll" role="region" aria-label="Table of bundles" tabindex="0"><table class="plain incidents">
<thead><tr><th scope="col">Subject</th><th scope="col">Worth</th><th scope="col">Covers</th><th scope="col">Date</th><th scope="col">Folder</th></tr></thead>
<tbody>
${bundles.map(row)}</tbody>
</table></div>
</section>
<section aria-labelledby="words-title">
<h2 id="words-title">What the words mean</h2>
<div class="scroll" role="region" aria-label="Table of words" tabindex="0"><table class="plain incidents">
<thead><tr><th scope="col">Worth</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${meanings.filter(([word]) => used.has(word)).map(meaningRow)}</tbody>
</table></div>
</section>
</main>
</body>
</html>
`.text;
}

function meaningRow([word, meaning]: readonly [string, string]): Part {
  return html`<tr><th scope="row">${word}</th><td>${meaning}</td></tr>
`;
}

function inWords(bundles: readonly ListedBundle[]): string {
  const words = Object.keys(looks).flatMap((word) => {
    const count = bundles.filter((bundle) => bundle.word === word).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return `${counted(bundles.length, 'bundle')}: ${words.join(', ')}.`;
}

function row(bundle: ListedBundle): Part {
  const { name, word, about, report } = bundle;
  const { sign, tone } = looks[word] ?? { sign: '', tone: 'note' };
  const worth = html`<span class="sign ${tone}" aria-hidden="true">${sign}</span> ${worthOf(bundle)}`;
  if (about === null) {
    return html`<tr><th scope="row">${name}</th><td>${worth}</td><td colspan="2">${problemInWords(bundle)}</td><td>${name}</td></tr>
`;
  }
  const { subject, place, covers } = about;
  const title = report === null ? subject : html`<a href="${report}">${subject}</a>`;
  return html`<tr><th scope="row">${title}<p class="aside">${place}</p></th><td>${worth}</td><td>${covers}</td><td>${minuteOf(about)}</td><td>${name}</td></tr>
`;
}
