import {
  type Exchange,
  expectValue,
  Inconclusive,
  type Model,
  NothingToJudge,
} from '../../harness/index.ts';
import { isBlank, lastOf, whole } from './listed-models.ts';
import { includesModel, isPermitted } from './listings.ts';

/** The same listing, as two keys are shown it. */
export interface TwoListings {
  readonly owner: readonly Exchange[];
  /** Of the restricted key. */
  readonly pages: readonly Exchange[];
}

/**
 * The restricted key is shown none of the models that it may not use, and that the owner is shown.
 *
 * @param listed the models that the listing is for
 */
export function expectPermittedOnly({ owner, pages }: TwoListings, listed: readonly Model[]): void {
  const owners = whole(owner);
  // Protobuf JSON leaves an empty list out.
  const shown = isBlank(pages) ? [] : whole(pages);
  const barred = listed.filter((model) => !isPermitted(model, 'restricted'));
  const shownToOwner = barred.filter((model) => includesModel(owners, model));
  if (barred.length === 0)
    throw new NothingToJudge('the restricted key may use every model that is listed');
  if (shownToOwner.length === 0) {
    const reason = 'the owner is shown no model that the restricted key may not use';
    throw new Inconclusive(reason, lastOf(owner));
  }
  expectValue(shown, { as: 'models of the restricted key', of: lastOf(pages) }).toBe(
    `without ${shownToOwner.map(({ id }) => id).join(', ')}`,
    () => !shownToOwner.some((model) => includesModel(shown, model)),
  );
}
