import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../../../kernel/core/catalogue.ts';
import { covers } from '../../../kernel/core/index.ts';
import { fixture } from '../../../kernel/core/package-root.ts';
import { clientDefects } from './defects.ts';
import { knownClients, proveClients } from './prove-clients.ts';

/** Some hundred starts of Node. */
const patienceMs = 600_000;

/** For each check of a client, the first client that breaks it. */
const faulty = loadCatalogue('client').checks.flatMap(
  ({ id }) => clientDefects.find(({ breaks }) => covers(breaks, id))?.id ?? [],
);

/** Everybody by everything is `npm run prove`: here, a faulty client for every fifth check, and few others. */
const sample = knownClients.filter(({ id }) =>
  [
    ...[...new Set(faulty)].filter((_, index) => index % 5 === 0),
    ...['right', 'leaves-an-error', 'sends-one-get'],
  ].includes(id),
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

test('each client has a name of its own, which the client knows', () => {
  const ids = knownClients.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const source = readFileSync(fixture('faulty-client.mjs'), 'utf8');
  const known = [...source.matchAll(/'([a-z\d-]+)'|has\(`(.*?)`\)/g)]
    .map(([, word, made]) => word ?? made ?? '')
    .map((name) => new RegExp(`^${name.replaceAll(/\$\{.*?\}/g, '[^-]+')}$`));
  const unknown = ids.filter(
    (id) =>
      !/^right|^with(out)?-/.test(id) &&
      !known.some((name) => name.test(id.replace(/@.*|, without tasks$/, ''))),
  );
  expect(unknown).toEqual([]);
});
