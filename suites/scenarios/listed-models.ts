import {
  assumeServed,
  type Exchange,
  Inconclusive,
  isObject,
  jsonBody,
} from '../../harness/index.ts';
import { entriesOf, idOfEntry, nextPage } from './listings.ts';

/** The ids of a listing that was shown in full; without that, what it lacks says nothing. */
export function whole(pages: readonly Exchange[]): string[] {
  assumeServed(pages);
  const last = lastOf(pages);
  if (nextPage(last) !== null) {
    throw new Inconclusive(`the catalog has no end after ${pages.length} pages`, last);
  }
  return idsOf(pages);
}

/** The ids in pages of a listing, in their order. @throws Inconclusive when an entry has none */
export function idsOf(pages: readonly Exchange[]): string[] {
  return entriesOf(pages).map((entry) => {
    const id = idOfEntry(entry);
    if (id !== null) return id;
    throw new Inconclusive(`an entry names no model: ${JSON.stringify(entry)}`, lastOf(pages));
  });
}

/** Whether the last page is an empty object. */
export function isBlank(pages: readonly Exchange[]): boolean {
  const body = jsonBody(lastOf(pages));
  return lastOf(pages).response?.status === 200 && isObject(body) && Object.keys(body).length === 0;
}

/** The last page that was turned. */
export function lastOf(pages: readonly Exchange[]): Exchange {
  const last = pages.at(-1);
  if (last === undefined) throw new Error('A listing has one page at least');
  return last;
}
