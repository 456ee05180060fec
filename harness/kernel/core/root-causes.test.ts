import { expect, test } from 'vitest';
import { type CheckResult, suiteOf } from './result.ts';
import { type RootCause, rootCausesOf } from './root-causes.ts';
import type { CheckVerdict, Difference, Evidence } from './verdict.ts';

function check(id: string, verdict: CheckVerdict): CheckResult {
  const basis = { citations: [], judgement: null };
  const requirement = id.replace(/:.*/, '');
  const level = verdict.state === 'warn' ? 'SHOULD' : 'MUST';
  return { id, suite: suiteOf(id), requirement, level, text: id, basis, scenarios: [], verdict };
}

function evidence(operation: string, outcome: string, given: Partial<Evidence> = {}): Evidence {
  const served = outcome.startsWith('2');
  const request = `POST /v1/${operation}`;
  const received = `${outcome} with something`;
  const answer = { status: Number(outcome), kind: served ? 'json' : 'error' };
  const exchange = `baseline/${operation}#main/0`;
  return { exchange, operation, served, request, answer, outcome, received, curl: '', ...given };
}

function failing(
  id: string,
  kind: Difference['kind'],
  shown: Evidence,
  actual = shown.received,
  state: 'fail' | 'warn' = 'fail',
): CheckResult {
  const difference = { kind, actual };
  const places = kind === 'part' ? [actual] : [];
  return check(id, { state, expected: 'x', actual, evidence: shown, difference, places });
}

function open(id: string, shown: Evidence): CheckResult {
  return check(id, { state: 'inconclusive', cause: 'control', reason: 'r', evidence: shown });
}

/** By the id of its root: what fails besides, and what waits. */
function told(checks: readonly CheckResult[]): readonly (readonly [string, string[], string[]])[] {
  const ids = (all: readonly CheckResult[]): string[] => all.map(({ id }) => id);
  return rootCausesOf({ checks }).map(({ root, failed, waiting }: RootCause) => [
    root.id,
    ids(failed).slice(1),
    ids(waiting),
  ]);
}

test('what builds on an answer that is none belongs to its cause', () => {
  const lookup = evidence('lookup', '404');
  const wrapped = evidence('items', '200', { served: false });
  expect(
    told([
      failing('storage/responses.stream-is-stored', 'unserved', lookup),
      open('access/owners.other-user-denied:lookup', lookup),
      failing('storage/responses.lookup-served', 'unserved', lookup),
      failing('storage/responses.input-items-shape', 'part', wrapped, 'lacks object'),
      failing('storage/responses.input-items-served', 'unserved', wrapped),
      open('access/owners.other-user-denied:input-items', wrapped),
      // Another answer to the same operation, for a reason of its own.
      open('access/owners.other-user-denied:deleted', evidence('lookup', '500')),
    ]),
  ).toEqual([
    [
      'storage/responses.lookup-served',
      ['storage/responses.stream-is-stored'],
      ['access/owners.other-user-denied:lookup'],
    ],
    [
      'storage/responses.input-items-served',
      ['storage/responses.input-items-shape'],
      ['access/owners.other-user-denied:input-items'],
    ],
  ]);
});

test('a rule that does not hold in one way over several values has one cause', () => {
  const served = (operation: string): Evidence => evidence(operation, '200');
  expect(
    told([
      failing('a/b.refused:one', 'unrefused', served('one')),
      failing('a/b.refused:two', 'unrefused', served('two')),
      failing('a/b.refused:three', 'unrefused', evidence('three', '500')),
      failing('a/b.other-refused:one', 'unrefused', served('one')),
      // The exchange is the same by chance: what is wrong in it is not.
      failing('a/c.shape:one', 'part', served('one'), 'lacks id'),
      failing('a/c.usage:one', 'part', served('one'), 'usage[0]'),
      failing('a/c.usage:two', 'part', served('two'), 'usage[12]'),
    ]),
  ).toEqual([
    ['a/b.refused:one', ['a/b.refused:two'], []],
    ['a/c.usage:one', ['a/c.usage:two'], []],
    ['a/b.refused:three', [], []],
    ['a/b.other-refused:one', [], []],
    ['a/c.shape:one', [], []],
  ]);
});

test('who is let in to an operation is let in, whichever rule says so', () => {
  const as = (key: string, operation = 'lookup') => evidence(operation, '200', { key });
  expect(
    told([
      failing('access/owners.other-user-denied:lookup', 'unrefused', as('otherUser')),
      failing('access/owners.denied-at-the-end', 'unrefused', as('otherUser')),
      failing('access/permissions.lookup-needs-model:lookup', 'unrefused', as('restricted')),
      failing('storage/responses.false-denies:lookup', 'unrefused', as('owner')),
      failing('storage/deletion.denies-afterwards:lookup', 'unrefused', as('owner')),
    ]),
  ).toEqual([
    ['access/owners.other-user-denied:lookup', ['access/owners.denied-at-the-end'], []],
    ['access/permissions.lookup-needs-model:lookup', [], []],
    ['storage/responses.false-denies:lookup', [], []],
    ['storage/deletion.denies-afterwards:lookup', [], []],
  ]);
});

test('where no key is checked anywhere, that is the one cause', () => {
  const letIn = (id: string) => failing(id, 'unrefused', evidence(id, '200'));
  const checks = [
    letIn('access/credentials.key-required:lookup'),
    letIn('access/credentials.key-required:delete'),
    letIn('access/credentials.unknown-key-refused:lookup'),
    letIn('access/owners.other-user-denied:lookup'),
    letIn('access/protocols.unknown-model-refused:responses'),
  ];
  const [first, second] = rootCausesOf({ checks });
  expect(first).toMatchObject({ kind: 'no-key-checked', failed: checks.slice(0, 4) });
  expect(second?.root.id).toBe('access/protocols.unknown-model-refused:responses');
  const passed = check('access/credentials.key-required:models', { state: 'pass' });
  expect(rootCausesOf({ checks: [...checks, passed] })).toHaveLength(4);
});

test('MUSTs come first, then what explains most, and nothing is lost', () => {
  const shown = evidence('one', '200');
  const checks = [
    failing('a/b.warned:one', 'part', shown, 'x', 'warn'),
    failing('a/b.warned:two', 'part', shown, 'x', 'warn'),
    failing('a/b.failed', 'part', shown, 'y'),
    check('a/b.without', { state: 'fail', expected: 'x', actual: 'z', evidence: null }),
  ];
  const causes = rootCausesOf({ checks });
  expect(causes.map(({ root }) => root.id)).toEqual([
    'a/b.failed',
    'a/b.without',
    'a/b.warned:one',
  ]);
  expect(rootCausesOf({ checks: [] })).toEqual([]);
});

test('a MUST heads its cause, though a SHOULD is about the same answer as a whole', () => {
  const shown = evidence('lookup', '404');
  const checks = [
    failing('storage/responses.lookup-served', 'unserved', shown, '404', 'warn'),
    failing('storage/responses.stream-is-stored', 'unserved', shown, '404'),
  ];
  expect(told(checks)).toEqual([
    ['storage/responses.stream-is-stored', ['storage/responses.lookup-served'], []],
  ]);
});
