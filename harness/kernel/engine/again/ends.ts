import type { Exchange } from '../../core/index.ts';
import { answeredAs } from '../../judge/index.ts';

/**
 * Tells the ends of a gateway apart: one end breaks all that is under way, and each of these exchanges says
 * so, some of them only when the gateway has long been started again.
 */
export class Ends {
  #count = 0;
  /** When it ended last, by the clock of the run. */
  #last = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  /** @returns whether what broke this exchange is an end that is not known yet */
  isNew({ times: { started, ended } }: Exchange): boolean {
    if (started <= this.#last) return false;
    this.#last = ended;
    this.#count++;
    return true;
  }
}

/** For each end of a gateway, in their order: the turns that were under way, and came to nothing. */
export function underWayAtEnds(turns: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const broken = turns.filter((turn) => answeredAs(turn) === 'ended');
  const ends = new Ends();
  const moments = [...broken]
    .sort((one, other) => one.times.ended - other.times.ended)
    .filter((turn) => ends.isNew(turn))
    .map(({ times }) => times.ended);
  // An exchange that the gateway broke just before it ended looks like a reset connection if the gateway
  // was soon back.
  const lost = turns.filter((turn) => ['ended', 'nothing'].includes(answeredAs(turn)));
  return moments.map((moment) =>
    lost.filter(({ times }) => times.started <= moment && moment <= times.ended),
  );
}
