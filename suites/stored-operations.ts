import {
  type CallOptions,
  type Exchange,
  each,
  ending,
  expect,
  expectValue,
  Inconclusive,
  type Io,
  type Needs,
  type Scenario,
  type StoredOperation,
  type StoredOperationName,
  scenario,
  storedOperations,
} from '../harness/index.ts';
import { endedTooSoon } from './long-runs.ts';
import { served } from './served-operations.ts';
import type { Subject } from './stored-responses.ts';

/** One operation, as it was tried on a response. */
export interface Attempt extends Subject {
  readonly operation: StoredOperation;
  readonly attempt: Exchange;
  /** Exchanges that have to be served before a refusal of the attempt says anything. */
  readonly controls: readonly Exchange[];
  /** What the owner found in the original region, just before and after; null where it finds nothing. */
  readonly owner: { readonly before: Exchange; readonly after: Exchange } | null;
}

export interface Attempts {
  /** Begins the names of the scenarios: `rules/owners/other-user`. */
  readonly name: string;
  /**
   * What an operation is tried on. For one that the owner finds afterwards, make it with
   * `readableFor`, or with `storedFor` where the attempt might change it or its model matters.
   */
  readonly subject: (operation: StoredOperation) => Scenario<Subject>;
  /** Who tries, and through which region. Default: the owner, through the first. */
  readonly as?: (io: Io) => CallOptions;
  /** Keys and regions of `as`. */
  readonly needs?: Omit<Needs, 'model'>;
  /** The owner finds the response: it looks before and after that nothing has changed. */
  readonly ownerFindsIt?: boolean;
  /** Further exchanges that have to be served, such as what the one who tries may do. */
  readonly controls?: Scenario<readonly Exchange[]>;
}

/**
 * Each operation on a response, tried where it may not work: by another key, through another region,
 * on a response that is not there. Beside each goes the control: the owner of a response of the same
 * kind does the same in the region that created it, once in a run.
 */
export function attempts(
  these: Attempts,
): Readonly<Record<StoredOperationName, Scenario<Attempt>>> {
  return each(storedOperationNames, (name) => attemptOf(storedOperations[name], these));
}

const storedOperationNames = Object.keys(storedOperations) as StoredOperationName[];

function attemptOf(operation: StoredOperation, these: Attempts): Scenario<Attempt> {
  const { name, subject, as = () => ({}), needs = {}, ownerFindsIt = false, controls } = these;
  const runs = operation.background && operation.changes;
  return scenario(
    `${name}/${operation.name}`,
    {
      needs,
      after: {
        subject: subject(operation),
        control: served[operation.name],
        ...(controls === undefined ? {} : { controls }),
      },
      cost: { requests: ownerFindsIt ? 4 : 1, generations: operation.generates ? 1 : 0 },
    },
    async (io, { subject: { id, secret }, control, controls = [] }) => {
      const { responses } = io;
      const before = ownerFindsIt ? await responses.lookup(id) : null;
      const attempt = await operation.perform(responses, id, as(io));
      const after = ownerFindsIt ? await responses.lookup(id) : null;
      // Nobody waits for the rest of it, and the user pays.
      if (ownerFindsIt && runs) await responses.cancel(id);
      const owner = before === null || after === null ? null : { before, after };
      return { operation, attempt, id, secret, controls: [control.served, ...controls], owner };
    },
  );
}

/** Judges an attempt: it was denied, shows nothing of the stored content, and changed nothing. */
export function expectDenied({ operation, attempt, secret, controls, owner }: Attempt): void {
  if (owner !== null && operation.background && operation.changes) {
    expect(attempt).toBeDenied({ secret: [secret], control: [...controls, owner.before] });
    expectStillRunning(owner);
    return;
  }
  expect(attempt).toBeDenied({
    secret: [secret],
    control: controls,
    ...(owner === null ? {} : { owner }),
  });
}

/** A run goes on by itself, so all that can be said is that the attempt did not cancel it. */
function expectStillRunning({ before, after }: { before: Exchange; after: Exchange }): void {
  if (!['queued', 'in_progress'].includes(ending(before) ?? '')) {
    throw new Inconclusive(endedTooSoon, before);
  }
  expect(after).toBeServed();
  expectValue(ending(after), { as: 'status', of: after }).toBe(
    'as before the attempt, or what the run came to by itself',
    (status) => status !== 'cancelled',
  );
}
