import { contentOf, type Io, idOf, isServed, scenario } from '../../../harness/index.ts';
import { baseline, limitOf, lookupControl, readable } from '../baselines.ts';
import { present } from '../exchanges.ts';
import { clientForms, costOf, sendInForms } from '../requests/request-forms.ts';
import { continued, served } from './served-operations.ts';
import { continuedOnce } from './stored-responses.ts';

/** A third turn, whose short prompt asks for more text than its limit allows. */
export const chain = scenario(
  'stored/chain-of-three',
  {
    after: { two: continued },
    cost: {
      ...costOf(clientForms.first, { requests: 1, generations: 1 }),
      continues: 1 + clientForms.first.length,
    },
  },
  async (io, { two: { first, second } }) => {
    const body = { ...lastTurn(io), previous_response_id: idOf(second) };
    const { clients, answer: last } = await sendInForms(io, clientForms.first, (as) =>
      io.responses.create(body, as),
    );
    const limit = io.target.limits.maxOutputTokens;
    return { turns: [first.created, second, last], second, last, clients, limit };
  },
);

/** Returns a turn so short that a gateway which drops the earlier turns shows by its count. */
function lastTurn({ target }: Io) {
  const limit = target.limits.maxOutputTokens;
  return { input: `Go on for ${4 * limit} words.`, max_output_tokens: limit, store: true };
}

/** Continues the second turn twice more at once, the second time as a stream if it can. The served one is the branch. */
export const branched = scenario(
  'stored/branched',
  { after: { chain }, cost: { requests: 2, generations: 2, continues: 2, chain: 1 } },
  async (io, { chain: { second, last } }) => {
    const body = { ...lastTurn(io), previous_response_id: idOf(second) };
    const { responses: twin } = io.lane('twin');
    const streams = io.model.supports.includes('stream:responses');
    const atOnce = await Promise.all([
      io.responses.create(body),
      streams ? twin.stream(body) : twin.create(body),
    ]);
    const [branch] = atOnce.toSorted(
      (one, other) => Number(isServed(other)) - Number(isServed(one)),
    );
    return { second, last, branch: present(branch, 'branch'), atOnce, streams };
  },
);

/** Deletes a branch of a chain, and looks up the turn that it continued. */
export const branchDeleted = scenario(
  'storage/branch-deleted',
  {
    after: { branched, found: served.lookup },
    cost: costOf(clientForms.withoutBody, { requests: 2, generations: 0 }),
  },
  async (io, { branched: { second, branch }, found }) => {
    const id = idOf(branch);
    const { clients, answer: deletion } = await sendInForms(io, clientForms.withoutBody, (as) =>
      io.responses.delete(id, as),
    );
    const parent = await io.responses.lookup(idOf(second));
    return { id, deletion, clients, parent, controls: [second, found.served] };
  },
);

/** Deletes a response that was continued, and continues the continuation. */
export const deletedParent = scenario(
  'storage/deleted',
  {
    after: {
      continuedOnce,
      gone: baseline.delete,
      lookupControl,
      control: baseline['input-items'],
    },
    cost: { requests: 4, generations: 1, continues: 1 },
  },
  async (io, { continuedOnce: made, gone, lookupControl: { baseline: before, id }, control }) => {
    const { responses } = io;
    const other = await responses.lookup(present(id, 'id'));
    const childId = contentOf(made.child).id;
    // Without a child, the deletion itself can still be judged.
    const after =
      childId === null
        ? null
        : {
            child: await responses.lookup(childId),
            items: await responses.inputItems(childId),
            next: await responses.create({ previous_response_id: childId, store: true }),
          };
    const { baseline: deletion, secret } = gone;
    return { ...made, secret, before, deletion, other, after, itemsControl: control.baseline };
  },
);

/** A compact call that continues a stored response. */
export const compactedOn = scenario(
  'metering/compact-continued',
  {
    needs: { model: { speaks: 'responses', supports: ['compact'] } },
    after: { first: readable },
    cost: {
      ...costOf(clientForms.first, { requests: 1, generations: 1 }),
      continues: 1 + clientForms.first.length,
      ...limitOf('compact'),
    },
  },
  (io, { first: { id } }) => {
    const body = { input: io.sentence(), previous_response_id: id };
    return sendInForms(io, clientForms.first, (as) => io.responses.compact(body, as));
  },
);
