import {
  assumeServed,
  type CallOptions,
  type Cell,
  check,
  checkEach,
  expect,
  type Io,
  idOf,
  type StoredOperationName,
  scenario,
  view,
} from '../../harness/index.ts';
import {
  deniedFor,
  type IndirectOperation,
  judgePoints,
  notReadFor,
  pointsFor,
} from '../scenarios/points/judged.ts';

/** What shows that the second region works: a stored response of its own. */
const secondHome = scenario(
  'access/regions/second-home',
  {
    needs: { model: { speaks: 'responses' }, regions: 2 },
    cost: { requests: 2, generations: 1 },
  },
  async (io) => {
    const created = await io.responses.create({ store: true }, there(io));
    const id = idOf(created);
    return { id, works: [created, await io.responses.lookup(id, there(io))] };
  },
);

const otherRegionWorks = view({ secondHome }, ({ secondHome: { works } }) => works);

checkEach('access/regions.other-region-denied', (operation: StoredOperationName) =>
  deniedFor('other-region', operation, 'ended', otherRegionWorks),
);

checkEach('access/regions.running-denied', (operation: StoredOperationName) =>
  deniedFor('other-region', operation, 'running', otherRegionWorks),
);

checkEach('access/regions.indirect-access-denied', (operation: IndirectOperation) =>
  notReadFor('other-region', operation, otherRegionWorks),
);

check(
  'access/regions.original-region-served',
  { none: pointsFor.none, otherRegionWorks },
  ({ none }) =>
    judgePoints(none, isNamedByRegions, ({ attempt, made }) => {
      assumeServed(made.created);
      expect(attempt).toBeServed();
    }),
);

/** Each region looks up and continues what it created. */
function isNamedByRegions({ operation, requestMode, mode }: Cell): boolean {
  const plain = operation === 'lookup' ? requestMode === 'path' : operation === 'continue';
  return plain && mode === 'one-body';
}

function there({ otherRegion: region }: Io): CallOptions {
  return { region };
}
