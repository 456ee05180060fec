import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { sampleChecks, sampleRun } from '../core/samples/run.ts';
import { renderJson } from '../report/json.ts';
import { sampleClientRun } from '../report/samples/client.ts';
import { inProcess as call } from './testing.ts';

// Client checks in the commands that handle both sides.

test('a client row is explained: how a right client goes about it, and how a wrong one', async () => {
  const { code, out } = await call('explain client/retries.none-when-uncertain:reset');
  expect(code).toBe(0);
  expect(out).toMatch(/^client\/retries\.none-when-uncertain:reset \(MUST\)\n/);
  expect(out).toContain('<fixtures/specification.md#int-3>');
  expect(out).toContain('client/reset, in each protocol that the client speaks');
  const [right = '', wrong = ''] = out.split('A wrong client: ');
  expect(right).toMatch(/A right client .*\n(.*\n)*.*POST \/v1\/responses → cut by the gateway/);
  expect(right).not.toContain('generation 2 of 2');
  expect(wrong).toMatch(/^resends-elsewhere\n {4}It sends a generation again in another region/);
  expect(wrong).toContain('← generation 2 of 2');
  expect(wrong).toMatch(/What the check says of it\n {4}2 generations/);
});

test('rows of both sides are explained together', async () => {
  const { code, out } = await call('explain access/credentials client/retries --short');
  expect(code).toBe(0);
  expect(out).toMatch(/^access\/credentials/m);
  expect(out).toMatch(/^client\/retries/m);
});

test('reports of a gateway and of a client are not compared', async () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const gateway = file('gateway.json', renderJson(sampleRun(sampleChecks)));
  const client = file('client.json', renderJson(sampleClientRun()));
  expect(await call(`diff ${gateway} ${client}`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('they have no check in common'),
  });
  expect(await call(`diff ${client} ${client}`)).toMatchObject({ code: 0 });
  // Only runs of gateways are split.
  expect(await call(`merge ${client} ${client}`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('is not part of a split run'),
  });
});

test('no check is missing, of neither side', async () => {
  expect(await call('list --uncovered')).toMatchObject({ code: 0, out: '0 checks missing\n' });
});

test('who names a row of the other side is told the command', async () => {
  expect(await call('run client/retries')).toMatchObject({
    code: 3,
    err: expect.stringContaining(
      '"client/retries" is judged of a client: touchstone client client/retries -- <command>',
    ),
  });
  expect(await call('client storage/responses -- true')).toMatchObject({
    code: 3,
    err: expect.stringContaining(
      '"storage/responses" is judged of a gateway: touchstone run storage/responses',
    ),
  });
});
