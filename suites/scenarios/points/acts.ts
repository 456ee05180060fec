import {
  actRequest,
  type CallOptions,
  type Cell,
  type Exchange,
  Inconclusive,
  type Io,
  isServed,
  lostBecause,
  namedModels,
  turnsOf,
} from '../../../harness/index.ts';
import { hasReason } from '../../../harness/kernel/model/index.ts';
import { present } from '../assumptions.ts';
import { finalAnswer } from '../requests/accepted-requests.ts';
import { unknownLike } from '../stored/unknown-ids.ts';
import type { Made } from './subject.ts';

export interface TriedAct {
  readonly attempt: Exchange;
  /** Turn that was served earlier on the same connection. */
  readonly goodTurn?: Exchange;
  /**
   * For a served call that names a response without continuing it: the same call with an unknown id, and without an
   * id.
   */
  readonly alone?: { readonly unknown: Exchange | null; readonly without: Exchange };
}

/** Returns the key and the region of an act. */
export function askedAs({ key, through }: Cell): CallOptions {
  return { key, region: through };
}

/** Tries one act. @throws {Inconclusive} if it cannot be tried */
export async function perform(io: Io, cell: Cell, made: Made): Promise<TriedAct> {
  const { operation, requestMode, state } = cell;
  const { id, item } = made;
  if (operation === 'item-reference' && item === null) {
    throw new Inconclusive('the response has no message with an id', made.created);
  }
  const request = actRequest(cell);
  const { model, goodModel } = namedModels(cell, io.target);
  const isLater = requestMode === 'later-turn';
  const on = {
    model: present(model, 'model for an act').id,
    ...(isLater ? { goodModel: present(goodModel, 'model for a good turn').id } : {}),
    ...(request.isIndirect ? { input: io.sentence() } : {}),
  };
  const as = askedAs(cell);
  // The recovery of a running response would stream until the response ends.
  const cut = operation === 'recover' && state === 'running' ? { cut: { events: 1 } } : {};
  const ask = (named: { readonly id: string | null; readonly item: string | null }) =>
    request.send(io, { ...on, ...named }, { ...as, ...cut });
  const attempt = await ask({ id, item });
  if (isLater) return laterTurnOf(attempt);
  if (requestMode === 'background') {
    // A key without the permission may not look the response up either, so the owner's key does.
    const looks = hasReason(cell, 'restricted') ? { ...as, key: 'owner' as const } : as;
    return { attempt: await finalAnswer(io, attempt, looks, io) };
  }
  if (!request.isIndirect || !isServed(attempt)) return { attempt };
  const isByItem = operation === 'item-reference' && item !== null;
  const unknown = isByItem ? await ask({ id, item: unknownLike(item) }) : null;
  return { attempt, alone: { unknown, without: await ask({ id: null, item: null }) } };
}

function laterTurnOf(talk: Exchange): TriedAct {
  const [goodTurn = talk, ...tries] = turnsOf(talk);
  const attempt = tries.at(-1);
  if (attempt !== undefined) return { attempt, goodTurn };
  throw new Inconclusive(`the connection had no second turn${lostBecause(talk)}`, talk);
}
