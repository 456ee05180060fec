import { expect, test } from 'vitest';
import { loadCatalogue } from '../../core/catalogue.ts';
import { covers } from '../matrix.ts';
import { clientDefects } from './defects.ts';
import { knownClients, proveClients } from './prove-clients.ts';

/** Some hundred starts of Node. */
const patienceMs = 600_000;

/** Of the checks of a client each, the first client that breaks it. */
const faulty = loadCatalogue('client').checks.flatMap(
  ({ id }) => clientDefects.find(({ breaks }) => covers(breaks, id))?.id ?? [],
);

/** Everybody by everything is `npm run prove`: here, a faulty client for each check, and few others. */
const sample = knownClients.filter(({ id }) =>
  [...faulty, 'right', 'idempotency-key', 'sends-one-get'].includes(id),
);

test('clients are judged as they should be', { timeout: patienceMs }, async () => {
  const proven = await proveClients(sample, { quick: true });
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

test('each client has a name of its own', () => {
  const ids = knownClients.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
