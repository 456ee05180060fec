import { expect, test } from 'vitest';
import type { Event, Json } from './testing-exchange.ts';
import { brokenIn, judgeProxy } from './testing-judge.ts';
import type { Seams } from './testing-proxy.ts';

interface Variant {
  readonly what: string;
  readonly seams: Partial<Seams>;
  readonly gateway?: NonNullable<Parameters<typeof judgeProxy>[0]>['gateway'];
  /** Id prefixes to judge. */
  readonly filters: readonly string[];
}

/** Cuts each text anew. */
function cutAnew(event: Event): readonly Event[] {
  if (event.type !== 'text') return [event];
  return [...event.text].map((text) => ({ type: 'text', text }));
}

/** Puts results of one turn into turns of their own. */
function resultsApart(body: Json): Json {
  const turns = (body.messages as readonly Json[]).flatMap(({ role, content }): Json[] => {
    const isResults =
      Array.isArray(content) && content.every((part) => part.type === 'tool_result');
    return isResults ? content.map((part) => ({ role, content: [part] })) : [{ role, content }];
  });
  return { ...body, messages: turns };
}

/** Legal differences. */
const variants: readonly Variant[] = [
  {
    what: 'texts that are cut anew, with comments between',
    seams: {
      event: cutAnew,
      pass: (text, { asked }) => (asked.stream === true ? `: from the proxy\n\n${text}` : text),
    },
    filters: ['provider/told', 'provider/stream.framing:messages'],
  },
  {
    what: 'results in turns of their own',
    seams: { ask: (body, { route }) => (route.asks === 'messages' ? resultsApart(body) : body) },
    filters: ['provider/asked.tool-history'],
  },
  {
    what: '503 for 529, and a longer wait',
    seams: {
      refused: (own) => ({
        ...own,
        status: own.status === 529 ? 503 : own.status,
        headers: { ...own.headers, 'retry-after': '60' },
      }),
    },
    filters: ['provider/errors.class', 'provider/errors.retry-after'],
  },
  {
    what: 'a system text of its own, and a dropped parameter, where both are declared',
    seams: {
      ask: (body, { route }) => {
        const { temperature: _, ...rest } = body;
        return route.asks === 'messages'
          ? {
              ...rest,
              system: [
                { type: 'text', text: 'Be kind.' },
                { type: 'text', text: `${body.system ?? ''}` },
              ],
            }
          : {
              ...rest,
              messages: [{ role: 'system', content: 'Be kind.' }, ...(body.messages as Json[])],
            };
      },
    },
    gateway: { adds: ['system'], drops: ['temperature'] },
    filters: ['provider/asked.system', 'provider/asked.nothing-added', 'provider/asked.parameters'],
  },
];

test.each(variants)('$what: no gateway is blamed for it', async ({ seams, gateway, filters }) => {
  const result = await judgeProxy({
    seams,
    filters,
    ...(gateway === undefined ? {} : { gateway }),
  });
  expect(brokenIn(result).map(({ id, verdict }) => [id, verdict])).toEqual([]);
});

test('what is declared is told, and the same without it is a warning', async () => {
  const [, , , declared] = variants;
  const { seams = {}, filters = [], gateway } = declared ?? {};
  const result = await judgeProxy({
    seams,
    filters,
    ...(gateway === undefined ? {} : { gateway }),
  });
  expect(result.target.declares).toEqual(['adds system', 'drops temperature']);
  const broken = brokenIn(await judgeProxy({ seams, filters })).map(({ id }) => id);
  expect(broken).toContain('provider/asked.nothing-added:messages');
  expect(broken).toContain('provider/asked.parameters:messages.temperature');
});
