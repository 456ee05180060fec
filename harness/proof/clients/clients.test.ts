import { expect, test } from 'vitest';
import { loadCatalogue } from '../../core/catalogue.ts';
import { covers } from '../matrix.ts';
import { clientDefects } from './defects.ts';
import { proveClients } from './prove-clients.ts';

/** Some hundred starts of Node. */
const patienceMs = 600_000;

test('every client is judged as it should be', { timeout: patienceMs }, async () => {
  const proven = await proveClients();
  const wrong = proven.filter(({ problem }) => problem !== null);
  expect(wrong.map(({ client, problem }) => `${client.id}: ${problem}`)).toEqual([]);
});

test('every check of a client can fail', () => {
  const { checks } = loadCatalogue('client');
  const without = checks
    .filter(({ level }) => level !== 'MAY')
    .filter(({ id }) => !clientDefects.some(({ breaks }) => covers(breaks, id)));
  expect(without.map(({ id }) => id)).toEqual([]);
});
