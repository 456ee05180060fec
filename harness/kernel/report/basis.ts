import type { Basis, Citation, RunResult } from '../core/index.ts';

/** Lists the sources of a requirement: a line for each clause, document and reason of our own. */
export function basisInWords({ citations, judgement }: Basis): string[] {
  return [
    ...citations.map(citationInWords),
    ...(judgement === null ? [] : [`our own judgement: ${judgement}`]),
  ];
}

function citationInWords({ id, kind, text, link }: Citation): string {
  return kind === 'document' ? `${text} <${link}>` : `${id}: ${text} <${link}>`;
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
