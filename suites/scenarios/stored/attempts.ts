import {
  baseUrlOf,
  type CallOptions,
  type Captures,
  type Exchange,
  each,
  expect,
  type Io,
  type Needs,
  protocolModules,
  type Scenario,
  type StoredOperation,
  type StoredOperationName,
  scenario,
  storedOperations,
  type Target,
} from '../../../harness/index.ts';
import { callLimitAt } from '../generations/tool-calls.ts';
import { expectNotServed, finalAnswer } from '../requests/accepted-requests.ts';
import { expectStillRunning } from '../running/background-runs.ts';
import { served } from './served-operations.ts';
import type { Subject } from './stored-responses.ts';

/** One operation, as it was tried on a response. */
export interface Attempt extends Subject {
  readonly operation: StoredOperation;
  readonly attempt: Exchange;
  /** Attempts in other forms, if there are any. */
  readonly besides: readonly Exchange[];
  /** Exchanges that have to be served before a refusal of the attempt says anything. */
  readonly controls: readonly Exchange[];
  /** Lookups by the owner in the original region just before and after; null if it finds nothing. */
  readonly owner: OwnersLookups | null;
  /** Base URL of the region that made it, where it is no answer to be sent there. */
  readonly home: string | undefined;
}

export interface OwnersLookups {
  readonly before: Exchange;
  readonly after: Exchange;
}

export interface Attempts {
  /** Begins the names of the scenarios: `access/owners/other-user`. */
  readonly name: string;
  /**
   * Returns the response that an operation is tried on: one of its own if the attempt might change it, or
   * if its model matters.
   */
  readonly subject: (operation: StoredOperation) => Captures<Subject>;
  /** Key and region of the attempts. Default: the owner, through the first region. */
  readonly as?: (io: Io) => CallOptions;
  /** Keys and regions of `as`. */
  readonly needs?: Omit<Needs, 'model'>;
  /** Exchanges that have to be served, such as what the one who tries may do. */
  readonly controls?: Captures<readonly Exchange[]>;
  /**
   * Key and region of the owner's lookups that show that nothing has changed. Default: the owner finds
   * nothing, either.
   */
  readonly owner?: (io: Io) => CallOptions;
  /** The one who tries may be sent to the region that made it: nothing is served through another one. */
  readonly maySendHome?: boolean;
  /** Key and region of lookups of a run that was accepted. Default: those of the attempts. */
  readonly looks?: (io: Io) => CallOptions;
  /** The one who tries is served: other forms of a continuation would only cost more. */
  readonly isServed?: boolean;
}

/** The owner of a response, through the first region. */
const firstRegion = (): CallOptions => ({});

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
  const { name, as = firstRegion, needs = {}, owner, looks = as, isServed = false } = these;
  const otherForms = operation.name === 'continue' && !isServed ? 3 : 0;
  const lookups = owner === undefined ? 0 : 2;
  const stops = owner !== undefined && mayStop(operation) ? 1 : 0;
  return scenario(
    `${name}/${operation.name}`,
    {
      needs,
      after: prerequisites(operation, these),
      cost: (target) => ({
        requests: 1 + otherForms + lookups + stops,
        generations: isServed && operation.generates ? 1 : 0,
        refused: !isServed && operation.generates ? 1 + otherForms : 0,
        // One form of a continuation forces a call, whose output limit is higher.
        ...(operation.generates ? { outputTokens: callLimitAt(target) } : {}),
      }),
    },
    async (io, { subject: { id, secret }, control, controls: able = [] }) => {
      const { responses } = io;
      const lookUp = async () => owner && (await responses.lookup(id, owner(io)));
      const before = await lookUp();
      const [attempt, besides] = await Promise.all([
        operation.perform(responses, id, as(io)),
        otherForms > 0 ? continueInOtherForms(io, id, as(io), looks(io)) : [],
      ]);
      const after = await lookUp();
      // Nobody waits for the rest of it, and the user pays.
      if (stops > 0) await responses.cancel(id, owner?.(io));
      return {
        ...{ operation, attempt, besides, id, secret, controls: [control.served, ...able] },
        owner: before && after ? { before, after } : null,
        home: homeOf(these, io),
      };
    },
  );
}

/** Returns the prerequisites of an attempt: its subject, and exchanges that have to be served. */
function prerequisites(operation: StoredOperation, { subject, controls }: Attempts) {
  return {
    subject: subject(operation),
    control: served[operation.name],
    ...(controls === undefined ? {} : { controls }),
  };
}

/** True if the operation is tried on a running response. */
function mayStop({ background, changes }: StoredOperation): boolean {
  return background && changes;
}

/** The region that made a response, where it is no answer to be sent there. */
function homeOf({ maySendHome, owner }: Attempts, io: Io): string | undefined {
  return maySendHome === true ? regionThrough(owner?.(io) ?? {}, io.target) : undefined;
}

/** Returns the base URL of the region that a call goes through. */
export function regionThrough({ region }: CallOptions, target: Target): string | undefined {
  const { regions } = target;
  const through = regions.find(({ name }) => name === region) ?? regions[0];
  return through === undefined ? undefined : baseUrlOf('responses', through, target);
}

/**
 * A continuation in every form but the plain one, of a response that may not be continued: as a stream,
 * in the background, with a tool.
 *
 * @param looks who looks up what was accepted to run later
 */
function continueInOtherForms(
  io: Io,
  previous_response_id: string,
  as: CallOptions,
  looks: CallOptions,
): Promise<readonly Exchange[]> {
  const body = { previous_response_id };
  const [stream, background, tool] = [io.lane('stream'), io.lane('background'), io.lane('tool')];
  const inBackground = async () => {
    const asked = await background.responses.create({ ...body, background: true, store: true }, as);
    return finalAnswer(background, asked, looks);
  };
  return Promise.all([
    stream.responses.stream(body, as),
    inBackground(),
    tool.responses.create(
      {
        ...protocolModules.responses.tools.forcedCall(undefined, tool.callQuestion()),
        ...body,
      },
      as,
    ),
  ]);
}

/** Judges an attempt: it was denied, shows nothing of the stored content, and changed nothing. */
export function expectDenied(attempted: Attempt): void {
  const { operation, attempt, besides, secret, controls, owner, home } = attempted;
  if (owner !== null && mayStop(operation)) {
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
