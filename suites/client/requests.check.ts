import {
  type ClientSession,
  clientCheck,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  at,
  decoded,
  type Exchange,
  ExpectationFailed,
  NothingToJudge,
  textAt,
  turnsOf,
} from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import { sentIn, sentNothingAbout, storedIn } from './judged.ts';
import { counted } from './scenarios.ts';
import { conversed } from './turns.ts';

/** A model whose id has to be encoded in a path, and stands as it is in a body. */
const oddModel = clientScenario('client/odd-model', { starts: 2 }, (client) =>
  Promise.all([false, true].map((stream) => client.start({ stream, script: { odd: true } }))),
);

clientCheck('client/requests.model-id-encoded', [oddModel, counted, conversed], (sessions) => {
  for (const session of sessions) {
    if (session.run.answer?.unsupported === true) continue;
    const asked = session.task === 'count' ? session.exchanges : generationsOf(session);
    for (const exchange of asked.flatMap(turnsOf)) expectModel(exchange, session);
  }
});

function generationsOf(session: ClientSession): readonly Exchange[] {
  return sentIn(session).map(({ exchange }) => exchange);
}

function expectModel(exchange: Exchange, { model, protocol, front }: ClientSession): void {
  // A gateway may take its own prefix from the id that its front was asked for.
  const isTold = (id: string): boolean =>
    id === model || (front !== undefined && model.endsWith(`/${id}`));
  if (exchange.request.method !== 'POST' && exchange.socket === null) return;
  if (protocol === 'generative') {
    const path = pathOf(exchange);
    const [, segment] = /\/models\/([^/]+):[A-Za-z]+$/.exec(path) ?? [];
    if (segment !== undefined && isTold(decoded(segment))) return;
    const expected = `the model id as one segment: ${encodeURIComponent(model)}`;
    throw new ExpectationFailed(expected, path, exchange);
  }
  const named = textAt(requestBody(exchange), 'model') ?? 'none';
  if (isTold(named)) return;
  if (front !== undefined && !isTold(decoded(named))) {
    throw new NothingToJudge('the gateway asks its provider for a model of its own');
  }
  throw new ExpectationFailed(`the model ${model}`, named, exchange);
}

/** Operations on a response of another region than the client's. */
const elsewhere = clientScenario(
  'client/made-elsewhere',
  { protocols: ['responses'], tasks: true, starts: 3 },
  async (client) => {
    const stored = await client.start({ task: 'store', at: 1 });
    const id = storedIn(stored);
    const lookup = await client.start({ task: 'lookup', id, madeAt: 1 });
    const continued = await client.start({ task: 'continue', id, madeAt: 1 });
    return { id, sessions: [lookup, continued] };
  },
);

clientCheck('client/requests.original-region', elsewhere, ({ id, sessions }) => {
  const known = sessions.filter(({ run }) => run.answer?.unsupported !== true);
  if (known.length === 0) throw new NothingToJudge('the client neither looks up nor continues');
  for (const session of known) expectThere(session, id);
});

function expectThere(session: ClientSession, id: string): void {
  const about = session.exchanges.filter((exchange) => names(exchange, id));
  if (about.length === 0) throw sentNothingAbout(session);
  for (const exchange of about) {
    const { region } = exchange.about;
    if (region === session.region) continue;
    throw new ExpectationFailed(
      `a request to ${session.region}, which made the response`,
      `one to ${region}`,
      exchange,
    );
  }
}

function names(exchange: Exchange, id: string): boolean {
  if (decoded(pathOf(exchange)).includes(id)) return true;
  return at(requestBody(exchange), 'previous_response_id') === id;
}
