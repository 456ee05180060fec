import {
  cutLine,
  type Exchange,
  type JudgedModels,
  listAt,
  parsed,
  textAt,
} from '../core/index.ts';
import { isServed } from '../judge/index.ts';
import { answerOf, decoded, nextPage } from '../protocols/index.ts';
import type { Model, Target } from '../targets/index.ts';
import type { Io } from './io.ts';

/** Far more pages than any gateway has. */
const mostPages = 40;

export const showingModels = {
  requests: 1 + mostPages,
  spare: mostPages - 1,
  generations: 0,
  chain: mostPages,
};

/** Returns the lists of a region as its owner sees them; the catalog page by page. */
export async function showModels({ lists, lane, target }: Io): Promise<readonly Exchange[]> {
  const pages = async (): Promise<Exchange[]> => {
    const catalog = lane('catalog').lists;
    const turned: Exchange[] = [];
    for (let pageToken: string | null = ''; pageToken !== null && turned.length < mostPages; ) {
      const page = await catalog.catalog(pageToken === '' ? {} : { pageToken });
      turned.push(page);
      pageToken = nextPage(page);
    }
    return turned;
  };
  const hasCatalog = target.models.some(({ protocols }) => protocols.includes('generative'));
  const [list, catalog] = await Promise.all([lists.list(), hasCatalog ? pages() : []]);
  return [list, ...catalog];
}

/**
 * Returns the target with only those models that a region shows, because no source says that every region has every
 * model. If a list is incomplete, it proves nothing, and all models stay.
 */
export function withModelsShown(target: Target, lists: readonly Exchange[]): Target {
  const last = lists.at(-1);
  const isWhole = lists.every((list) => isServed(list));
  if (last === undefined || !isWhole || nextPage(last) !== null) return target;
  return { ...target, models: target.models.filter(isIn(lists)) };
}

/** Returns a test for models that a region has, by the target file or else by its lists. */
export function isIn(lists: readonly Exchange[]): (model: Model) => boolean {
  const shown = new Set(lists.filter((list) => isServed(list)).flatMap(listedIds));
  return ({ id, regions }) =>
    regions !== undefined || shown.has(id) || shown.has(encodeURIComponent(id));
}

/** Maximum number of models that are named as not judged. */
const mostNamed = 20;

/** Returns the models that served a request, and the listed ones that did not. */
export function judgedModels(
  { models, regions }: Pick<Target, 'models' | 'regions'>,
  exchanges: readonly Exchange[],
): JudgedModels {
  const isList = ({ about }: Exchange): boolean =>
    (about.operation === 'models.list' || about.operation === 'models.catalog') &&
    about.key === 'owner' &&
    about.region === regions[0]?.name;
  const lists = exchanges.filter((exchange) => isList(exchange) && isServed(exchange));
  const asked = new Set(exchanges.filter((one) => isServed(one)).flatMap(modelsAsked));
  const judged = models.map(({ id }) => id).filter((id) => asked.has(id));
  const known = new Set(judged.flatMap((id) => [id, encodeURIComponent(id)]));
  const listed = new Set(lists.flatMap(listedIds));
  const leftOut = [...listed].filter((id) => !known.has(id)).sort();
  return {
    judged,
    // An id with special characters may be written in two ways.
    listed:
      lists.length === 0
        ? null
        : new Set([...listed].map((id) => (known.has(id) ? decoded(id) : id))).size,
    leftOut: leftOut.length,
    named: leftOut.slice(0, mostNamed).map((id) => cutLine(id)),
  };
}

/** Returns the model that a request names in its path or else in its body. */
function modelsAsked({ request }: Exchange): string[] {
  const inPath = /\/models\/([^/:]+):/.exec(new URL(request.url).pathname)?.[1];
  if (inPath !== undefined) return [decoded(inPath)];
  const body = request.body === null ? null : parsed(new TextDecoder().decode(request.body));
  const model = textAt(body, 'model');
  return model === null ? [] : [model];
}

export function listedIds(list: Exchange): string[] {
  // A list may have the entries of the other protocol as well, in another form.
  const own = list.about.operation === 'models.catalog' ? 'models' : 'data';
  return listAt(answerOf(list).value, own).flatMap(
    (entry) => textAt(entry, 'id') ?? textAt(entry, 'name')?.replace(/^models\//, '') ?? [],
  );
}
