import {
  type ClientSession,
  clientCheckEach,
  clientScenario,
  otherHost,
} from '../../harness/features/sessions/index.ts';
import { ExpectationFailed } from '../../harness/index.ts';
import { sentAndMet } from './judged.ts';

const redirected = clientScenario('client/redirected', {}, (client) =>
  client.start({ script: { answer: { kind: 'redirect', status: 307 } } }),
);

clientCheckEach('client/requests.no-key-to-others', () => ({
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
