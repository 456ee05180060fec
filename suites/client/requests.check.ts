import {
  type ClientSession,
  clientCheck,
  clientScenario,
  otherHost,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  answerOf,
  decoded,
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  json,
  NothingToJudge,
  turnsOf,
} from '../../harness/index.ts';
import { requestBody } from '../scenarios/exchanges.ts';
import { endOf, notApplicableUnlessKnown, sentAndMet, sentIn } from './judged.ts';
import { counted, listed, oddId } from './scenarios.ts';
import { conversed } from './turns.ts';

/** A model whose id has to be encoded in a path, and stands as it is in a body. */
const oddModel = clientScenario('client/odd-model', { starts: 2 }, (client) =>
  Promise.all([false, true].map((stream) => client.start({ stream, script: { odd: true } }))),
);

clientCheck('client/requests.model-id-encoded', [oddModel, counted, conversed], (sessions) => {
  // A client may take no such id: it sends nothing then.
  const sending = sessions.filter(
    ({ run: { answer }, exchanges }) => exchanges.length > 0 || answer?.outcome !== 'failed',
  );
  const known = sending.filter(({ run }) => run.answer?.unsupported !== true);
  if (known.length === 0) throw new NothingToJudge('it asks for no model with such an id');
  for (const session of known) {
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
  const named = json.text(requestBody(exchange), 'model') ?? 'none';
  if (isTold(named)) return;
  if (front !== undefined && !isTold(decoded(named))) {
    throw new NothingToJudge('the gateway asks its provider for a model of its own');
  }
  throw new ExpectationFailed(`the model ${model}`, named, exchange);
}

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
  const body = answerOf(exchange).value;
  const entries = [...json.list(body, 'data'), ...json.list(body, 'models')];
  return entries.map((entry) => ownId(json.text(entry, 'id') ?? json.text(entry, 'name') ?? ''));
}

/** Removes the folder before a catalog id, which a client may keep. */
function ownId(id: string): string {
  return id.replace(/^models\//, '');
}

const redirected = clientScenario('client/redirected', {}, (client) =>
  client.start({ script: { answer: { kind: 'redirect', status: 307 } } }),
);

clientCheck.each('client/requests.no-key-to-others', () => ({
  on: redirected,
  judge: expectKept,
}));

function expectKept(session: ClientSession): void {
  sentAndMet(session);
  for (const exchange of session.exchanges) {
    if (exchange.about.region !== otherHost) continue;
    const shown = exchange.request.headers.find(([, value]) => value.includes(session.mask));
    if (shown === undefined) continue;
    const [name] = shown;
    throw new ExpectationFailed(
      'no key for another host, to which the gateway redirects',
      `the key in ${name}`,
      exchange,
    );
  }
}

clientCheck.each('client/requests.response-id-encoded', (task) => ({
  on: oddId,
  judge: (sessions: readonly ClientSession[]) => {
    const session = sessions.find((one) => one.task === task);
    if (session === undefined) throw new Inconclusive('nothing was stored');
    notApplicableUnlessKnown(session);
    const { about: id = '' } = session;
    const named = session.exchanges.flatMap((exchange) => {
      const own = task === 'continue' ? parentIn(exchange) : idInPath(exchange);
      return own === null ? [] : { own, exchange };
    });
    if (named.length === 0) {
      throw new Inconclusive(
        `the task \`${task}\` sent nothing about the response: ${endOf(session)}`,
      );
    }
    const wrong = named.find(({ own }) => own !== id);
    if (wrong === undefined) return;
    const { own, exchange } = wrong;
    const expected =
      task === 'continue'
        ? `the id as it is: ${id}`
        : `the id as one segment: ${encodeURIComponent(id)}`;
    const actual = task === 'continue' ? own : `${exchange.request.method} ${pathOf(exchange)}`;
    throw new ExpectationFailed(expected, actual, exchange);
  },
}));

function parentIn(exchange: Exchange): string | null {
  return json.text(requestBody(exchange), 'previous_response_id');
}

/** Returns the id in the path of a request about a response, if it is one segment there; else an empty text. */
function idInPath(exchange: Exchange): string | null {
  const path = pathOf(exchange);
  if (!/^\/v1\/responses\/./.test(path)) return null;
  return decoded(/^\/v1\/responses\/([^/]+)(?:\/(?:input_items|cancel))?$/.exec(path)?.[1] ?? '');
}
