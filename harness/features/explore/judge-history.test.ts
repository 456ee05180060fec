import { expect, test } from 'vitest';
import { inventedWord } from '../../kernel/drawn/invented-word.ts';
import { targetAt } from '../../kernel/engine/testing.ts';
import { no, undecided, yes } from '../../kernel/judge/judged.ts';
import { EverywhereJudge } from './everywhere.ts';
import { HistoryJudge } from './judge-history.ts';
import type { Sent } from './perform.ts';
import { actOn, create, history, response, sentOf } from './testing.ts';

const keys = { owner: 'canary-owner', otherUser: 'canary-other', restricted: 'canary-restricted' };
const target = { ...targetAt('http://here'), keys };

function broken(...sent: readonly Sent[]): readonly string[] {
  const judge = new HistoryJudge(target, new EverywhereJudge(target, []));
  return judge.violationsIn(history(...sent)).map(({ n, row, kind }) => `${n} ${row}: ${kind}`);
}

const word = inventedWord([1, 2, 3, 4]);
const made = sentOf(create, response('Yes.'), { words: [word] });
const refusal = { error: { message: 'No.', type: 'invalid_request_error' } };
const refused = { status: 404, judged: no('404'), served: false, id: null };

test('what has to be served is blamed where it is refused, and not where nothing can be said', () => {
  const lookup = actOn(1, 'lookup');
  expect(broken(made, sentOf(lookup, response('Yes.')))).toEqual([]);
  expect(broken(made, sentOf(lookup, refusal, refused))).toEqual([
    '1 storage/responses.read-by-creation-mode:one-body: lookup that has to be served',
  ]);
  const unknown = { judged: undecided('timeout', 'It took too long.'), served: null };
  expect(broken(made, sentOf(lookup, refusal, { ...unknown, status: 504 }))).toEqual([]);
});

test('what has to be denied is blamed where it is served, or shows what is kept', () => {
  const lookup = actOn(1, 'lookup', { actor: 'otherUser' });
  const row = '1 access/owners.other-user-denied:lookup: lookup that has to be denied';
  expect(broken(made, sentOf(lookup, refusal, refused))).toEqual([]);
  expect(broken(made, sentOf(lookup, response('Yes.')))).toEqual([row]);
  const shows = { error: { ...refusal.error, message: `No ${word}.` } };
  expect(broken(made, sentOf(lookup, shows, refused))).toEqual([row]);
  // An error that is no refusal serves nobody.
  expect(broken(made, sentOf(lookup, refusal, { ...refused, status: 500 }))).toEqual([]);
});

test('a call that only names a response may be answered without it', () => {
  const count = actOn(1, 'input-tokens', { actor: 'otherUser', requestMode: 'body' });
  const answer = { object: 'response.input_tokens', input_tokens: 4 };
  expect(broken(made, sentOf(count, answer))).toEqual([]);
  expect(broken(made, sentOf(count, { ...answer, of: word }))).toEqual([
    '1 access/owners.indirect-access-denied:input-tokens: input-tokens that has to be denied',
  ]);
});

test('what runs in the background may be accepted, and then has to fail', () => {
  const act = { ...create, actor: 'restricted', mode: 'background' } as const;
  const accepted = sentOf(act, response('', { status: 'queued' }), { words: [word], over: false });
  const lookup = actOn(1, 'lookup', { actor: 'restricted' });
  expect(broken(accepted)).toEqual([]);
  const failed = { judged: undecided('ambiguous', 'The run failed.'), served: null };
  const end = response('', { status: 'failed' });
  expect(broken(accepted, sentOf(lookup, end, failed))).toEqual([]);
  const row = 'access/permissions.unpermitted-model-refused:responses';
  expect(broken(sentOf(act, response('Yes.'), { words: [word] }))).toEqual([
    `0 ${row}: create that has to be denied`,
  ]);
});

test('another protocol serves and denies by the permissions of the key', () => {
  const ask = { n: 0, actor: 'owner', region: 'here', kind: 'ask', stream: false } as const;
  const chat = { ...ask, endpoint: 'chat-completions', model: 'm' } as const;
  const answer = { object: 'chat.completion', choices: [] };
  const about = { operation: 'chat-completions.create', words: [word] };
  expect(broken(sentOf(chat, answer, about))).toEqual([]);
  expect(broken(sentOf(chat, refusal, { ...about, ...refused }))).toEqual([
    '0 access/protocols.declared-served:chat-completions: chat-completions that has to be served',
  ]);
  const other = { ...chat, actor: 'restricted' } as const;
  expect(broken(sentOf(other, refusal, { ...about, ...refused, status: 403 }))).toEqual([]);
  expect(broken(sentOf(other, answer, { ...about, judged: yes }))).toEqual([
    '0 access/permissions.unpermitted-model-refused:chat-completions: chat-completions that has to be denied',
  ]);
  // The other region is not known to have the model.
  expect(broken(sentOf({ ...chat, region: 'there' }, refusal, { ...about, ...refused }))).toEqual(
    [],
  );
});

test('in which header a list takes its key is not said', () => {
  const list = { n: 0, actor: 'owner', region: 'here', kind: 'list' } as const;
  const about = { ...refused, operation: 'models.list' };
  expect(broken(sentOf(list, refusal, { ...about, status: 401 }))).toEqual([]);
  expect(broken(sentOf(list, refusal, about))).toEqual([
    '0 models/list.served: list that has to be served',
  ]);
});
