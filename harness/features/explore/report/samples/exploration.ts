import type { Citation } from '../../../../kernel/core/requirement.ts';
import { hostile } from '../../../../kernel/report/samples/hostile.ts';
import type { Exploration, ToldAct, ToldFind } from '../exploration.ts';

const act = (label: string, what: string, more: Partial<ToldAct> = {}): ToldAct => ({
  ...{ label, step: Number.parseInt(label, 10), actor: 'owner', region: 'eu', what },
  ...{ came: 'served, 200', required: { outcome: 'served', clause: 'END-1' }, shows: false },
  ...{ exchange: `explore/3-2-shorter-4#${label}/0`, began: 0, ended: 10 },
  ...more,
});

const clause: Citation = {
  ...{ id: 'STORE-11', kind: 'clause', text: 'A deleted response can no longer be looked up.' },
  link: 'fixtures/specification.md#store-11',
};

/** Acts with two keys, two regions and concurrent acts, of which one was not sent. */
const sampleActs: readonly ToldAct[] = [
  act('1', 'create with m-1, background-stream, stored'),
  act('2a', 'delete of 1, by path', { began: 30, ended: 60, exchange: 's#2/0' }),
  act('2b', 'lookup of 1, by path', {
    ...{ actor: 'otherUser', came: 'refused, 404', began: 32, ended: 45, exchange: 's#3/0' },
    required: { outcome: 'denied', clause: 'AUTH-8' },
  }),
  act('2c', 'continue 9 with m-1, one-body, stored', {
    came: 'not sent',
    exchange: null,
    required: null,
  }),
  act('3', 'lookup of 1, by stream', {
    ...{ region: 'us', began: 2_070, ended: 2_075, shows: true, exchange: 's#5/0' },
    required: { outcome: 'denied', clause: 'STORE-11' },
  }),
];

const find: ToldFind = {
  ...{ kind: 'lookup that has to be denied', level: 'MUST', source: clause },
  row: { id: 'storage/deletion.denies-afterwards:lookup', text: 'What is deleted is gone.' },
  ...{
    expected: 'denied',
    actual: 'an answer that shows stored content',
    times: 3,
    again: { times: 4, tries: 4 },
  },
  ...{ foundIn: 3, foundActs: 24, cut: false, acts: sampleActs, script: '#!/bin/sh\ncurl x\n' },
};

/** Returns an exploration with one find. */
export function sampleExploration(more: Partial<Exploration> = {}): Exploration {
  return {
    suiteVersion: '1.2.3',
    specification: { revision: 1, date: '2025-01-01', sha256: '0'.repeat(64) },
    target: { name: 'staging', regions: ['eu', 'us'] },
    startedAt: '2025-01-02T03:04:05.000Z',
    durationMs: 12_345,
    seed: 42,
    verdict: 'broken',
    incomplete: null,
    ...{ histories: 40, decided: 40, acts: 900, undecided: 2, requests: 1_000, generations: 120 },
    finds: [find],
    sources: [clause, { ...clause, id: 'AUTH-8' }, { ...clause, id: 'END-1' }],
    ...more,
  };
}

/** Returns an exploration in which every text of a gateway or a target file tries to inject markup into the page. */
export function hostileExploration(): Exploration {
  const acts = sampleActs.map((one) => ({
    ...one,
    ...{ actor: hostile, region: hostile, what: hostile, came: hostile },
  }));
  const attacked: ToldFind = {
    ...{ ...find, kind: hostile, expected: hostile, actual: hostile, acts, script: hostile },
    source: { id: 'x', kind: 'document', text: hostile, link: 'javascript:alert(1)' },
    level: 'SHOULD',
    times: 0,
  };
  return sampleExploration({
    target: { name: hostile, regions: [hostile] },
    incomplete: hostile,
    finds: [find, attacked],
  });
}
