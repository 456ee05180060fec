import { expect, test } from 'vitest';
import type { HeaderLines } from '../core/exchange.ts';
import { ourName } from '../core/recognisable.ts';
import { recognisableIn } from '../drawn/recognised.ts';
import { answered } from './testing.ts';

function sent(headers: HeaderLines, input: string) {
  const body = Buffer.from(JSON.stringify({ model: 'm', input }));
  return answered('{}', {
    request: { method: 'POST', url: 'http://g/v1/responses', headers, body },
  });
}

test('counts what a gateway could know a run by', () => {
  const agent: HeaderLines = [['user-agent', 'OpenAI/JS 6.49.0']];
  const exchanges = [
    sent(agent, 'Write a line about Ada.'),
    sent([...agent, ['X-Client-Request-Id', 'r']], 'Write a line about Maximiliane.'),
    sent([['User-Agent', ourName]], 'Draft a story of 40 words.'),
  ];
  expect(recognisableIn(exchanges)).toEqual({
    requests: 3,
    named: 1,
    userAgents: ['OpenAI/JS 6.49.0', ourName],
    identified: 1,
    ownConnection: 3,
    prompts: 3,
    wordings: 2,
    commonestWording: 2,
  });
  expect(recognisableIn([])).toBe(null);
});
