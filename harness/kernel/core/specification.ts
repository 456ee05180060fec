import { createHash } from 'node:crypto';
import { isObject } from './json-value.ts';
import type { Citation } from './requirement.ts';

/** Identifies the text of the interface specification that a run was judged by. */
export interface SpecificationVersion {
  readonly revision: number;
  /** The day of the revision, ISO 8601. */
  readonly date: string;
  /** SHA-256 of the page. */
  readonly sha256: string;
}

interface Specification extends SpecificationVersion {
  readonly clauses: readonly Citation[];
}

const clauseForm = /^- <a id="([a-z0-9-]+)"><\/a>\*\*([A-Z0-9-]+)\*\* (.+)$/;
const revisionForm = /^Revision (\d+), (\d{4}-\d{2}-\d{2})$/m;

/**
 * Reads the numbered clauses of `fixtures/specification.md`.
 *
 * @throws {Error} if the page has no revision, a duplicate clause, or a clause whose anchor is not its number
 */
export function parseSpecification(page: string): Specification {
  const [, revision, date] = revisionForm.exec(page) ?? [];
  if (revision === undefined || date === undefined) {
    throw new Error('specification.md: expected a line "Revision N, YYYY-MM-DD"');
  }
  const clauses = new Map<string, Citation>();
  for (const line of page.split('\n')) {
    const [, anchor, id, text] = clauseForm.exec(line) ?? [];
    if (anchor === undefined || id === undefined || text === undefined) {
      if (line.includes('<a id=')) throw new Error(`specification.md: not a clause: ${line}`);
      continue;
    }
    if (anchor !== id.toLowerCase()) {
      throw new Error(`specification.md: ${id} has the anchor "${anchor}"`);
    }
    if (clauses.has(id)) throw new Error(`specification.md: ${id} stands twice`);
    const kind = id.includes('-GAP-') ? 'gap' : 'clause';
    clauses.set(id, { id, kind, text, link: `fixtures/specification.md#${anchor}` });
  }
  if (clauses.size === 0) throw new Error('specification.md: no clauses');
  const sha256 = createHash('sha256').update(page).digest('hex');
  return { revision: Number(revision), date, sha256, clauses: [...clauses.values()] };
}

/** A native document that rows cite: an entry of `fixtures/sources.yaml`. */
interface NativeDocument {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The day on which it was read, ISO 8601. */
  readonly read: string;
  /** The facts that rows cite it for. */
  readonly for: string;
}

const documentFields = ['id', 'title', 'url', 'read', 'for'] as const;

/** @throws {Error} naming an entry with missing or unknown fields, or without an address */
export function parseSources(value: unknown): readonly NativeDocument[] {
  if (!Array.isArray(value)) throw new Error('sources.yaml: expected a list of documents');
  const ids = new Set<string>();
  return value.map((entry: unknown, index) => {
    const document = asDocument(entry, `sources.yaml, entry ${index + 1}`);
    if (ids.has(document.id)) throw new Error(`sources.yaml: ${document.id} stands twice`);
    ids.add(document.id);
    return document;
  });
}

function asDocument(entry: unknown, where: string): NativeDocument {
  if (!isObject(entry)) throw new Error(`${where}: expected a document`);
  const unknown = Object.keys(entry).find((key) => !documentFields.some((field) => field === key));
  if (unknown !== undefined) throw new Error(`${where}: unknown field "${unknown}"`);
  const text = (field: (typeof documentFields)[number]): string => {
    const given = entry[field];
    if (typeof given !== 'string' || given.trim() === '') {
      throw new Error(`${where}: "${field}" is missing or not text`);
    }
    return given.trim();
  };
  const document = {
    id: text('id'),
    title: text('title'),
    url: text('url'),
    read: text('read'),
    for: text('for'),
  };
  if (!/^[a-z0-9-]+$/.test(document.id)) throw new Error(`${where}: an id is in kebab case`);
  if (!document.url.startsWith('https://'))
    throw new Error(`${where}: the url starts with https://`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(document.read)) {
    throw new Error(`${where}: "read" is a day, YYYY-MM-DD`);
  }
  return document;
}

export function cited({ id, title, url }: NativeDocument): Citation {
  return { id, kind: 'document', text: title, link: url };
}
