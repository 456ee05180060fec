import {
  type Exchange,
  everywhere,
  expectValue,
  isServed,
  NothingToJudge,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { namedModel, onceFor } from '../scenarios/exchanges.ts';
import { isGeneration, modeOf, usageTold } from '../scenarios/metering/generations-sent.ts';
import { isMetered, type LedgerRecord } from '../scenarios/metering/ledger-answers.ts';
import {
  ledgerOfTheRun,
  readingsSeen,
  recordsSeen,
} from '../scenarios/metering/ledger-of-the-run.ts';

/** Members of a record that its request, or an earlier reading of it, may contradict. */
type Fitting = 'model' | 'operation' | 'status' | 'amounts';

/** Models that a record names as a request does, and the statuses of all records of generations. */
const namesIn = onceFor((run: WholeRun) => ({
  own: new Set(
    run.exchanges.map(namedModel).filter((asked, at) => {
      const request = run.exchanges[at];
      return (
        request !== undefined && recordsSeen(run, request).some(({ model }) => model === asked)
      );
    }),
  ),
  isEndTold: run.exchanges
    .filter(isGeneration)
    .some((one) => recordsSeen(run, one).some((record) => !isRunning(record))),
}));

/** Judges that the records of a request fit it, and what was read of them before. */
const expectFitting: Readonly<Record<Fitting, (request: Exchange, run: WholeRun) => void>> = {
  model: (request, run) => {
    const asked = namedModel(request);
    const named = recordsSeen(run, request).flatMap(({ model }) => model ?? []);
    // A gateway may record what a model is an alias of.
    if (named.length === 0 || !namesIn(run).own.has(asked) || !isServed(request)) {
      throw new NothingToJudge('no record shows what the ledger calls the model');
    }
    const others = named.filter((name) => run.target.models.some(({ id }) => id === name));
    expectValue(others, { as: 'models in its records', of: request }).toBe(String(asked), () =>
      others.every((name) => name === asked),
    );
  },
  operation: (request, run) => {
    const kind = kindOf(request);
    const told = recordsSeen(run, request).filter(isMetered);
    if (kind === null || told.length === 0 || !isServed(request)) {
      throw new NothingToJudge('it was not served, or has no record');
    }
    const operations = [...new Set(told.map(({ operation }) => operation))];
    expectValue(operations, { as: 'operations in its records', of: request }).toEqual([kind]);
  },
  status: (request, run) => {
    const told = recordsSeen(run, request).filter(isMetered);
    if (told.length === 0 || !hasEnded(request, run) || !namesIn(run).isEndTold) {
      throw new NothingToJudge('it has not ended, or no record says that a run has');
    }
    const statuses = told.map(({ status }) => status);
    expectValue(statuses, { as: 'statuses of its records', of: request }).toBe(
      'one at least of a run that has ended',
      () => !told.every(isRunning),
    );
  },
  amounts: (request, run) => {
    const read = readingsSeen(run, request).map((one) => one.filter(isWhole).map(amountsIn));
    if (!hasEnded(request, run) || read.every(({ length }) => length < 2)) {
      throw new NothingToJudge('what it had used was not read twice');
    }
    for (const amounts of read) {
      const as = 'charge, input and output at each reading';
      expectValue(amounts, { as, of: request }).toBe('all the same', () =>
        amounts.every((one) => one === amounts[0]),
      );
    }
  },
};

everywhere.each('metering/ledger.record-fits-request', (member: Fitting) => ({
  least: {
    ledgerOfTheRun,
    ...{ one: baseline.responses, other: baseline['chat-completions'], compact: baseline.compact },
  },
  which: ({ about }) => about.protocol !== 'probe',
  judge: expectFitting[member],
}));

function kindOf(request: Exchange): string | null {
  const { operation } = request.about;
  if (operation === 'responses.compact') return 'compact';
  if (/\.(count|input)-tokens$/.test(operation)) return 'count';
  return isGeneration(request) ? 'generation' : null;
}

/** True for a generation that was answered to its end, or whose end a lookup has shown. */
function hasEnded(request: Exchange, run: WholeRun): boolean {
  if (!isGeneration(request)) return false;
  if (modeOf(request) === 'background') return usageTold(run, request) !== null;
  return request.failure === null && turnsOf(request).every((turn) => isServed(turn));
}

function isRunning({ status }: LedgerRecord): boolean {
  return /^(running|in[ _-]?progress|pending|queued|started|open|active|processing)$/i.test(status);
}

/** True for a reading that shows a charge and all that was used: nothing runs any more. */
function isWhole(records: readonly LedgerRecord[]): boolean {
  const isOver = records.every((record) => !isRunning(record));
  return isOver && records.some(({ charge, outputTokens }) => charge > 0 && outputTokens > 0);
}

function amountsIn(records: readonly LedgerRecord[]): string {
  return (['charge', 'inputTokens', 'outputTokens'] as const)
    .map((of) => Number(records.reduce((sum, record) => sum + record[of], 0).toFixed(9)))
    .join(', ');
}
