import {
  type Exchange,
  numberAt,
  outputTokens,
  protocolModules,
  saidBy,
  streamEvents,
  streamingProtocols,
  turnsOf,
  viewOf,
  type WholeRun,
} from '../../harness/index.ts';
import { onceFor } from '../scenarios/collections.ts';
import { creationOf, isCreation } from '../scenarios/created-answers.ts';
import { isSuccess, requestBody } from '../scenarios/exchanges.ts';

/** An answer that counts exactly as many tokens of output as its limit, and ended in either way. */
interface LimitHit {
  /** Protocol and form: `messages stream`. */
  readonly form: string;
  readonly creation: Exchange;
  readonly limit: number;
  readonly isTold: boolean;
}

/** Returns the answers of a run that came to their output limit. */
export const limitHitsIn = onceFor(
  (run: WholeRun): ReadonlyMap<Exchange, LimitHit> =>
    new Map(run.exchanges.flatMap(turnsOf).flatMap((answer) => hitOf(answer, run))),
);

/** True unless most answers of this form end so, and models say more than this where they may. */
export function mayEndByItself(hit: LimitHit, run: WholeRun): boolean {
  const requests = (some: readonly LimitHit[]) =>
    new Set(some.map(({ creation }) => creation)).size;
  const like = [...limitHitsIn(run).values()].filter(({ form }) => form === hit.form);
  const untold = requests(like.filter(({ isTold }) => !isTold));
  const { protocol } = hit.creation.about;
  const isMore = (one: Exchange) =>
    one.about.protocol === protocol && (outputTokens(one) ?? 0) > hit.limit;
  return untold < 2 || untold * 2 <= requests(like) || !run.exchanges.some(isMore);
}

function hitOf(answer: Exchange, run: WholeRun): readonly (readonly [Exchange, LimitHit])[] {
  if (!isSuccess(answer)) return [];
  const protocol = streamingProtocols.find((name) => name === answer.about.protocol);
  const tokens = outputTokens(answer);
  const creation = tokens === null ? null : creationOf(answer, run);
  if (protocol === undefined || creation === null) return [];
  const limit = numberAt(requestBody(creation), protocolModules[protocol].request.outputLimit);
  if (limit === null || tokens !== limit || saidBy(answer).length > 1) return [];
  const end = viewOf(answer)?.end;
  if (end !== 'complete' && end !== 'limit') return [];
  const kind = streamEvents(answer).length > 0 ? 'stream' : 'body';
  const form = `${protocol} ${isCreation(answer) ? kind : `later ${kind}`}`;
  return [[answer, { form, creation, limit, isTold: end === 'limit' }]];
}
