import {
  answerId,
  assumeServed,
  type CallOptions,
  type Cell,
  check,
  checkEach,
  expect,
  type Io,
  jsonBody,
  type StoredOperationName,
  scenario,
  view,
} from '../../harness/index.ts';
import {
  denied,
  type IndirectOperation,
  judgePoints,
  madeInOneBody,
  notRead,
  pointsFor,
} from '../scenarios/points/judged.ts';

/** Control that shows that the second region works: a stored response of the design, or one more. */
const secondHome = scenario(
  'access/regions/second-home',
  {
    needs: { model: { speaks: 'responses' }, regions: 2 },
    after: { madeInOneBody },
    cost: { requests: 2, spare: 2, generations: 0, fallback: 1 },
  },
  async (io, { madeInOneBody }) => {
    const known = madeInOneBody.find(({ region }) => region === io.otherRegion);
    if (known !== undefined) return { works: [known.created, known.seen] };
    const created = await io.responses.create({ store: true }, there(io));
    const id = answerId(created);
    if (id !== null) return { works: [created, await io.responses.lookup(id, there(io))] };
    // No source says that every region has every model, but a region has to have the models that it lists.
    const list = await io.lists.list(there(io));
    const lists = JSON.stringify(jsonBody(list) ?? null).includes(JSON.stringify(io.model.id));
    return { works: lists ? [created] : [list] };
  },
);

const otherRegionWorks = view({ secondHome }, ({ secondHome: { works } }) => works);

checkEach('access/regions.other-region-denied', (operation: StoredOperationName) =>
  denied(operation, {
    id: `access/regions.other-region-denied:${operation}`,
    reasons: ['other-region'],
    able: otherRegionWorks,
  }),
);

checkEach('access/regions.running-denied', (operation: StoredOperationName) =>
  denied(operation, {
    id: `access/regions.running-denied:${operation}`,
    reasons: ['other-region'],
    able: otherRegionWorks,
  }),
);

checkEach('access/regions.indirect-access-denied', (operation: IndirectOperation) =>
  notRead(operation, {
    id: `access/regions.indirect-access-denied:${operation}`,
    reasons: ['other-region'],
    able: otherRegionWorks,
  }),
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

/** True for the acts that the regions requirements name: lookup and continuation of a region's own responses. */
function isNamedByRegions({ operation, requestMode }: Cell): boolean {
  return operation === 'lookup' ? requestMode === 'path' : operation === 'continue';
}

function there({ otherRegion: region }: Io): CallOptions {
  return { region };
}
