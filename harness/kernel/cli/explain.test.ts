import { expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import { exampleOf } from './explain-example.ts';
import { inProcess as call, ofLessDeclared } from './testing.ts';

/** Splits an explanation into its parts, by title. */
function partsOf(out: string): Map<string, string> {
  const parts = out.split(/^ {2}(?=[A-Z][^\n]*\n {4})/m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1)] as const;
    }),
  );
}

test('one requirement: what is sent, what is expected, a good exchange and a bad one', async () => {
  const { code, out } = await call('explain storage/deletion.denies-afterwards:lookup');
  expect(code).toBe(0);
  expect(out).toMatch(/^storage\/deletion\.denies-afterwards:lookup \(MUST\)\n {2}\S/);
  const parts = partsOf(out);
  expect(parts.get('Source')).toContain('<fixtures/specification.md#store-11>');
  const sent = parts.get('What is sent (storage/deletion.denies-afterwards:lookup)');
  expect(sent).toMatch(/^ {4}GET\s+\/v1\/responses\/resp_\w+(\?\S+)?\n/);
  expect(sent).toMatch(/authorization: Bearer \*+\n/);
  expect(parts.get('What is expected')).toContain('a denial');
  expect(parts.get('A good response')).toMatch(/^ {4}status 404\n/);
  const [bad = ''] = [...parts.keys()].filter((title) => title.startsWith('A bad response: '));
  expect(parts.get('Planted faults')).toContain(`    ${bad.slice('A bad response: '.length)}:`);
  expect(parts.get('What the check says of it')).not.toBe('');
});

test('a row with an axis stands once, with its values and the exchange of the first', async () => {
  const { out } = await call('explain generation/messages-stream.message-stop-last');
  const stream = partsOf(out);
  expect(stream.get('What is sent')).toContain('POST /v1/messages');
  expect(stream.get('What is sent')).toContain('"stream":true');
  expect(stream.get('A good response')).toContain('message_stop');

  const { out: each } = await call('explain access/credentials.own-header-served --short');
  expect(each.match(/^access\//gm)).toHaveLength(1);
  expect(partsOf(each).get('Judged for')).toContain('responses, chat-completions, messages');
  expect(each).not.toContain('What is sent');
});

test('many requirements come without exchanges, and it says so', async () => {
  const { code, out } = await call('explain access/');
  expect(code).toBe(0);
  expect(out).not.toContain('What is sent');
  expect(out).toContain('The exchanges are left out, because these are ');
});

test('as JSON: the row, its checks, and the planted faults that each notices', async () => {
  const { code, out } = await call('explain storage/deletion.served --json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    {
      id: 'storage/deletion.served',
      level: 'MUST',
      checks: [{ id: 'storage/deletion.served', faults: expect.arrayContaining([]) }],
    },
  ]);
  expect(JSON.parse(out)[0].checks[0].faults.length).toBeGreaterThan(0);
});

test('a check whose failing request a sound run does not make has a good response, too', async () => {
  const { out } = await call('explain storage/deletion.leaves-others');
  const parts = partsOf(out);
  expect(parts.get('What is sent')).toMatch(/^ {4}GET\s+\/v1\/responses\/resp_/);
  expect(parts.get('A good response')).toMatch(/^ {4}status 200\n/);
});

test('what is asked for where a target file declares less is shown with such a file', async () => {
  const ids = loadCatalogue()
    .checks.map(({ id }) => id)
    .filter((id) => ofLessDeclared.some((row) => id.startsWith(row)));
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids) expect((await exampleOf(id, [])).good, id).not.toBeNull();
});
