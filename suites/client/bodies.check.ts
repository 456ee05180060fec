import { clientCheck } from '../../harness/features/sessions/index.ts';
import {
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  jsonBody,
  listAt,
  textAt,
} from '../../harness/index.ts';
import { endOf, notApplicableUnlessKnown } from './judged.ts';
import { listed } from './scenarios.ts';

clientCheck('client/requests.models-as-listed', listed, ([session]) => {
  notApplicableUnlessKnown(session);
  const lists = session.exchanges.filter(({ about }) => about.operation.startsWith('models.'));
  const { models, outcome } = session.run.answer ?? {};
  if (outcome !== 'complete' || models === undefined) {
    throw new Inconclusive(`it named no models: ${endOf(session)}`);
  }
  const known = new Set(lists.flatMap(idsIn));
  const madeUp = models.find((id) => !known.has(ownId(id)));
  if (madeUp === undefined && (models.length > 0 || known.size === 0)) return;
  throw new ExpectationFailed(
    `models of the list: ${[...known].slice(0, 3).join(', ') || 'it asked for none'}, …`,
    madeUp ?? 'none',
    lists[0] ?? null,
  );
});

function idsIn(exchange: Exchange): readonly string[] {
  const body = jsonBody(exchange);
  const entries = [...listAt(body, 'data'), ...listAt(body, 'models')];
  return entries.map((entry) => ownId(textAt(entry, 'id') ?? textAt(entry, 'name') ?? ''));
}

/** Removes the folder before a catalog id, which a client may keep. */
function ownId(id: string): string {
  return id.replace(/^models\//, '');
}
