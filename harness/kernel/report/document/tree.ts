import type { CheckState } from '../../core/index.ts';
import type { Markup } from './markup.ts';

/**
 * A report as a tree of plain data, which `printed`, `inMarkdown` and `pageOf` render. No report formats text
 * itself. Any text may come from an untrusted source, so the renderers escape it.
 */
export interface ReportDocument {
  /** Kind of the report: `history`. */
  readonly kind: string;
  /** Subject of the report. Empty if the conclusion names it. */
  readonly title: string;
  /** Window title of the page, if it differs. */
  readonly window?: string;
  /** Version of the suite that judged. */
  readonly generator?: string;
  /** Shown last at a terminal, where it stays visible, and first in files. */
  readonly conclusion: Conclusion | null;
  readonly blocks: readonly Block[];
}

/** Outcome of a report. */
export interface Conclusion {
  /** Weight of the outcome. Null if it is neither good nor bad. */
  readonly tone: Tone | null;
  /** Verdict in a word. Null if the sentence contains it. */
  readonly word: string | null;
  readonly said: Inline;
  /** Further facts, and the next step. */
  readonly after: readonly Block[];
}

/** Weight of a part: that of a check in this state. It determines colours. */
export type Tone = CheckState;

/** Output format of a renderer. */
type Medium = 'terminal' | 'markdown' | 'page';

/** Text within a line. A plain string has no formatting. */
export type Inline = string | Span | readonly Inline[];

export type Span =
  /** An id, a path or a command within a sentence. */
  | { readonly span: 'code'; readonly text: string }
  /** A sentence with code between backticks. */
  | { readonly span: 'prose'; readonly text: string }
  | { readonly span: 'strong'; readonly text: Inline }
  /** A less important remark. */
  | { readonly span: 'aside'; readonly text: Inline }
  | { readonly span: 'toned'; readonly tone: Tone; readonly text: Inline }
  /** A coloured sign. Adjacent words have the same meaning. */
  | { readonly span: 'sign'; readonly tone: Tone; readonly sign: string }
  /** A sign or a number on a coloured background, and its meaning. */
  | CellSpan
  | { readonly span: 'tag'; readonly text: string }
  | { readonly span: 'link'; readonly to: string; readonly text: Inline }
  /** A command line to copy. It is never wrapped. */
  | { readonly span: 'command'; readonly text: string };

interface CellSpan {
  readonly span: 'cell';
  readonly tone: Tone;
  readonly text: string;
  readonly title: string;
  /** Link target. */
  readonly to?: string;
}

export type Block =
  | Paragraph
  | { readonly block: 'facts'; readonly facts: readonly Fact[] }
  | { readonly block: 'list'; readonly items: readonly ListItem[] }
  | DocumentTable
  | DocumentSection
  /** Text that is shown unchanged: a program, an exchange. */
  | { readonly block: 'verbatim'; readonly text: string }
  /** Parts for some outputs only. */
  | { readonly block: 'only'; readonly on: readonly Medium[]; readonly blocks: readonly Block[] }
  /** A drawing or a control of the page. Other outputs express it in words, or omit it. */
  | { readonly block: 'drawn'; readonly markup: () => Markup };

export interface Paragraph {
  readonly block: 'paragraph';
  /** A leading sign. */
  readonly sign?: Inline;
  readonly text: Inline;
  /** Maximum number of lines at a terminal. */
  readonly most?: number | undefined;
}

/** A name and its value, which may have several lines. */
export interface Fact {
  readonly name: Inline;
  readonly lines: readonly (Inline | ListItem)[];
  /** Maximum number of lines at a terminal. */
  readonly most?: number | undefined;
  /** Anchor for links of the page. */
  readonly id?: string;
}

export interface ListItem {
  readonly sign?: Inline;
  readonly text: Inline;
  /** Words after the text, which are kept if a terminal cuts the text. */
  readonly tail?: string;
  /** Maximum number of lines of the text at a terminal. */
  readonly most?: number | undefined;
  /** Lines below the item. */
  readonly below?: readonly Inline[];
}

export interface DocumentTable {
  readonly block: 'table';
  /** Accessible name on the page. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  /** Column that a terminal wraps if the table is too wide. */
  readonly wraps?: number;
  /** True for narrow columns with rotated headings. */
  readonly dense?: true;
}

export interface TableRow {
  readonly cells: readonly Inline[];
  /** A line below the row. */
  readonly below?: Inline | undefined;
  /** Weight of a highlighted row. */
  readonly tone?: Tone | undefined;
}

export interface DocumentSection {
  readonly block: 'section';
  readonly title: Inline;
  /** Number of contained entries. */
  readonly count?: number | undefined;
  /** Explanation of the title for a new reader. */
  readonly meaning?: string | undefined;
  readonly tone?: Tone | undefined;
  /** Anchor for links of the page. */
  readonly id?: string | undefined;
  /** Initial state of a foldable section. If absent, the section cannot be folded. */
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

/** A fact of one line. Null if it has no text. */
export function fact(name: Inline, text: Inline | null, most?: number): Fact | null {
  return text === null ? null : { name, lines: [text], most };
}

/** A section with a count. Omitted if it is empty. */
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
