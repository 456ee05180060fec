import type { CheckState } from '../../core/index.ts';
import type { Markup } from './markup.ts';

/**
 * A report as a tree of plain data. `printed`, `inMarkdown` and `pageOf` render it; no report formats text
 * itself. Every text may come from a stranger: the renderers escape it.
 */
export interface ReportDocument {
  /** Kind of the report: `history`. */
  readonly kind: string;
  /** Subject of the report; empty if the conclusion names it. */
  readonly title: string;
  /** Title of the window of the page, where it differs. */
  readonly window?: string;
  /** Version of the suite that judged. */
  readonly generator?: string;
  /** A terminal shows it last, where the eye rests; files show it first. */
  readonly conclusion: Conclusion | null;
  readonly blocks: readonly Block[];
}

/** Outcome of all that a report tells. */
export interface Conclusion {
  /** Weight of the outcome; null if it is neither good nor bad. */
  readonly tone: Tone | null;
  /** Verdict in a word; null if the sentence says it. */
  readonly word: string | null;
  readonly said: Inline;
  /** Further facts, and what to do next. */
  readonly after: readonly Block[];
}

/** Weight of a part: that of a check in this state. It decides colours. */
export type Tone = CheckState;

/** Output that a renderer writes. */
type Medium = 'terminal' | 'markdown' | 'page';

/** Text within a line. A plain string is a text without any look. */
export type Inline = string | Span | readonly Inline[];

export type Span =
  /** An id, a path, a command within a sentence. */
  | { readonly span: 'code'; readonly text: string }
  /** A sentence with code between backticks. */
  | { readonly span: 'prose'; readonly text: string }
  | { readonly span: 'strong'; readonly text: Inline }
  /** A remark that matters less. */
  | { readonly span: 'aside'; readonly text: Inline }
  | { readonly span: 'toned'; readonly tone: Tone; readonly text: Inline }
  /** A sign in its colour. Words next to it say the same. */
  | { readonly span: 'sign'; readonly tone: Tone; readonly sign: string }
  /** A sign or a number in a field of its colour, and what it means. */
  | CellSpan
  | { readonly span: 'tag'; readonly text: string }
  | { readonly span: 'link'; readonly to: string; readonly text: Inline }
  /** A command line to copy: it is never broken. */
  | { readonly span: 'command'; readonly text: string };

interface CellSpan {
  readonly span: 'cell';
  readonly tone: Tone;
  readonly text: string;
  readonly title: string;
  /** Place that it leads to. */
  readonly to?: string;
}

export type Block =
  | Paragraph
  | { readonly block: 'facts'; readonly facts: readonly Fact[] }
  | { readonly block: 'list'; readonly items: readonly ListItem[] }
  | DocumentTable
  | DocumentSection
  /** Text that stays as it is: a program, an exchange. */
  | { readonly block: 'verbatim'; readonly text: string }
  /** Parts for some outputs only. */
  | { readonly block: 'only'; readonly on: readonly Medium[]; readonly blocks: readonly Block[] }
  /** A drawing, or a control of the page. Other outputs say the same in words, or leave it out. */
  | { readonly block: 'drawn'; readonly markup: () => Markup };

export interface Paragraph {
  readonly block: 'paragraph';
  /** A sign at its beginning. */
  readonly sign?: Inline;
  readonly text: Inline;
  /** Lines of a terminal that it may take. */
  readonly most?: number | undefined;
}

/** A name and its value, which may have several lines. */
export interface Fact {
  readonly name: Inline;
  readonly lines: readonly (Inline | ListItem)[];
  /** Lines of a terminal that it may take. */
  readonly most?: number | undefined;
  /** Place that links of the page lead to. */
  readonly id?: string;
}

export interface ListItem {
  readonly sign?: Inline;
  readonly text: Inline;
  /** Words after the text, which are left where a terminal cuts the text. */
  readonly tail?: string;
  /** Lines of a terminal that the text may take. */
  readonly most?: number | undefined;
  /** Lines below it. */
  readonly below?: readonly Inline[];
}

export interface DocumentTable {
  readonly block: 'table';
  /** Name for those who hear the page. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  /** Column whose text a terminal breaks when the table is too wide. */
  readonly wraps?: number;
  /** Narrow columns, with heads that are read from the side. */
  readonly dense?: true;
}

export interface TableRow {
  readonly cells: readonly Inline[];
  /** A line below the row. */
  readonly below?: Inline | undefined;
  /** Weight of a row that stands out. */
  readonly tone?: Tone | undefined;
}

export interface DocumentSection {
  readonly block: 'section';
  readonly title: Inline;
  /** Number of things in it. */
  readonly count?: number | undefined;
  /** Explanation of the title for a new reader. */
  readonly meaning?: string | undefined;
  readonly tone?: Tone | undefined;
  /** Place that links of the page lead to. */
  readonly id?: string | undefined;
  /** A folded section opens at a click; absent: it is always open. */
  readonly folded?: 'open' | 'closed' | undefined;
  readonly blocks: readonly Block[];
}

export function isSpan(text: Exclude<Inline, string>): text is Span {
  return 'span' in text;
}

export function isItem(text: Inline | ListItem): text is ListItem {
  return typeof text === 'object' && 'text' in text && !('span' in text);
}

export const code = (text: string): Span => ({ span: 'code', text });
export const prose = (text: string): Span => ({ span: 'prose', text });
export const strong = (text: Inline): Span => ({ span: 'strong', text });
export const aside = (text: Inline): Span => ({ span: 'aside', text });
export const toned = (tone: Tone, text: Inline): Span => ({ span: 'toned', tone, text });
export const signOf = (tone: Tone, sign: string): Span => ({ span: 'sign', tone, sign });

export const link = (to: string, text: Inline): Span => ({ span: 'link', to, text });

export const paragraph = (text: Inline, more: Omit<Paragraph, 'block' | 'text'> = {}): Block => ({
  block: 'paragraph',
  text,
  ...more,
});

/** Facts without those that have no value. */
export function withFacts(facts: readonly (Fact | null)[]): Block {
  return { block: 'facts', facts: facts.filter((one) => one !== null) };
}

/** A fact of one line; null if there is nothing to say. */
export function fact(name: Inline, text: Inline | null, most?: number): Fact | null {
  return text === null ? null : { name, lines: [text], most };
}

/** A section with a count, which is left out when it is empty. */
export function countedSection(
  title: string,
  count: number,
  blocks: readonly Block[],
  more: Partial<DocumentSection> = {},
): readonly Block[] {
  return count === 0 ? [] : [{ block: 'section', title, count, blocks, ...more }];
}

export const only = (on: Medium | readonly Medium[], ...blocks: readonly Block[]): Block => ({
  block: 'only',
  on: typeof on === 'string' ? [on] : on,
  blocks,
});
