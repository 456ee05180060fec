import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { inMarkdown } from './markdown.ts';
import { html, proseOf } from './markup.ts';
import { pageOf } from './page.ts';
import { printed } from './terminal.ts';
import {
  aside,
  type Block,
  code,
  countedSection,
  type Inline,
  only,
  paragraph,
  prose,
  type ReportDocument,
  signOf,
  strong,
  toned,
} from './tree.ts';

const esc = String.fromCharCode(27);

/** A document with every kind of block and of text, in which each text is this one. */
function everything(text: string): ReportDocument {
  const spans: readonly Inline[] = [
    [text, code(text), prose(text), strong(text), aside(text), toned('fail', text)],
    [signOf('warn', '!'), { span: 'tag', text }, { span: 'link', to: text, text }],
    { span: 'cell', tone: 'pass', text, title: text },
    { span: 'command', text },
  ];
  const blocks: readonly Block[] = [
    ...spans.map((span) => paragraph(span)),
    { block: 'facts', facts: [{ name: 'name', lines: spans }] },
    { block: 'list', items: spans.map((one) => ({ sign: '-', text: one, below: spans })) },
    { block: 'table', label: text, head: ['a', text], rows: [{ cells: spans, below: text }] },
    { block: 'verbatim', text },
    { block: 'section', title: text, meaning: text, blocks: [] },
  ];
  const folded = countedSection(text, 1, blocks, { folded: 'closed', meaning: text });
  const conclusion = { tone: 'fail', word: text, said: text, after: blocks } as const;
  return { kind: 'sample', title: text, conclusion, blocks: [...blocks, ...folded] };
}

const plain = { colour: false, width: 80 };

function documentOf(...blocks: readonly Block[]): ReportDocument {
  return { kind: 'sample', title: 'name', conclusion: null, blocks };
}

test('what a stranger sends stays text, in every place of every output', () => {
  const nasty = `${esc}[2J\u009b31m\r\u202e|@x \`\`\`\`\n</script><img src=x onerror="x()">`;
  const document = everything(nasty);
  for (const width of [60, 80, 120]) {
    const text = printed(document, { colour: false, width });
    for (const sent of [esc, '\r', '\u009b', '\u202e']) expect(text).not.toContain(sent);
    expect(text).toContain('\\x1b[2J\\x9b31m');
  }
  const page = pageOf(document);
  expect(page).not.toMatch(/<img|<script|javascript:|onerror="/);
  expect(page).toContain('default-src &#39;none&#39;');
  // A fence is longer than any within it, and nothing outside of one formats or mentions.
  const outside = inMarkdown(document).replace(/^(`{5,})text\n[\s\S]*?\n\1$/gm, '');
  expect(outside.match(/<img|@x|[^\\ \n]\|@/g) ?? []).toEqual([]);
});

test('an address that could run a script is no link', () => {
  const linked = (to: string): string =>
    pageOf(documentOf(paragraph({ span: 'link', to, text: 'words' })));
  expect(linked('javascript:alert(1)')).toContain('<p>words</p>');
  expect(linked('#place')).toContain('<a href="#place">words</a>');
  expect(linked('https://a.example')).toContain('<a href="https://a.example" rel="noreferrer">');
});

test('lines keep to the width, but for the command to copy', () => {
  const long = 'word '.repeat(60).trim();
  for (const width of [60, 80, 120]) {
    const lines = stripVTControlCharacters(printed(everything(long), { colour: true, width }));
    const wide = lines.split('\n').filter((line) => line.length > width);
    expect(wide.filter((line) => !line.trim().endsWith(long))).toEqual([]);
  }
});

test('a terminal says all of a section, and files fold it', () => {
  const inner = paragraph('inner');
  const document = documentOf(
    paragraph('first'),
    ...countedSection('Known', 2, [inner], { folded: 'closed', meaning: 'listed' }),
    ...countedSection('None', 0, [inner]),
    only('page', paragraph('for the page')),
    only(['terminal', 'markdown'], paragraph('for others')),
  );
  expect(printed(document, plain)).toBe('first\n\nKnown (2)  listed\n  inner\nfor others\n');
  expect(inMarkdown(document)).toBe(
    '# name\n\nfirst\n\n<details><summary>Known (2): listed</summary>\n\ninner\n\n</details>\n\nfor others\n',
  );
  const page = pageOf(document);
  expect(page).toContain('<details class="section">\n<summary><h3>Known <span class="count">2');
  expect(page).toContain('for the page');
  expect(page).not.toContain('for others');
});

test('the conclusion is last at a terminal, and first in a file', () => {
  const conclusion = {
    tone: 'fail',
    word: 'BROKEN',
    said: 'It is.',
    after: [paragraph('Next')],
  } as const;
  const document = { ...documentOf(paragraph('body')), conclusion };
  expect(printed(document, { ...plain, width: 60 })).toBe(
    `body\n\n${'─'.repeat(60)}\n  BROKEN  \n\nIt is.\nNext\n`,
  );
  expect(inMarkdown(document)).toBe('# ❌ BROKEN: name\n\nIt is.\n\nNext\n\nbody\n');
  expect(inMarkdown({ ...document, title: '', conclusion: { ...conclusion, word: null } }, 2)).toBe(
    '## ❌ It is.\n\nNext\n\nbody\n',
  );
  expect(printed(document, { ...plain, colour: true })).toContain(`${esc}[41m`);
});

test('a table keeps its columns, and breaks the one that may be broken', () => {
  const rows = [
    { cells: ['1', 'word '.repeat(20).trim(), 'x'], below: 'below' },
    { cells: ['2', 'short', 'y'], tone: 'fail' as const },
  ];
  const table = {
    block: 'table',
    label: 'All',
    head: ['n', 'what', 'end'],
    rows,
    wraps: 1,
  } as const;
  expect(printed(documentOf(table), { ...plain, width: 60 })).toBe(
    [
      'n  what                                               end',
      '1  word word word word word word word word word word  x',
      '   word word word word word word word word word word',
      '  below',
      '2  short                                              y\n',
    ].join('\n'),
  );
  expect(inMarkdown(documentOf(table))).toContain('| n | what | end |\n|---|---|---|\n| 1 | word');
  expect(pageOf(documentOf(table))).toContain('<tr class="below"><td colspan="3">below</td></tr>');
});

test('a fact is cut where it has to be short', () => {
  const lines = ['one', 'two', 'three'];
  const facts = [
    { name: 'all', lines },
    { name: 'some', lines, most: 2 },
  ];
  expect(printed(documentOf({ block: 'facts', facts }), plain)).toBe(
    'all   one\n      two\n      three\nsome  one\n      two …\n',
  );
});

test('markup is escaped, and shows control characters', () => {
  expect(html`<p title="${`"'&`}">${'</script><img onerror=x>\u0000\u202e'}</p>`.text).toBe(
    '<p title="&quot;&#39;&amp;">&lt;/script&gt;&lt;img onerror=x&gt;\\x00\\u202e</p>',
  );
  expect(proseOf('a `b` c').text).toBe('a <code>b</code> c');
  expect(proseOf('a `b` c ` d').text).toBe('a <code>b</code> c ` d');
});
