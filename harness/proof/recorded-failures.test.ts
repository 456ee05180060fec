import { expect, test } from 'vitest';
import { formatRecorded, parseRecorded, recordedFile, updated } from './recorded-failures.ts';

const faults = [
  { id: 'area.second', breaks: ['s/a.c:x'] },
  { id: 'area.first', breaks: ['s/a.b'] },
  { id: 'area.third', breaks: ['s/a.b'] },
];
const checks = ['s/a.b', 's/a.c:x', 's/a.c:y', 's/a.c:z', 's/d.e:1', 's/d.e:2', 's/d.e:3'];

const recorded = new Map([
  [
    'area.second',
    { always: new Set(['s/a.c:z', 's/a.c:y', 's/a.b']), sometimes: new Map<string, string>() },
  ],
  [
    'area.first',
    {
      always: new Set(['s/d.e:3', 's/d.e:1']),
      sometimes: new Map([
        ['s/a', 'the first lookup is served'],
        ['s/f', 'the first lookup is served'],
      ]),
    },
  ],
  ['area.third', { always: new Set<string>(), sometimes: new Map<string, string>() }],
]);

const blocks = `
area.first
  s/d.e:1,3
  ~ s/a s/f  # the first lookup is served

area.second
  s/a.b
  s/a.c:*
`;

test('faults are sorted, and the values of a row stand on one line', () => {
  expect(formatRecorded(recorded, faults, checks).replace(/^#.*\n/gm, '')).toBe(blocks);
});

test('what is written is read again', () => {
  const read = parseRecorded(formatRecorded(recorded, faults, checks), faults, checks);
  expect(read.get('area.first')).toEqual(recorded.get('area.first'));
  expect(read.get('area.second')).toEqual(recorded.get('area.second'));
  expect([...read.keys()]).toEqual(['area.first', 'area.second']);
});

test('all values of a row are those that the catalogue has now', () => {
  const more = [...checks, 's/a.c:new'];
  expect(parseRecorded(blocks, faults, more).get('area.second')?.always).toContain('s/a.c:new');
});

test('a name that is no longer in the catalogue is kept, so that it is missed', () => {
  const read = parseRecorded('area.first\n  s/gone.row:*\n  s/gone.id\n', faults, checks);
  expect([...(read.get('area.first')?.always ?? [])]).toEqual(['s/gone.row:*', 's/gone.id']);
});

test('a line that means nothing is an error, and so is a ~ without a reason', () => {
  for (const text of [
    '  s/a.b\n',
    'area.first\n  ~ s/a.b\n',
    'area.first\n  s/a.b # why\n',
    '~ s/a  # why\n',
  ]) {
    expect(() => parseRecorded(text, faults, checks)).toThrow(recordedFile);
  }
});

test('an update takes over what was judged, and keeps the rest', () => {
  const found = { id: 'area.second', failed: ['s/d.e:1'], kept: ['s/a.c:y', 's/d.e:2'] };
  const { always } = updated(recorded, [found]).get('area.second') ?? {};
  expect([...(always ?? [])].toSorted()).toEqual(['s/a.c:y', 's/d.e:1']);
});

test('an update keeps what fails in some runs only, and records it as nothing else', () => {
  const found = { id: 'area.first', failed: ['s/a.c:x', 's/d.e:2'], kept: [] };
  const now = updated(recorded, [found]).get('area.first');
  expect([...(now?.always ?? [])]).toEqual(['s/d.e:2']);
  expect(now?.sometimes).toEqual(recorded.get('area.first')?.sometimes);
  expect(updated(recorded, [found]).get('area.second')).toBe(recorded.get('area.second'));
});
