import { type ClientSession, clientCheckEach } from '../../harness/features/sessions/index.ts';
import { sentAndMet } from './judged.ts';
import { uncertain } from './scenarios.ts';
import { expectNoAnswer } from './text.ts';

clientCheckEach('client/stream.no-end-is-no-answer', () => ({
  on: uncertain['ends-early'],
  judge: (session: ClientSession, ordinary) => {
    sentAndMet(session);
    expectNoAnswer(session, ordinary, 'a stream without its end');
  },
}));
