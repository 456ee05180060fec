import { type ClientSession, clientCheckEach } from '../../harness/features/sessions/index.ts';
import { sentAndMet } from './judged.ts';
import { met } from './scenarios.ts';
import { expectNoAnswer, notApplicableUnlessSpoken } from './text.ts';

const endless = met('ends-early', { kind: 'ends-early', events: 6 }, { stream: true });

clientCheckEach('client/stream.no-end-is-no-answer', (protocol) => ({
  on: endless,
  judge: (session: ClientSession) => {
    notApplicableUnlessSpoken(session, protocol);
    sentAndMet(session);
    expectNoAnswer(session, 'a stream without its end');
  },
}));
