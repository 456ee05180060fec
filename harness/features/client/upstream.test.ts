import { describe, expect, test } from 'vitest';
import { type Protocol, protocols } from '../../kernel/core/protocol.ts';
import type { RunResult } from '../../kernel/core/result.ts';
import { runClient } from './run-client.ts';
import { frontKey, type ProxyTrait, startProxy } from './testing.ts';

interface Asked {
  readonly speaks?: readonly Protocol[];
  readonly model?: string;
  readonly filters?: readonly string[];
}

async function judgeProxy(
  traits: readonly ProxyTrait[],
  { speaks = ['responses', 'messages'], model = 'touchstone', filters = [] }: Asked = {},
): Promise<RunResult> {
  const proxy = await startProxy(traits);
  return runClient({
    name: 'small proxy',
    client: {
      command: [],
      tasks: false,
      speaks,
      upstreamOf: { front: proxy.baseUrl, model },
    },
    upstream: {
      key: frontKey,
      host: '127.0.0.1',
      port: 0,
      onListening: (address) => {
        proxy.provider = address;
      },
    },
    seed: 1,
    filters,
    concurrency: 16,
    timeoutMs: 20_000,
    quietMs: 200,
    holdMs: 1_500,
    environment: {},
  });
}

const statesOf = ({ checks }: RunResult, state: string): readonly string[] =>
  checks.filter(({ verdict }) => verdict.state === state).map(({ id }) => id);

const blamed = (result: RunResult): readonly string[] =>
  [...statesOf(result, 'fail'), ...statesOf(result, 'warn')].sort();

const undecided = (result: RunResult): readonly string[] =>
  [...statesOf(result, 'inconclusive'), ...statesOf(result, 'error')].sort();

const patienceMs = 90_000;

describe('the back side of a gateway', { timeout: patienceMs }, () => {
  test('is not blamed where it is right, in each protocol', async () => {
    const result = await judgeProxy([], { speaks: protocols });
    expect(blamed(result)).toEqual([]);
    expect(undecided(result)).toEqual([]);
    expect(result.verdict).toBe('conformant');
    expect(statesOf(result, 'pass')).toEqual(
      expect.arrayContaining([
        'client/retries.none-when-uncertain:cut-stream',
        'client/retries.none-at-all:refused',
        'client/requests.credential-header',
        'client/stream.event-by-event',
      ]),
    );
    // Nothing was lost on the way: the front was asked once for each start, and each came in.
    const starts = result.conversations ?? [];
    const missed = starts.filter(({ requests }) => requests.length !== 1).map(({ key }) => key);
    expect(missed.every((key) => key.startsWith('client/refused'))).toBe(true);
  });

  test.each<[ProxyTrait, RegExp]>([
    ['key-in-query', /^client\/requests\.(credential-header|key-in-header-only)$/],
    ['drops-limit', /^client\/requests\.output-limit-set$/],
  ])('%s is found, and nothing else', async (trait, about) => {
    const result = await judgeProxy([trait]);
    expect(blamed(result)).not.toEqual([]);
    expect(blamed(result).filter((id) => !about.test(id))).toEqual([]);
    expect(undecided(result)).toEqual([]);
  });

  test('which asks again is found, and does so where no connection was made, too', async () => {
    const result = await judgeProxy(['retries'], { filters: ['client/retries'] });
    expect(blamed(result)).toEqual([
      'client/retries.none-at-all:500',
      'client/retries.none-at-all:502',
      'client/retries.none-at-all:503',
      'client/retries.none-at-all:504',
      'client/retries.none-at-all:529',
      'client/retries.none-at-all:refused',
      'client/retries.none-when-uncertain:no-answer',
      'client/retries.none-when-uncertain:reset',
    ]);
  });

  test.each([['touchstone'], ['any/*']])(
    'is judged where no word gets through, with the model %s',
    async (model) => {
      const filters = ['client/retries', 'client/requests'];
      const right = await judgeProxy(['loses-words'], { speaks: ['responses'], model, filters });
      expect(blamed(right)).toEqual([]);
      expect(undecided(right)).toEqual([]);
      const asksAgain = await judgeProxy(['loses-words', 'retries'], {
        speaks: ['responses'],
        model,
        filters: ['client/retries.none-when-uncertain:reset'],
      });
      expect(blamed(asksAgain)).toEqual(['client/retries.none-when-uncertain:reset']);
    },
  );

  test('is asked for models of all names where it takes any', async () => {
    const filters = ['client/requests.model-id-encoded'];
    const speaks = ['generative'] as const;
    const [any, one] = await Promise.all([
      judgeProxy([], { speaks, filters, model: '*' }),
      judgeProxy([], { speaks, filters }),
    ]);
    expect(statesOf(any, 'pass')).toEqual(filters);
    expect(statesOf(one, 'not-applicable')).toEqual(filters);
  });

  test.each<[ProxyTrait, string]>([
    ['refuses-key', 'refuses the key (Responses, Messages: it answered 401 (Unknown key.))'],
    ['knows-no-model', 'serves the model in no protocol'],
    ['goes-elsewhere', 'serves the model, and no request with the prompt came in at its back'],
  ])('that is never seen is not judged: %s', async (trait, said) => {
    await expect(judgeProxy([trait])).rejects.toThrow(said);
  });
});
