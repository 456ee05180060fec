import {
  type CallOptions,
  type Exchange,
  each,
  ending,
  expect,
  expectValue,
  Inconclusive,
  type Io,
  present,
  type Scenario,
  scenario,
} from '../../../harness/index.ts';
import type { Attempt } from '../stored/attempts.ts';
import { served } from '../stored/served-operations.ts';
import { running } from './background-runs.ts';
import { endedTooSoon } from './long-runs.ts';

/** What can be done with a response that still runs, besides its cancel. */
export type OnRunning = (typeof onRunning)[number];

const onRunning = ['lookup', 'input-items', 'recover', 'delete'] as const;

/** Each of them, tried while the response ran. */
export interface WhileRunning {
  readonly tried: Readonly<Record<OnRunning, Exchange>>;
  /** What the owner found after the deletion. */
  readonly afterDelete: Exchange;
}

/** Tries what only reads. A recovery that is served would go on as long as the run. */
export async function tryToRead(
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

/** And then the deletion: what it stops, nobody could read any more. */
export async function tryToDelete(
  io: Io,
  id: string,
  as: CallOptions,
  read: Omit<WhileRunning['tried'], 'delete'>,
): Promise<WhileRunning> {
  const deletion = await io.lane('delete').responses.delete(id, as);
  return { tried: { ...read, delete: deletion }, afterDelete: await io.responses.lookup(id) };
}

export interface TriedWhileRunning {
  readonly attempt: Exchange;
  readonly secret: string;
  readonly controls: readonly Exchange[];
  /** The owner's lookup before it was tried; and after, where it might have changed something. */
  readonly before: Exchange;
  readonly after: Exchange | null;
  /** Where it is no answer to be sent to. */
  readonly home: string | undefined;
}

/** Each of them as what was tried on a run, beside its control. */
export function whileRunning(
  run: Scenario<Attempt>,
): Readonly<Record<OnRunning, Scenario<TriedWhileRunning>>> {
  return each(onRunning, (name) =>
    scenario(
      `${run.name}/${name}-while-running`,
      { after: { run, control: served[name] }, cost: { requests: 0, generations: 0 } },
      async (_, { run: { secret, owner, able, whileRunning, home }, control }) => {
        const { before, after } = present(owner, 'lookups by the owner');
        const { tried, afterDelete } = present(whileRunning, 'attempts on a run');
        const stops = name === 'delete';
        // The cancel was tried first: what it stopped, no deletion has.
        if (stops && ending(after) === 'cancelled') {
          throw new Inconclusive('the run was stopped before its deletion was tried', after);
        }
        return {
          attempt: tried[name],
          secret,
          controls: [control.served, ...able, ...(stops ? [after] : [])],
          before,
          after: stops ? afterDelete : null,
          home,
        };
      },
    ),
  );
}

/** Judges one of them: it was denied, shows nothing of the stored content, and the run goes on. */
export function expectDeniedWhileRunning(tried: TriedWhileRunning): void {
  const { attempt, secret, controls, before, after, home } = tried;
  expect(attempt).toBeDenied({ secret: [secret], control: [...controls, before], home });
  if (after === null) assumeRunning(before);
  else expectStillRunning({ before, after });
}

/** A run goes on by itself, so all that can be said is that the attempt did not cancel it. */
export function expectStillRunning({
  before,
  after,
}: {
  readonly before: Exchange;
  readonly after: Exchange;
}): void {
  assumeRunning(before);
  expect(after).toBeServed();
  expectValue(ending(after), { as: 'status', of: after }).toBe(
    'as before the attempt, or what the run came to by itself',
    (status) => status !== 'cancelled',
  );
}

function assumeRunning(lookup: Exchange): void {
  if (!running.includes(ending(lookup))) throw new Inconclusive(endedTooSoon, lookup);
}
