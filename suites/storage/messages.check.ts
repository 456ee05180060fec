import {
  answerId,
  checkEach,
  type Exchange,
  each,
  expect,
  Inconclusive,
  type Io,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';

/** In which way a message might be found again. */
type Reach = 'get-message' | 'get-response' | 'previous-response-id';

/** The same request for what does exist, so that a refusal shows something. */
const control = {
  'get-message': baseline.messages,
  'get-response': baseline.lookup,
  'previous-response-id': baseline.responses,
} as const;

const reach: Readonly<Record<Reach, (io: Io, id: string) => Promise<Exchange>>> = {
  'get-message': ({ raw }, id) =>
    raw.send({
      operation: 'messages.lookup',
      protocol: 'messages',
      method: 'GET',
      path: `/v1/messages/${encodeURIComponent(id)}`,
    }),
  'get-response': ({ responses }, id) => responses.lookup(id),
  'previous-response-id': ({ responses }, id) => responses.create({ previous_response_id: id }),
};

/** The id of a baseline message, used as if it had been stored. */
const reachedMessage = each(['get-message', 'get-response', 'previous-response-id'], (way: Reach) =>
  scenario(
    `storage/messages/${way}`,
    {
      after: { control: control[way], message: baseline.messages },
      cost: { requests: 1, generations: 0, refused: way === 'previous-response-id' ? 1 : 0 },
    },
    async (io, { control, message: { baseline: message, secret } }) => {
      const id = answerId(message);
      if (id === null) throw new Inconclusive('the message has no id to look it up by', message);
      return { attempt: await reach[way](io, id), control: control.baseline, secret };
    },
  ),
);

checkEach('storage/messages.not-offered', (way: Reach) => ({
  on: reachedMessage[way],
  judge: ({ attempt, control, secret }) =>
    expect(attempt).toBeDenied({ secret: [secret], control }),
}));
