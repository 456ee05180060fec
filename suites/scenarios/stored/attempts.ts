import {
  type CallOptions,
  type Exchange,
  each,
  expect,
  type Io,
  type Needs,
  type Scenario,
  type StoredOperation,
  type StoredOperationName,
  scenario,
  storedOperations,
  type Target,
} from '../../../harness/index.ts';
import { expectNotServed } from '../requests/accepted-requests.ts';
import {
  expectStillRunning,
  tryToDelete,
  tryToRead,
  type WhileRunning,
} from '../running/attempts-while-running.ts';
import { continuationAttempts } from './continuation-attempts.ts';
import { served } from './served-operations.ts';
import type { Subject } from './stored-responses.ts';

/** One operation, as it was tried on a response. */
export interface Attempt extends Subject {
  readonly operation: StoredOperation;
  readonly attempt: Exchange;
  /** Exchanges that have to be served before a refusal of the attempt says anything. */
  readonly controls: readonly Exchange[];
  /** Those of them that show what the one who tries may do. */
  readonly able: readonly Exchange[];
  /** The same in other forms, where there are any. */
  readonly besides: readonly Exchange[];
  /** What the owner found in the original region, just before and after; null where it finds nothing. */
  readonly owner: { readonly before: Exchange; readonly after: Exchange } | null;
  /** Base URL of the region that made it, where it is no answer to be sent there. */
  readonly home: string | undefined;
  /** What else was tried on a response that ran; null where none did. */
  readonly whileRunning: WhileRunning | null;
}

export interface Attempts {
  /** Begins the names of the scenarios: `access/owners/other-user`. */
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
  /** The one who tries is served: nothing is tried that would then cost more. */
  readonly isServed?: boolean;
  /** Who looks up what was accepted to run later. Default: who tries. */
  readonly looks?: (io: Io) => CallOptions;
  /** The owner finds the response: it looks before and after that nothing has changed. */
  readonly ownerFindsIt?: boolean;
  /** Through which region the owner finds it. Default: the first. */
  readonly home?: (io: Io) => CallOptions;
  /** The one who tries may be sent to the region that made it: nothing is served through another one. */
  readonly maySendHome?: boolean;
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
  const { isServed = false, looks = as, home = () => ({}), maySendHome = false } = these;
  const runs = ownerFindsIt && operation.background && operation.changes;
  // What was made in another region is tried in one way only.
  const furtherOnRun = runs && !isServed && these.home === undefined;
  const inOtherForms = operation.name === 'continue' && !isServed;
  const more = (ownerFindsIt ? 3 : 0) + (furtherOnRun ? 5 : 0) + (inOtherForms ? 3 : 0);
  return scenario(
    `${name}/${operation.name}`,
    {
      needs,
      after: {
        subject: subject(operation),
        control: served[operation.name],
        ...(controls === undefined ? {} : { controls }),
      },
      cost: { requests: 1 + more, generations: operation.generates ? 1 : 0 },
    },
    async (io, { subject: { id, secret }, control, controls: able = [] }) => {
      const { responses } = io;
      const before = ownerFindsIt ? await responses.lookup(id, home(io)) : null;
      const [attempt, besides, read] = await Promise.all([
        operation.perform(responses, id, as(io)),
        inOtherForms ? continuationAttempts(io, id, as(io), looks(io)) : [],
        furtherOnRun ? tryToRead(io, id, as(io)) : null,
      ]);
      const after = ownerFindsIt ? await responses.lookup(id, home(io)) : null;
      const whileRunning = read === null ? null : await tryToDelete(io, id, as(io), read);
      // Nobody waits for the rest of it, and the user pays.
      if (runs) await responses.cancel(id, home(io));
      const owner = before === null || after === null ? null : { before, after };
      const controls = [control.served, ...able];
      return {
        ...{ operation, attempt, besides, id, secret, controls, able, owner, whileRunning },
        home: maySendHome ? baseUrlOf(home(io), io.target) : undefined,
      };
    },
  );
}

/** Of the region that a call goes through. */
export function baseUrlOf({ region }: CallOptions, { regions }: Target): string | undefined {
  const through = regions.find(({ name }) => name === region) ?? regions[0];
  return through?.baseUrl;
}

/** Judges an attempt: it was denied, shows nothing of the stored content, and changed nothing. */
export function expectDenied(attempted: Attempt): void {
  const { operation, attempt, besides, secret, controls, owner, home } = attempted;
  if (owner !== null && operation.background && operation.changes) {
    expect(attempt).toBeDenied({ secret: [secret], control: [...controls, owner.before], home });
    expectStillRunning(owner);
    return;
  }
  expect(attempt).toBeDenied({
    secret: [secret],
    control: controls,
    home,
    ...(owner === null ? {} : { owner }),
  });
  for (const one of besides) expectNotServed(one, controls, [secret]);
}
