import {
  type ClientSession,
  clientCheck,
  clientScenario,
  headerOf,
  otherHost,
} from '../../harness/features/sessions/index.ts';
import {
  type Exchange,
  ExpectationFailed,
  Inconclusive,
  ownCredential,
} from '../../harness/index.ts';
import { endOf, notApplicableUnlessKnown, sentAndMet } from './judged.ts';
import { met, streamed, whole } from './scenarios.ts';

clientCheck('client/requests.key-in-header-only', [whole, streamed], ({ exchanges, mask }) => {
  for (const exchange of exchanges) {
    const place = placesBeside(exchange).find(([, text]) => text.includes(mask))?.[0];
    if (place === undefined) continue;
    throw new ExpectationFailed('the key in a header of its own alone', `it in ${place}`, exchange);
  }
});

function placesBeside(exchange: Exchange): readonly (readonly [string, string])[] {
  const { url, body } = exchange.request;
  return [
    ['the address', url],
    ['`Referer`', headerOf(exchange, 'referer') ?? ''],
    ['the body', Buffer.from(body ?? []).toString()],
  ];
}

const redirected = met('redirected', { kind: 'redirect', status: 307 });

clientCheck('client/requests.no-key-to-others', redirected, (session) => {
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
});

const counted = clientScenario(
  'client/counted',
  { protocols: ['responses', 'messages', 'generative'], tasks: true },
  (client) => client.start({ task: 'count' }),
);

clientCheck('client/requests.credential-on-counts', counted, (session: ClientSession) => {
  notApplicableUnlessKnown(session);
  const counts = session.exchanges.filter(({ about }) => counting.test(about.operation));
  if (counts.length === 0) throw new Inconclusive(`it sent no count: ${endOf(session)}`);
  for (const exchange of counts) {
    const wrong = ownCredential(exchange, session.mask);
    if (wrong !== null) throw new ExpectationFailed(wrong.expected, wrong.actual, exchange);
  }
});

const counting = /\.(count|input)-tokens$/;
