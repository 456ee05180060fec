import type { Basis, Citation, RunResult } from '../core/index.ts';
import { type Block, type Inline, paragraph, prose } from './document/tree.ts';

/** Lists the sources of a requirement: a line for each clause, document and judgement. */
export function basisInWords({ citations, judgement }: Basis): string[] {
  return [
    ...citations.map(citationInWords),
    ...(judgement === null ? [] : [`our own judgement: ${judgement}`]),
  ];
}

function citationInWords(citation: Citation): string {
  const { id, kind, link } = citation;
  return `${kind === 'document' ? '' : `${id}: `}${textOf(citation)} <${link}>`;
}

function textOf({ text }: Citation): string {
  return text.replace(/^Not specified/, 'left open by the interface');
}

/** Kind of source of a requirement in one word, for filters and tags. */
export function authorityOf({
  citations,
  judgement,
}: Basis): 'specification' | 'native' | 'project' {
  if (judgement !== null) return 'project';
  return citations.some(({ kind }) => kind === 'clause') ? 'specification' : 'native';
}

/** Names the specification that a run was judged by: title, revision, and digest of its text. */
export function specificationInWords({
  specification: { revision, date, sha256 },
}: Pick<RunResult, 'specification'>): string {
  return (
    `Interface specification of a multi-protocol generation gateway, revision ${revision} of ${date}, ` +
    `SHA-256 ${sha256}`
  );
}

/** A source as a link: clauses link within the report, documents to their address. */
export function sourceOf(citation: Citation): Inline {
  const { id, kind, text, link } = citation;
  return kind === 'document'
    ? { span: 'link', to: link, text }
    : [{ span: 'link', to: `#clause-${id}`, text: id }, ': ', prose(textOf(citation))];
}

/** Sources as links in one line, without the texts of clauses. */
export function shortSourceOf(citations: readonly Citation[]): Inline {
  return citations.flatMap(({ id, kind, text, link }, index) => [
    index === 0 ? '' : ', ',
    kind === 'document'
      ? ({ span: 'link', to: link, text } as const)
      : ({ span: 'link', to: `#clause-${id}`, text: id } as const),
  ]);
}

/** The clauses that a report cites, as targets for its links. */
export function clausesSection(
  citations: readonly Citation[],
  run: Pick<RunResult, 'specification'>,
): Block {
  const { revision, date } = run.specification;
  const clauses = new Map(citations.map((one) => [one.id, one]));
  const facts = [...clauses.values()]
    .filter(({ kind }) => kind !== 'document')
    .sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))
    .map(({ id, text }) => ({ name: id, lines: [prose(text)], id: `clause-${id}` }));
  return {
    block: 'section',
    id: 'specification',
    title: `Clauses of the interface specification, revision ${revision} of ${date}`,
    folded: 'closed',
    blocks: [paragraph(specificationInWords(run)), { block: 'facts', facts }],
  };
}
