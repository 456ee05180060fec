import {
  type ClientSession,
  clientCheck,
  clientScenario,
  pathOf,
} from '../../harness/features/sessions/index.ts';
import {
  decoded,
  type Exchange,
  ExpectationFailed,
  isObject,
  NothingToJudge,
  parsed,
} from '../../harness/index.ts';
import { sentIn, sentNothingAbout, storedIn } from './judged.ts';

const oddModel = clientScenario('client/odd-model', { protocols: ['generative'] }, (client) =>
  client.start({ script: { oddModel: true } }),
);

clientCheck('client/requests.model-id-encoded', oddModel, (session) => {
  const [{ exchange }] = sentIn(session);
  const path = pathOf(exchange);
  const [, segment] = /\/models\/([^/]+):[A-Za-z]+$/.exec(path) ?? [];
  if (segment !== undefined && decoded(segment) === session.model) return;
  throw new ExpectationFailed(
    `the model id as one segment: ${encodeURIComponent(session.model)}`,
    path,
    exchange,
  );
});

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
  const { body } = exchange.request;
  const json = body === null ? null : parsed(Buffer.from(body).toString());
  return isObject(json) && json.previous_response_id === id;
}
