import { type Exchange, type ExchangeId, formatId } from '../../core/index.ts';
import { answeredAs, turnsOf } from '../../judge/index.ts';
import { generates, type OperationName, operationsOf } from '../../protocols/index.ts';
import { brokeUnanswered } from '../../wire/index.ts';
import { retryBounds } from './bounds.ts';
import { underWayAtExits } from './gateway-exits.ts';

/** Unanswered attempts that are needed before a check may fail for the missing answer. */
export const { tries } = retryBounds.unanswered;

/** Returns the text of the id of the first attempt of the same request. */
export function firstAttemptOf(id: ExchangeId): string {
  return formatId({ ...id, attempt: 1 });
}

const known = new WeakMap<Exchange, readonly OperationName[]>();

/** Returns the operations of a request, or of one turn of a socket. */
export function operationsIn(turn: Exchange): readonly OperationName[] {
  const operations = known.get(turn) ?? operationsOf(turn);
  known.set(turn, operations);
  return operations;
}

/** True if a gateway has to answer an operation with this key: another user has no stored response to act on. */
function isOpenTo(key: Exchange['about']['key'], operation: OperationName): boolean {
  if (key === 'owner' || key === 'sameUser') return true;
  return key === 'otherUser' && generates(operation) && !operation.includes('continuation');
}

/** Operations served and requests left unanswered, in one region or in all regions of a run. */
export class Answers {
  readonly turns: readonly Exchange[];
  readonly #served = new Set<OperationName>();
  /** Ordinary requests without an answer, by operation. */
  readonly unanswered = new Map<OperationName, Exchange[]>();
  #answered: ReadonlySet<string> | null = null;
  #ends: readonly (readonly Exchange[])[] | null = null;

  constructor(exchanges: readonly Exchange[], region: string | null) {
    const own = exchanges.filter(({ about }) => region === null || about.region === region);
    this.turns = own.flatMap(turnsOf);
    for (const turn of this.turns) {
      const came = answeredAs(turn);
      if (came === 'refused' || came === 'open') continue;
      for (const operation of operationsIn(turn)) {
        if (!isOpenTo(turn.about.key, operation)) continue;
        if (!gotNoAnswer(turn)) this.#served.add(operation);
        else this.unanswered.set(operation, [...(this.unanswered.get(operation) ?? []), turn]);
      }
    }
    // A request that was delayed or refused for a temporary reason may be served later.
    for (const operation of this.#served) this.unanswered.delete(operation);
  }

  get answered(): number {
    return this.turns.filter(isAnswered).length;
  }

  /** True if an attempt of the same request was answered. */
  wasAnswered({ id }: Exchange): boolean {
    this.#answered ??= new Set(this.turns.filter(isAnswered).map(({ id }) => firstAttemptOf(id)));
    return this.#answered.has(firstAttemptOf(id));
  }

  /** Share of connections that break by chance, among requests that were answered in the end. */
  get breakRate(): number {
    const attempts = this.turns.filter((turn) => this.wasAnswered(turn));
    return attempts.filter(brokeUnanswered).length / Math.max(1, attempts.length);
  }

  /** True if every unanswered attempt also belongs to another operation, which has more of them. */
  isPartOfAnother(operation: OperationName): boolean {
    const tried = this.unanswered.get(operation) ?? [];
    return [...this.unanswered].some(
      ([, others]) => others.length > tried.length && tried.every((turn) => others.includes(turn)),
    );
  }

  get #underWay(): readonly (readonly Exchange[])[] {
    this.#ends ??= underWayAtExits(this.turns);
    return this.#ends;
  }

  get ends(): number {
    return this.#underWay.length;
  }

  /** Returns the last turn of an operation in flight at each exit of the gateway. */
  atEnds(operation: OperationName): readonly Exchange[] {
    return this.#underWay.flatMap(
      (turns) => turns.findLast((turn) => operationsIn(turn).includes(operation)) ?? [],
    );
  }

  /** Returns `atEnds` if the operation was in flight at all exits, and these are `tries` or more. */
  atEveryEnd(operation: OperationName): readonly Exchange[] {
    const ends = this.atEnds(operation);
    return ends.length >= tries && ends.length === this.#underWay.length ? ends : [];
  }

  /** False if most other kinds of request stayed unanswered, too: the gateway may have been down. */
  areAloneUnanswered(tried: readonly Exchange[]): boolean {
    const ids = new Set(tried.map(({ id }) => formatId(id)));
    const others = this.turns.filter(
      (turn) =>
        !ids.has(formatId(turn.id)) && !operationsIn(turn).some((one) => this.unanswered.has(one)),
    );
    const from = Math.min(...tried.map(({ times }) => times.started));
    const beside = others.filter(({ times }) => times.ended >= from);
    const kinds = (turns: readonly Exchange[]): number =>
      new Set(turns.map(({ about }) => about.operation)).size;
    const answered = kinds(beside.filter(isAnswered));
    return answered > 0 && answered >= kinds(beside.filter(gotNoAnswer));
  }
}

const answersOf = new WeakMap<readonly Exchange[], Map<string | null, Answers>>();

/** Returns the cached answers of a region (null: of all regions). */
export function answersIn(exchanges: readonly Exchange[], region: string | null): Answers {
  const known = answersOf.get(exchanges) ?? new Map<string | null, Answers>();
  answersOf.set(exchanges, known);
  const answers = known.get(region) ?? new Answers(exchanges, region);
  known.set(region, answers);
  return answers;
}

export function isAnswered(exchange: Exchange): boolean {
  const came = answeredAs(exchange);
  return came === 'served' || came === 'refused';
}

/** True for an exchange that got no answer, so that further attempts may still decide it. */
export function gotNoAnswer(exchange: Exchange): boolean {
  const came = answeredAs(exchange);
  return came === 'nothing' || came === 'ended';
}
