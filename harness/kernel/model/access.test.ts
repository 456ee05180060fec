import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../core/catalogue.ts';
import {
  type Act,
  type Actor,
  access,
  creationModes,
  type MadeResponse,
  operations,
  type RequestMode,
  requestModes,
  responseStates,
  rules,
} from './access.ts';

const allModes: readonly RequestMode[] = Object.values(requestModes).flat();

const responses: fc.Arbitrary<MadeResponse> = fc.record({
  user: fc.constantFrom('a', 'b'),
  model: fc.constantFrom('m', 'n'),
  region: fc.constantFrom('eu', 'us'),
  mode: fc.constantFrom(...creationModes),
  stored: fc.boolean(),
  state: fc.constantFrom(...responseStates),
});

const actors: fc.Arbitrary<Actor> = fc.record({
  user: fc.constantFrom('a', 'b', null),
  models: fc.subarray(['m', 'n']),
});

const acts: fc.Arbitrary<Act> = fc.record(
  {
    actor: actors,
    region: fc.constantFrom('eu', 'us'),
    operation: fc.constantFrom(...operations),
    requestMode: fc.constantFrom(...allModes),
    model: fc.constantFrom('m', 'n'),
    onItsConnection: fc.boolean(),
  },
  { requiredKeys: ['actor', 'region', 'operation', 'requestMode'] },
);

/** The owner, at home, with every permission. */
const byOwner = (made: MadeResponse, act: Act): Act => ({
  ...act,
  actor: { user: made.user, models: ['m', 'n'] },
  region: made.region,
});

const holds = (property: (made: MadeResponse, act: Act) => void): void =>
  fc.assert(fc.property(responses, acts, property), { numRuns: 2_000 });

describe('the access model', () => {
  test('has a rule for every act on every response', () => {
    holds((made, act) => {
      const { outcome, recommended } = access(made, act);
      expect(['served', 'denied', 'either']).toContain(outcome);
      if (recommended !== null) expect(outcome).toBe('either');
    });
  });

  test('names clauses of the specification; what is certain rests on no gap', () => {
    const clauses = new Map(loadCatalogue().citations.map(({ id, kind }) => [id, kind]));
    for (const { clause } of rules) expect(clauses.has(clause), clause).toBe(true);
    holds((made, act) => {
      const { outcome, clause } = access(made, act);
      if (outcome !== 'either') expect(clauses.get(clause), clause).toBe('clause');
    });
  });

  test('serves nobody without a key, and no other user', () => {
    holds((made, act) => {
      if (act.actor.user !== made.user) expect(access(made, act).outcome).toBe('denied');
    });
  });

  test('does not depend on the form of the request', () => {
    holds((made, act) => {
      const all = allModes.map((requestMode) => access(made, { ...act, requestMode }).outcome);
      expect(new Set(all).size).toBe(1);
    });
  });

  test('treats all keys of a user alike that have the same permissions, in their order or not', () => {
    holds((made, act) => {
      const { actor } = act;
      const other = { ...actor, models: [...actor.models].reverse() };
      expect(access(made, { ...act, actor: other })).toEqual(access(made, act));
    });
  });

  test('serves nobody what it denies the owner', () => {
    holds((made, act) => {
      if (access(made, byOwner(made, act)).outcome !== 'denied') return;
      expect(access(made, act).outcome).toBe('denied');
    });
  });

  test('serves nobody more than the owner', () => {
    holds((made, act) => {
      if (access(made, act).outcome !== 'served') return;
      expect(access(made, byOwner(made, act)).outcome).toBe('served');
    });
  });

  test('takes back by a deletion what it served: no act on a deleted response is served', () => {
    holds((made, act) => {
      expect(access({ ...made, state: 'deleted' }, act).outcome).not.toBe('served');
    });
  });

  test('serves of an unstored response only the continuation on its own connection', () => {
    holds((made, act) => {
      const { outcome } = access({ ...made, stored: false }, act);
      if (outcome !== 'served') return;
      expect([act.operation, act.onItsConnection]).toEqual(['continue-websocket', true]);
    });
  });
});
