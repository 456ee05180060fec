import {
  answerOf,
  assumeServed,
  type CallOptions,
  type Cell,
  check,
  contentOf,
  expect,
  type Io,
  scenario,
  view,
} from '../../harness/index.ts';
import {
  checkDenied,
  checkNotRead,
  judgePoints,
  madeInOneBody,
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
    const id = contentOf(created).id;
    if (id !== null) return { works: [created, await io.responses.lookup(id, there(io))] };
    // No source says that every region has every model, but a region has to have the models that it lists.
    const list = await io.lists.list(there(io));
    const lists = JSON.stringify(answerOf(list).value ?? null).includes(
      JSON.stringify(io.model.id),
    );
    return { works: lists ? [created] : [list] };
  },
);

const otherRegionWorks = view({ secondHome }, ({ secondHome: { works } }) => works);

checkDenied('access/regions.other-region-denied', ['other-region'], otherRegionWorks);

checkDenied('access/regions.running-denied', ['other-region'], otherRegionWorks);

checkNotRead('access/regions.indirect-access-denied', 'other-region', otherRegionWorks);

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
