import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../../kernel/core/index.ts';
import { writeText } from '../../../kernel/redaction/index.ts';
import { type Block, html, pageOf } from '../../../kernel/report/index.ts';
import { boardPages } from './pages.ts';
import type { Board } from './results.ts';

/** Script of the start page: the text of a function that is compiled with browser types. */
const client: { readonly search: () => void } = await import(
  pathToFileURL(codeFile('harness/features/compare/board/board.client')).href
);
const script = `'use strict';\n(${client.search})();\n`;

const field: Block = {
  block: 'drawn',
  markup: () =>
    html`<form role="search" hidden><p><label>Search in ids and sentences (key /): <input id="search" type="search" autocomplete="off" spellcheck="false"></label> <span id="found" role="status"></span></p></form>`,
};

/** Writes the pages of a board into a folder. @returns the number of pages */
export function writeBoard(board: Board, folder: string): number {
  const pages = boardPages(board, [field]);
  for (const [path, document] of pages) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const controls = {
      script,
      skip: ['requirements', 'Skip to the requirements'] as const,
      data: () => html``,
    };
    writeText(file, pageOf(document, path === 'index.html' ? controls : undefined));
  }
  return pages.size;
}
