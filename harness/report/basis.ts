import type { Basis, Citation } from '../core/requirement.ts';

/** What a requirement rests on, one line for each clause, document and reason of our own. */
export function basisInWords({ citations, judgement }: Basis): string[] {
  return [
    ...citations.map(citationInWords),
    ...(judgement === null ? [] : [`our own judgement: ${judgement}`]),
  ];
}

function citationInWords({ id, kind, text, link }: Citation): string {
  return kind === 'document' ? `${text} <${link}>` : `${id}: ${text} <${link}>`;
}

/** What it rests on in one word, for filters and tags. */
export function authorityOf({
  citations,
  judgement,
}: Basis): 'specification' | 'native' | 'project' {
  if (judgement !== null) return 'project';
  return citations.some(({ kind }) => kind === 'clause') ? 'specification' : 'native';
}
