import {
  type CallOptions,
  type Exchange,
  ending,
  expect,
  Inconclusive,
  type Io,
  type Scenario,
  type StoredOperationName,
  scenario,
  storedOperations,
} from '../../harness/index.ts';
import { assumeRunning, expectStillRunning } from '../scenarios/running/background-runs.ts';
import {
  type Attempt,
  type Attempts,
  attempts,
  homeOf,
  type OwnersLookups,
  prerequisites,
} from '../scenarios/stored/attempts.ts';

/** What can be done with a response that still runs, besides its cancel. */
export type RunningOperation = 'lookup' | 'input-items' | 'recover' | 'delete';

/** The cancel of a response, and what else was tried while it ran. */
export interface WhileRunning extends Attempt {
  readonly tried: Readonly<Record<RunningOperation, Exchange>>;
  readonly owner: OwnersLookups;
  /** What the owner found after the deletion. */
  readonly afterDelete: Exchange;
  /** Exchanges that show what the one who tries may do. */
  readonly able: readonly Exchange[];
}

/** Each operation on a response that its owner finds; of one that runs, all of them and not only its cancel. */
export function attemptsAlsoWhileRunning(
  these: Attempts & Required<Pick<Attempts, 'as' | 'owner'>>,
): Readonly<Record<StoredOperationName, Scenario<Attempt>>> & {
  readonly cancel: Scenario<WhileRunning>;
} {
  return { ...attempts(these), cancel: whileRunning(these) };
}

function whileRunning(
  these: Attempts & Required<Pick<Attempts, 'as' | 'owner'>>,
): Scenario<WhileRunning> {
  const { name, needs = {}, as, owner } = these;
  const operation = storedOperations.cancel;
  return scenario(
    `${name}/cancel`,
    { needs, after: prerequisites(operation, these), cost: { requests: 9, generations: 0 } },
    async (io, { subject: { id, secret }, control, controls: able = [] }) => {
      const { responses } = io;
      const before = await responses.lookup(id, owner(io));
      const [attempt, read] = await Promise.all([
        responses.cancel(id, as(io)),
        tryToRead(io, id, as(io)),
      ]);
      const after = await responses.lookup(id, owner(io));
      // Last: what it stops, nobody could read any more.
      const deletion = await io.lane('delete').responses.delete(id, as(io));
      const afterDelete = await responses.lookup(id, owner(io));
      // Nobody waits for the rest of it, and the user pays.
      await responses.cancel(id, owner(io));
      return {
        ...{
          operation,
          attempt,
          besides: [],
          id,
          secret,
          controls: [control.served, ...able],
          able,
        },
        ...{ owner: { before, after }, tried: { ...read, delete: deletion }, afterDelete },
        home: homeOf(these, io),
      };
    },
  );
}

/** Tries what only reads. A recovery that is served would go on as long as the run. */
async function tryToRead(
  io: Io,
  id: string,
  as: CallOptions,
): Promise<Omit<WhileRunning['tried'], 'delete'>> {
  const [items, events] = [io.lane('items'), io.lane('events')];
  const [lookup, inputItems, recover] = await Promise.all([
    io.lane('lookup').responses.lookup(id, as),
    items.responses.inputItems(id, {}, as),
    events.responses.recover(id, { startingAfter: 0 }, { ...as, cut: { events: 1 } }),
  ]);
  return { lookup, 'input-items': inputItems, recover };
}

/**
 * Judges one of them: it was denied, shows nothing of the stored content, and the run goes on.
 *
 * @param control the same operation, done by an owner
 */
export function expectDeniedWhileRunning(
  operation: RunningOperation,
  run: WhileRunning,
  control: Exchange,
): void {
  const { tried, secret, able, afterDelete, home } = run;
  const { before, after } = run.owner;
  const attempt = tried[operation];
  if (operation !== 'delete') {
    expect(attempt).toBeDenied({ secret: [secret], control: [control, ...able, before], home });
    assumeRunning(before);
    return;
  }
  // The cancel was tried first: what it stopped, no deletion has.
  if (ending(after) === 'cancelled') {
    throw new Inconclusive('the run was stopped before its deletion was tried', after);
  }
  const controls = [control, ...able, after, before];
  expect(attempt).toBeDenied({ secret: [secret], control: controls, home });
  expectStillRunning({ before, after: afterDelete });
}
