import { type Exchange, type ExchangeId, formatId } from '../../core/index.ts';
import { answeredAs, turnsOf } from '../../judge/index.ts';
import { type OperationName, operationsOf } from '../../protocols/index.ts';
import { brokeUnanswered } from '../../wire/index.ts';
import { retryBounds } from './bounds.ts';
import { underWayAtExits } from './gateway-exits.ts';

/** Attempts without an answer that are needed before a check may fail for it. */
export const { tries } = retryBounds.unanswered;

/** The text of the id of the first attempt of the same request. */
export function firstAttemptOf(id: ExchangeId): string {
  return formatId({ ...id, attempt: 1 });
}

const known = new WeakMap<Exchange, readonly OperationName[]>();

/** The operations that a request, or one turn of a socket, asks for. */
export function operationsIn(turn: Exchange): readonly OperationName[] {
  const operations = known.get(turn) ?? operationsOf(turn);
  known.set(turn, operations);
  return operations;
}

/** Operations that were served and requests that got no answer, in one region or in all regions of a run. */
export class Answers {
  readonly turns: readonly Exchange[];
  readonly #served = new Set<OperationName>();
  /** By operation: the good requests that came to nothing. */
  readonly unanswered = new Map<OperationName, Exchange[]>();
  #answered: ReadonlySet<string> | null = null;
  #ends: readonly (readonly Exchange[])[] | null = null;

  constructor(exchanges: readonly Exchange[], region: string | null) {
    const own = exchanges.filter(({ about }) => region === null || about.region === region);
    this.turns = own.flatMap(turnsOf);
    for (const turn of this.turns) {
      const { key } = turn.about;
      if (key !== 'owner' && key !== 'sameUser') continue;
      const came = answeredAs(turn);
      if (came === 'refused' || came === 'open') continue;
      for (const operation of operationsIn(turn)) {
        if (!gotNoAnswer(turn)) this.#served.add(operation);
        else this.unanswered.set(operation, [...(this.unanswered.get(operation) ?? []), turn]);
      }
    }
    // A request that was delayed or refused for a temporary reason may be served at another time.
    for (const operation of this.#served) this.unanswered.delete(operation);
  }

  /** Number of turns that were answered. */
  get answered(): number {
    return this.turns.filter(isAnswered).length;
  }

  /** True where an attempt of the same request was answered. */
  wasAnswered({ id }: Exchange): boolean {
    this.#answered ??= new Set(this.turns.filter(isAnswered).map(({ id }) => firstAttemptOf(id)));
    return this.#answered.has(firstAttemptOf(id));
  }

  /**
   * The share of connections that break by chance: of the attempts of those requests that were answered in
   * the end.
   */
  get breakRate(): number {
    const attempts = this.turns.filter((turn) => this.wasAnswered(turn));
    return attempts.filter(brokeUnanswered).length / Math.max(1, attempts.length);
  }

  /** True where all tries were tries of another operation, too, of which there were more. */
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

  /** When the gateway ended while an operation was under way: the last such turn of each time. */
  atEnds(operation: OperationName): readonly Exchange[] {
    return this.#underWay.flatMap(
      (turns) => turns.findLast((turn) => operationsIn(turn).includes(operation)) ?? [],
    );
  }

  /**
   * Returns the turns of `atEnds`, or none if the operation was not under way each time that the gateway
   * ended, or the gateway ended fewer than `tries` times.
   */
  atEveryEnd(operation: OperationName): readonly Exchange[] {
    const ends = this.atEnds(operation);
    return ends.length >= tries && ends.length === this.#underWay.length ? ends : [];
  }

  /**
   * True if at least as many other kinds of request were answered meanwhile. Otherwise the whole gateway may
   * have been down.
   */
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

/**
 * Returns the answers of a region (null: of all regions). Remembered, so that all checks of a run share
 * them.
 */
export function answersIn(exchanges: readonly Exchange[], region: string | null): Answers {
  const known = answersOf.get(exchanges) ?? new Map<string | null, Answers>();
  answersOf.set(exchanges, known);
  const answers = known.get(region) ?? new Answers(exchanges, region);
  known.set(region, answers);
  return answers;
}

/** True for what was served or refused. */
export function isAnswered(exchange: Exchange): boolean {
  const came = answeredAs(exchange);
  return came === 'served' || came === 'refused';
}

/** True for an exchange that leaves open what more tries would show. */
export function gotNoAnswer(exchange: Exchange): boolean {
  const came = answeredAs(exchange);
  return came === 'nothing' || came === 'ended';
}
