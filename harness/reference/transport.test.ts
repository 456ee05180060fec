import { expect, test } from 'vitest';
import { startReference } from './start.ts';
import { bearer, post } from './testing-requests.ts';

test.each([false, true])(
  'answers that are ready at once go each to its own (stream: %s)',
  async (stream) => {
    const gateway = await startReference({ isMock: true });
    const url = `${gateway.regions[0]?.baseUrl}/v1/responses`;
    const headers = bearer(gateway.keys.owner);
    // More than are ended at a time, and every other one beyond ASCII.
    const told = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? `Łódź ${n}` : `Lodz ${n}`));
    const answers = await Promise.all(
      told.map((n) =>
        post(url, headers, { model: 'ts-omni', input: 'Hi.', metadata: { n }, stream }),
      ),
    );
    const responses = answers.map((answer) =>
      stream ? JSON.parse(answer.events.at(-1)?.data ?? '').response : Object(answer.json),
    );
    expect(responses.map(({ status, metadata }) => [status, metadata.n])).toEqual(
      told.map((n) => ['completed', n]),
    );
    await gateway.close();
  },
);
