import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startReference } from '../../reference/index.ts';
import type { Defect } from '../../reference/seams.ts';
import { temporaryFolder } from '../../testing.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { inProcess } from './testing.ts';

/** Accepts the key as one official client sends it: in `Authorization: Bearer`, on Messages, too. */
const bearerOnMessages: Defect = {
  id: 'bearer-on-messages',
  what: 'Messages takes a Bearer token, too.',
  override: ({ policy }) => ({
    policy: {
      credential: (place, call) =>
        policy.credential(place, call) ??
        (call.dialect.name === 'messages'
          ? policy.credential({ header: 'authorization', scheme: 'Bearer' }, call)
          : undefined),
    },
  }),
};

const folder = temporaryFolder();
const checks = [
  'access/credentials.foreign-header-refused:messages.bearer',
  'access/credentials.foreign-header-refused:messages.vendorb-api-key',
  'access/credentials.own-header-decides:messages.bearer',
];
const gateway = await startReference({ defect: bearerOnMessages });
afterAll(() => gateway.close());

/** @param more lines of the target file */
async function command(name: string, more: string, ...line: readonly string[]) {
  const file = join(folder, `${Math.random()}.yaml`);
  writeFileSync(file, targetFileOf(gateway) + more);
  const { code, out } = await inProcess([name, '--target', file, ...line]);
  return { code, out: out.replace(/\s+/g, ' ') };
}

const declared = 'acceptsAlso: { messages: [bearer] }\n';
const said = 'The gateway also accepts a key in Authorization: Bearer on Messages.';

test('a further header warns, and is not judged where the target file declares it', async () => {
  const { code, out } = await command('run', '', '--strict', ...checks);
  expect(code).toBe(1);
  expect(out).toContain(checks[0]);
  expect(out).not.toContain('also accepts');

  const again = await command('run', declared, '--allow-partial', ...checks);
  expect(again.code).toBe(0);
  expect(again.out).toContain('1 passed, 2 not applicable');
});

test('every report says what is accepted, too', async () => {
  const path = (name: string): string => join(folder, name);
  const kinds = ['json', 'junit', 'markdown', 'html'] as const;
  const { out } = await command(
    'run',
    declared,
    '--allow-partial',
    ...kinds.flatMap((kind) => [`--${kind}`, path(kind)]),
    ...checks,
  );
  expect(out).toContain(said);
  for (const kind of ['junit', 'markdown', 'html']) {
    expect(readFileSync(path(kind), 'utf8'), kind).toContain(said);
  }
  const { target } = JSON.parse(readFileSync(path('json'), 'utf8'));
  expect(target.acceptsAlso).toEqual([
    { protocol: 'messages', headers: ['Authorization: Bearer'] },
  ]);
});

test('doctor sees it, and says how to declare it', async () => {
  const { out } = await command('doctor', '');
  expect(out).toContain(
    '? /v1/messages/count_tokens takes the key in Authorization: Bearer, too → A run will report it. ' +
      'If it is meant, say so: acceptsAlso: { messages: [bearer] }.',
  );
  expect((await command('doctor', declared)).out).toContain('✓ acceptsAlso.messages: bearer');
});
