import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { BoundedMatch, TooSlow } from '../../reference/mock/bounded-match.ts';
import { readSentScript } from './script-file.ts';

/** None of them comes to an end within a day. */
const endless = [
  '/^(a+)+$/',
  '/^(a|a)*$/',
  '/(a*)*b/',
  '/^(?:a|aa)+$/i',
  '/(?=(a+)+$)b/',
  '/^(.*a){30}$/',
];
const text = `${'a'.repeat(45)}!`;

test('an expression is found as it always was', () => {
  const match = new BoundedMatch();
  expect(match.finds(/^re(try|do) \d+/i, 'Retry 12 times')).toBe(true);
  expect(match.finds(/^retry$/, 'Retry')).toBe(false);
  const global = /a+/g;
  global.lastIndex = 9;
  expect(match.finds(global, 'xaa')).toBe(true);
  expect(global.lastIndex).toBe(9);
});

test('one that does not come to an end is told, and then not tried again', () => {
  const pattern = /^(a+)+$/;
  for (let n = 0; n < 3; n++)
    expect(() => new BoundedMatch().finds(pattern, text)).toThrow(TooSlow);
  const began = performance.now();
  expect(() => new BoundedMatch().finds(pattern, text)).toThrow(
    /repetition inside of a repetition/,
  );
  expect(performance.now() - began).toBeLessThan(50);
});

test.each(endless)('no request stops a gateway whose script says %s', async (says) => {
  const gateway = await startReference({
    ...{ regions: ['eu'], isMock: true, journal: {}, readScript: readSentScript },
  });
  onTestFinished(() => gateway.close());
  const base = gateway.regions[0]?.baseUrl ?? '';
  const script = {
    rules: Array.from({ length: 50 }, () => ({ when: { says, system: says }, text: 'x' })),
  };
  const put = await fetch(`${base}/_touchstone/script`, {
    method: 'PUT',
    body: JSON.stringify(script),
  });
  expect(put.status).toBe(200);
  const asked = fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.keys.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'ts-omni',
      messages: [
        { role: 'system', content: text },
        { role: 'user', content: text },
      ],
    }),
  });
  const answer = await asked;
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining('repetition inside of a repetition'),
  ]);
  expect((await fetch(`${base}/_touchstone/metrics`)).status).toBe(200);
});

const deep = (open: string, close: string, depth: number): string =>
  `{"rules":${open.repeat(depth)}${close.repeat(depth)}}`;

test.each([
  ['nested lists', deep('[', ']', 10_000)],
  ['more nested lists than a parser can stand', deep('[', ']', 50_000)],
  ['lists that do not end', `rules: ${'['.repeat(100_000)}`],
  ['nested members', deep('{"a":', '}', 10_000)],
  ['lists in lists by dashes', `rules: \n  ${'- '.repeat(50_000)}a`],
  ['keys by question marks', `${'? '.repeat(50_000)}a`],
  [
    'many keys',
    `rules: [{ value: {${Array.from({ length: 30_000 }, (_, n) => `k${n}: 1`).join(',')}} }]`,
  ],
  ['many rules', `rules: [${'{text: a},'.repeat(5_000)}]`],
  ['many lines', '\n'.repeat(200_000)],
  ['many bytes', 'x'.repeat(2_000_000)],
  ['a long expression', `rules: [{ when: { says: /${'a?'.repeat(5_000)}/ }, text: a }]`],
])('a script of %s is refused soon, and nothing stops', async (_, body) => {
  const gateway = await startReference({
    ...{ regions: ['eu'], isMock: true, journal: {}, readScript: readSentScript },
  });
  onTestFinished(() => gateway.close());
  const base = gateway.regions[0]?.baseUrl ?? '';
  const began = process.cpuUsage();
  const answer = await fetch(`${base}/_touchstone/script`, { method: 'PUT', body });
  expect([400, 413]).toContain(answer.status);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(3_000);
});
