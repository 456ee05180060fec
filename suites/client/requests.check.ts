import {
  type ClientSession,
  clientCheck,
  ExpectationFailed,
  generationsSent,
  Inconclusive,
  ownCredential,
} from '../../harness/index.ts';
import { streamed, whole } from './scenarios.ts';

clientCheck('client/requests.credential-header', [whole, streamed], (session: ClientSession) => {
  const [first] = generationsSent(session);
  if (first === undefined) throw new Inconclusive(`in ${session.key} no generation was sent`);
  for (const { exchange } of generationsSent(session)) {
    const wrong = ownCredential(exchange, session.mask);
    if (wrong !== null) throw new ExpectationFailed(wrong.expected, wrong.actual, exchange);
  }
});
