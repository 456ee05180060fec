import type { Exchange } from '../core/exchange.ts';
import { isObject, parsed, textAt } from '../core/json-value.ts';
import { operationRows } from '../core/operation-rows.ts';
import { ExpectationFailed } from '../judge/failure.ts';
import { cameOf } from '../judge/in-vain.ts';
import { turnsOf } from '../judge/turns.ts';
import { outcome, requestInWords } from '../judge/wording.ts';
import { type Again, askedAgain } from '../protocols/asked-again.ts';
import { answerId } from '../protocols/content.ts';
import type { Fields } from '../protocols/defaults.ts';
import { asksToGenerate } from '../protocols/modules.ts';
import {
  generates,
  type OperationName,
  operationNames,
  operationsOf,
} from '../protocols/operations.ts';
import type { RawClient } from '../protocols/raw.ts';
import { endsTurn } from '../protocols/responses/events.ts';
import type { Target } from '../target/target.ts';
import { type Scenario, scenario } from './scenario.ts';

// One answer that does not come says nothing: the gateway may have been busy. That none of several tries
// comes to anything, while other requests are answered, is what a gateway does that does not serve this.

/** So many tries must have come to nothing. */
const tries = 3;

/** What is asked again at the end of a run, at most, with what is asked beside it. */
const most = { free: 60, paid: 6 };

type OperationOf = (turn: Exchange) => readonly OperationName[];

/** What came of the operations of a run, in one region. */
class Answers {
  readonly turns: readonly Exchange[];
  readonly operations: OperationOf;
  readonly #served = new Set<OperationName>();
  /** By operation: the good requests that came to nothing. */
  readonly vain = new Map<OperationName, Exchange[]>();

  constructor(exchanges: readonly Exchange[], region: string) {
    this.turns = exchanges.filter(({ about }) => about.region === region).flatMap(turnsOf);
    const known = new Map<Exchange, readonly OperationName[]>();
    this.operations = (turn) => {
      const operations = known.get(turn) ?? operationsOf(turn);
      known.set(turn, operations);
      return operations;
    };
    for (const turn of this.turns) {
      const { key } = turn.about;
      if (key !== 'owner' && key !== 'sameUser') continue;
      const came = cameOf(turn);
      if (came === 'refused' || came === 'open') continue;
      for (const operation of this.operations(turn)) {
        if (came !== 'nothing') this.#served.add(operation);
        else this.vain.set(operation, [...(this.vain.get(operation) ?? []), turn]);
      }
    }
    // What was held back for a moment's reason may be served at another.
    for (const operation of this.#served) this.vain.delete(operation);
  }

  /** Whether others were answered while these were not, of as many kinds at least: or all of it was out. */
  areAloneInVain(tried: readonly Exchange[]): boolean {
    const keys = new Set(tried.map(({ key }) => key));
    const others = this.turns.filter(
      (turn) => !keys.has(turn.key) && !this.operations(turn).some((one) => this.vain.has(one)),
    );
    const from = Math.min(...tried.map(({ times }) => times.started));
    const beside = others.filter(({ times }) => times.ended >= from);
    const kinds = (turns: readonly Exchange[]): number =>
      new Set(turns.map(({ about }) => about.operation)).size;
    const answered = kinds(beside.filter(isAnswered));
    return answered > 0 && answered >= kinds(beside.filter(isInVain));
  }
}

function isAnswered(exchange: Exchange): boolean {
  const came = cameOf(exchange);
  return came === 'served' || came === 'refused';
}

const scenarioName = 'asked-again';

/** Those that repeat this one. */
function repeats(exchange: Exchange, all: readonly Exchange[]): readonly Exchange[] {
  const lane = laneOf(exchange.key);
  return all.filter(({ key }) => key.startsWith(`${scenarioName}`) && key.includes(`#${lane}/`));
}

/** A lane has no `#`. */
function laneOf(key: string): string {
  return key.replaceAll('#', '~');
}

/**
 * Whether an exchange that decides nothing is one of several tries none of which came to anything while
 * other requests were answered.
 *
 * @param check the id of the check that it decides nothing for
 * @param isExpected whether the requirement is about this exchange
 * @returns what the check then fails with
 */
export function neverServed(
  exchange: Exchange,
  { check, isExpected, target }: { check: string; isExpected: boolean; target: Target },
  exchanges: readonly Exchange[],
): ExpectationFailed | null {
  const answers = new Answers(exchanges, exchange.about.region);
  const operations = new Set(turnsOf(exchange).flatMap((turn) => answers.operations(turn)));
  const inVain = [...operations].filter((operation) => answers.vain.has(operation));
  const own = inVain.find((operation) => operationRows.get(operation) === check);
  if (own === undefined && (!isExpected || inVain.length > 0)) return null;
  const all =
    own === undefined
      ? [exchange, ...repeats(exchange, answers.turns)]
      : (answers.vain.get(own) ?? []);
  if (all.length < tries || !all.every((one) => cameOf(one) === 'nothing')) return null;
  if (!answers.areAloneInVain(all) || isSlow(answers.turns, target)) return null;
  const last = all.at(-1) ?? exchange;
  const others = answers.turns.filter(isAnswered).length;
  return new ExpectationFailed(
    `an answer to ${requestInWords(last)} in one of ${all.length} tries`,
    `none of them came to one, while ${others} other requests were answered: ${outcome(last)}`,
    last,
  );
}

/** Whether answers take so long that a time-out says little. */
function isSlow(turns: readonly Exchange[], { limits }: Target): boolean {
  return turns.some(
    ({ times: { started, headers } }) =>
      headers !== null && headers - started > limits.timeoutMs / 2,
  );
}

/** Whether what came leaves open what more tries would show. */
export function isInVain(exchange: Exchange): boolean {
  return cameOf(exchange) === 'nothing';
}

/**
 * Asks once more, when all else has been asked, for what came to nothing, until it was tried three times.
 * Of a gateway that answers it asks nothing.
 */
const again = {
  free: asking('free', { requests: most.free, generations: 0 }),
  /** What has to be paid where it is served after all. */
  paid: asking('paid', {
    requests: most.paid,
    generations: 0,
    refused: most.paid - 2,
    outputTokens: null,
  }),
};

/** The checks that fail when nobody is served a generation of some kind. */
const paidFor = new Set(
  operationNames.filter(generates).flatMap((name) => operationRows.get(name) ?? []),
);

/** What asks again for a check. Only what a generation is the subject of is asked for at a price. */
export function askedAgainFor(check: string): readonly Scenario[] {
  return paidFor.has(check) ? [again.free, again.paid] : [again.free];
}

function asking(kind: 'free' | 'paid', cost: Parameters<typeof scenario>[1]['cost']): Scenario {
  return scenario(`${scenarioName}/${kind}`, { last: true, cost }, async (io) => {
    const sent = await io.sent();
    let left = most[kind];
    const wanted = io.target.regions.flatMap(({ name }) => wantedIn(new Answers(sent, name), kind));
    const chosen = wanted.flatMap(({ vain, times }) => {
      const again = againOf(vain, sent, io.target);
      const { length } = again?.frames ?? [];
      const generates = again !== null && (length > 0 || asksToGenerate(again.call));
      const needed = times * Math.max(1, length);
      if (generates !== (kind === 'paid') || needed >= left) return [];
      // And one beside it.
      left -= needed + 1;
      return { vain, times: again === null ? 0 : times, again };
    });
    if (chosen.length === 0) return;
    const other = someServed(sent, io.target);
    await Promise.all(
      chosen.map(async ({ vain, again, times }) => {
        const { raw } = io.lane(laneOf(vain.key));
        for (let n = 0; n < times && again !== null; n++) {
          if (!isInVain(await sendAgain(raw, again))) return;
        }
        const beside = io.lane(`beside-${laneOf(vain.key)}`);
        if (other === null) await beside.lists.list();
        else await beside.raw.send(other.call, other.options);
      }),
    );
  });
}

interface AgainOf extends Again {
  /** Of a turn: its frame, and before it that of the turn that it continues. */
  readonly frames: readonly Fields[];
}

function againOf(vain: Exchange, sent: readonly Exchange[], target: Target): AgainOf | null {
  const again = askedAgain(vain, target);
  if (again === null || vain.socket === null)
    return again === null ? null : { ...again, frames: [] };
  const frame = frameOf(vain);
  if (frame === null) return null;
  const { previous_response_id: continued } = frame;
  if (continued === undefined) return { ...again, frames: [frame] };
  const before = sent
    .filter(({ key }) => key === vain.key)
    .flatMap(turnsOf)
    .find((turn) => answerId(turn) === continued);
  const first = before === undefined ? null : frameOf(before);
  return first === null ? null : { ...again, frames: [first, frame] };
}

function frameOf({ socket }: Exchange): Fields | null {
  const own = socket?.frames.find(({ from }) => from === 'us');
  const json = own === undefined ? null : parsed(new TextDecoder().decode(own.data));
  return isObject(json) ? json : null;
}

async function sendAgain(raw: RawClient, { call, options, frames }: AgainOf): Promise<Exchange> {
  if (call.expects !== 'socket') return raw.send(call, options);
  const session = await raw.open(call, options);
  let id: string | null = null;
  for (const frame of session.opened ? frames : []) {
    session.send(id === null ? frame : { ...frame, previous_response_id: id });
    await session.receive(({ json }) => {
      id = textAt(json, 'response.id') ?? id;
      return endsTurn(textAt(json, 'type'));
    });
  }
  const exchange = await session.exchange();
  return turnsOf(exchange).at(-1) ?? exchange;
}

/**
 * What came to nothing, and how often it has to be asked for: operations that nobody was served first. What
 * is free is asked for once in any case, when nothing else is under way.
 */
function wantedIn(
  answers: Answers,
  kind: 'free' | 'paid',
): { readonly vain: Exchange; readonly times: number }[] {
  const ofOperations = [...answers.vain.values()].flatMap((vain) => {
    const last = vain.at(-1);
    if (last === undefined) return [];
    const again = kind === 'free' ? 1 : 0;
    return { vain: last, times: Math.max(again, tries - vain.length) };
  });
  const others = answers.turns.filter(
    (turn) => isInVain(turn) && !answers.operations(turn).some((one) => answers.vain.has(one)),
  );
  const all = [...ofOperations, ...others.map((vain) => ({ vain, times: tries - 1 }))];
  return [...new Map(all.map((one) => [one.vain.key, one])).values()];
}

/** A request that costs nothing and was served. */
function someServed(sent: readonly Exchange[], target: Target): Again | null {
  for (const exchange of sent) {
    const { about, request, socket } = exchange;
    if (request.method !== 'GET' || about.key !== 'owner' || about.protocol === 'probe') continue;
    if (socket !== null || cameOf(exchange) !== 'served') continue;
    const again = askedAgain(exchange, target);
    if (again !== null) return again;
  }
  return null;
}
