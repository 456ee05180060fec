import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variants } from '../../proof/variants/index.ts';
import { breaksTable, brokenBy, knownAs } from './compare.ts';
import { knownBreaks } from './known.ts';

const found = (variant: string | null, call: string, said = 'Error: a|b', client = 'openai-6') => ({
  variant,
  client,
  call,
  said,
});
const isKnown = (...told: Parameters<typeof found>) =>
  knownAs(found(...told), knownBreaks) !== undefined;

test('what breaks without a variant too is not the fault of the variant', () => {
  const breaks = [found(null, 'one'), found('v', 'one'), found('v', 'two')];
  expect(brokenBy(breaks)).toEqual([breaks[0], breaks[2]]);
});

test('what is known is of that variant, client and call, and says that', () => {
  const calls = ['chat', 'chat stream'];
  const by = { because: 'b', source: '`c | d`' };
  const one = { variants: ['v.1'], client: 'openai', calls, says: /a/, ...by };
  const known = [one];
  expect(knownAs(found('v.1', 'chat'), known)).toBe(one);
  expect(knownAs(found(null, 'chat'), known)).toBeUndefined();
  expect(knownAs(found('v.12', 'chat'), known)).toBeUndefined();
  expect(knownAs(found('v.1', 'create'), known)).toBeUndefined();
  expect(knownAs(found('v.1', 'create'), [{ ...one, calls: 'all' }])).toBeDefined();
  expect(knownAs(found('v.1', 'chat', 'Error: 500'), known)).toBeUndefined();
  expect(knownAs(found('v.1', 'chat', 'a', 'langchain-1'), known)).toBeUndefined();
  const table = breaksTable([found('v.1', 'chat'), found('v.1', 'chat stream')], known);
  expect(table.split('\n').at(-1)?.replaceAll(/ +/g, ' ')).toBe(
    '| b | `openai-6` | `v.1` | chat; chat stream | Error: a\\|b | `c \\| d` |',
  );
  expect(breaksTable([found('w.1', 'create')], known)).toContain('not looked at yet');
});

test('what a variant says that it lacks excuses the calls that need it, and no others', () => {
  const refused = (name: string) =>
    `Error: 400 The channel of the model 'm' does not support '${name}'.`;
  for (const { id, silentAbout = [] } of variants) {
    for (const name of silentAbout) {
      const excused = ['chat structured', 'chat image', 'chat stop', 'chat logprobs', 'chat n'];
      expect(
        excused.filter((call) => isKnown(id, call, refused(name))),
        id,
      ).toHaveLength(1);
    }
  }
  expect(isKnown('asked.images-refused', 'chat image', refused('images'))).toBe(true);
  expect(isKnown('asked.images-refused', 'chat create', refused('images'))).toBe(false);
  expect(isKnown('asked.images-refused', 'chat image', refused('stop'))).toBe(false);
  expect(isKnown('asked.images-refused', 'chat image', 'Error: 500')).toBe(false);
});

test.each([
  ['asked.choices-by-turns', 'chat n', 'Error: not so: two'],
  ['input.no-system-prompts', 'create', "Error: 400 The model takes no 'system' like this."],
  ['refusals.denied-403', 'responses continuation', 'Error: not so: class'],
  ['refusals.denied-403', 'error 404', 'Error: was served, and had to be refused'],
  ['pace.backlog', 'responses cancel', 'Error: 400 Cannot cancel a completed response.'],
  ['pace.within-a-round-trip', 'responses background', 'Error: does not end'],
  ['messages.thinking-first', 'messages tool loop', 'Error: not so: calls, and goes on'],
  ['empty-text.chat-completions', 'chat n', 'Error: not so: two'],
  ['http.long-headers', 'chat create', 'Error: 500'],
])('a break that may be ours is new: %s, %s, %s', (...told) => {
  for (const client of ['openai-6', 'anthropic-1', 'ai-sdk-7']) {
    expect(isKnown(...told, client)).toBe(false);
  }
});

test('every variant that is named exists', () => {
  const ids = new Set(variants.map(({ id }) => id));
  const named = knownBreaks.flatMap((one) => one.variants);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});

test('the page says whose fault it is as known.ts does', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (client|nobody): /.test(line));
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('`', ''));
    const [, because, clients = '', under = '', , , source] = cells;
    const own = knownBreaks.filter(
      (one) =>
        because === one.because.replaceAll('`', '') && source === one.source.replaceAll('`', ''),
    );
    const unknown = {
      variants: under.split(', ').filter((id) => !own.some((one) => one.variants.includes(id))),
      clients: clients
        .split(', ')
        .filter((name) => !own.some(({ client = '' }) => name.startsWith(client))),
    };
    expect(unknown, row).toEqual({ variants: [], clients: [] });
  }
});
