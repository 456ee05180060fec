import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../../kernel/core/catalogue.ts';
import { covers } from '../../kernel/core/index.ts';
import { packageRoot } from '../../kernel/core/package-root.ts';
import type { Seams } from '../../reference/call.ts';
import { startReference } from '../../reference/index.ts';
import { defaultSeams, withDefect } from '../../reference/seams.ts';
import { bearer, get } from '../../reference/testing-requests.ts';
import {
  formatRecorded,
  noOtherFailures,
  readRecorded,
  recordedFile,
  rowOf,
} from '../recorded-failures.ts';
import { waysOfBreaking } from './broken-operations.ts';
import { faults } from './index.ts';
import { operations } from './operations.ts';
import { unplanted } from './planted.ts';

interface Check {
  readonly level: string;
  readonly id: string;
  /** The id without the value of an axis. */
  readonly row: string;
}

const checks: readonly Check[] = loadCatalogue().checks.map(({ id, level, requirement }) => ({
  level,
  id,
  row: requirement.id,
}));

/** Rows that no fault of a gateway can break. */
const unbreakable: Readonly<Record<string, string>> = {
  'interruption/connection.harness-sends-once': 'It holds for this harness, and not for a gateway.',
};

function rows(levels: readonly string[]): readonly string[] {
  return [...new Set(checks.filter(({ level }) => levels.includes(level)).map(({ row }) => row))];
}

test('every fault has an id of its own, with the area first', () => {
  const ids = faults.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual(
    [],
  );
});

test('whatever may be refused outright has a check that fails then', () => {
  const shown = faults.filter(({ id }) => /^outright\.(?!malformed-json|no-key)/.test(id));
  const named = Object.keys(operations).flatMap((name) =>
    Object.keys(waysOfBreaking).map((way) => `outright.${name}-${way}`),
  );
  expect(shown.map(({ id }) => id).sort()).toEqual(named.sort());
});

test('every row of the table is planted', () => {
  expect(unplanted()).toEqual([]);
});

test('every fault says in one sentence what the gateway does', () => {
  for (const { id, what } of faults) expect(what, id).toMatch(/^\S.*[^.:]\.$/);
});

test('every fault breaks checks that there are, by their whole id or that of their row', () => {
  const known = new Set(checks.flatMap(({ id, row }) => [id, row]));
  for (const { id, breaks } of faults) {
    expect(breaks, id).not.toHaveLength(0);
    expect(
      breaks.filter((name) => !known.has(name)),
      id,
    ).toEqual([]);
  }
});

test('every fault breaks something that counts: a MAY is only noted', () => {
  for (const { id, breaks } of faults) {
    const levels = breaks.flatMap((name) =>
      checks.filter((check) => check.id === name || check.row === name).map(({ level }) => level),
    );
    expect(
      levels.some((level) => level !== 'MAY'),
      id,
    ).toBe(true);
  }
});

test('what is recorded as failing, and what brings a fault out, are checks that there are', () => {
  const ids = checks.map(({ id }) => id);
  const recorded = readRecorded(faults, ids);
  for (const { id, shownBy = [] } of faults) {
    const { always, sometimes } = recorded.get(id) ?? noOtherFailures;
    const unknown = [...always, ...sometimes.keys()].filter(
      (name) => !checks.some((check) => covers([name], check.id)),
    );
    const noRow = shownBy.filter((name) => !checks.some(({ row }) => row === rowOf(name)));
    expect([...unknown, ...noRow], id).toEqual([]);
  }
  const known = new Set(faults.map(({ id }) => id));
  expect([...recorded.keys()].filter((id) => !known.has(id))).toEqual([]);
});

test('the file of recorded failures is as it would be written', () => {
  const ids = checks.map(({ id }) => id);
  const text = readFileSync(join(packageRoot, recordedFile), 'utf8');
  expect(text).toBe(formatRecorded(readRecorded(faults, ids), faults, ids));
});

test('every fault replaces a seam', () => {
  for (const fault of faults) {
    const seams = withDefect(fault);
    const replaced = (Object.keys(defaultSeams) as (keyof Seams)[]).flatMap((room) =>
      Object.entries(seams[room]).filter(
        ([name, value]) =>
          value !== Object.entries(defaultSeams[room]).find(([n]) => n === name)?.[1],
      ),
    );
    expect(replaced, fault.id).not.toHaveLength(0);
    for (const [name, value] of replaced)
      expect(value, `${fault.id}: ${name}`).toBeTypeOf('function');
  }
});

test('every row that is required or recommended is broken by a fault', () => {
  const broken = new Set(faults.flatMap(({ breaks }) => breaks.map((name) => name.split(':')[0])));
  const unbroken = rows(['MUST', 'SHOULD']).filter(
    (row) => !broken.has(row) && !(row in unbreakable),
  );
  expect(unbroken).toEqual([]);
  expect(Object.keys(unbreakable).filter((row) => broken.has(row))).toEqual([]);
});

/** Faults of the list, or of its key. */
const otherList =
  /^(auth\.other-header-models|outright\.models|models-|models\.|native\.|errors\.|input\.|credentials\.)/;

test.each(faults)('$id: the gateway starts and answers', async (fault) => {
  const gateway = await startReference({ defect: fault, tokenMs: 0, isSecure: false });
  try {
    const unanswered = /^outright\.models-(hangs|closes|ends)$/.test(fault.id);
    if (unanswered) return;
    const answer = get(`${gateway.regions[0]?.baseUrl}/v1/models`, bearer(gateway.keys.owner));
    if (otherList.test(fault.id)) await answer.catch(() => undefined);
    else expect((await answer).status).toBe(200);
    expect(gateway.requestCount()).toBe(1);
  } finally {
    await gateway.close();
  }
});
