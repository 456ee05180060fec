import type { Answer, Operation } from '../../reference/dialect.ts';
import type { Key } from '../../reference/keys.ts';
import type { Defect } from '../../reference/seams.ts';
import { bodies, handling } from '../planting.ts';
import type { Fault } from './fault.ts';

// Answers that are kept for the next one who asks the same.

/** Of a request that an answer is kept for: no stream, and nothing out of the ordinary. */
const members = [
  'model',
  'input',
  'messages',
  'store',
  'max_output_tokens',
  'max_completion_tokens',
  'max_tokens',
];

/** The first answer to a request is given to all that fit, from whoever has sent it. */
function kept(operation: Operation, fits: (asked: Key, first: Key) => boolean): Defect['override'] {
  return (seams) => {
    const answers = new Map<string, { readonly answer: Answer; readonly key: Key }>();
    return handling(operation, (handle) => async (call, key) => {
      const { stream, ...body } = call.body;
      const plain = Object.keys(body).every((name) => members.includes(name));
      if (stream === true || !plain) return handle(call, key);
      const asked = `${call.gateway.region} ${JSON.stringify(body)}`;
      const before = answers.get(asked);
      if (before !== undefined && fits(key, before.key)) return before.answer;
      const answer = await handle(call, key);
      if (before === undefined) answers.set(asked, { answer, key });
      return answer;
    })(seams);
  };
}

const sameKey = (asked: Key, first: Key): boolean => asked.role === first.role;
const otherUser = (asked: Key, first: Key): boolean => asked.user !== first.user;

export const keptAnswerFaults: readonly Fault[] = [
  {
    id: 'owners.answer-kept-for-others',
    what: "Who asks the same as another user is given that user's stored response.",
    breaks: ['access/owners.identical-requests-separate'],
    override: kept('responses.create', otherUser),
  },
  {
    id: 'responses-body.answer-kept',
    what: 'Who asks the same again is given the stored response that there is.',
    breaks: ['generation/responses.id-unique'],
    override: kept('responses.create', sameKey),
  },
  ...(['chat-completions', 'messages'] as const).flatMap((protocol): Fault[] => [
    {
      id: `${protocol}.answer-kept`,
      what: 'Who asks the same again is given the answer that there is.',
      breaks: [`generation/${protocol}.repeat-has-new-id`],
      override: kept(`${protocol}.create`, sameKey),
    },
    {
      id: `${protocol}.one-id-for-all`,
      what: 'Every answer has the same id.',
      breaks: [`generation/${protocol}.id-unique`, `generation/${protocol}.repeat-has-new-id`],
      override: bodies(
        protocol === 'messages' ? 'messages.message' : 'chat-completions.completion',
        (body) => ({ ...body, id: 'msg_1' }),
      ),
    },
  ]),
];
