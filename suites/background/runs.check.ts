import {
  answerId,
  assumeServed,
  at,
  cheaperElsewhere,
  check,
  creations,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  Inconclusive,
  idOf,
  outcome,
  outputItems,
  scenario,
  view,
} from '../../harness/index.ts';
import { assumeDistinctIds, present } from '../scenarios/assumptions.ts';
import { toBeCancelled } from '../scenarios/baselines.ts';
import { toldInBackground } from '../scenarios/generations/whole-responses.ts';
import {
  lastOf,
  polled,
  running,
  started,
  terminal,
} from '../scenarios/running/background-runs.ts';
import { resumed } from '../scenarios/running/interrupted-streams.ts';
import { endOf } from '../scenarios/running/stopped-streams.ts';
import { backgroundStream } from '../scenarios/stored/served-operations.ts';
import { witness } from '../scenarios/stored/stored-responses.ts';

const documented = [...running, ...terminal];

check('background/runs.accepted', { started, witness }, ({ started: { created }, witness }) => {
  expect(created).toBeServed();
  idOf(created);
  expectValue(ending(created), { as: 'status', of: created }).toBeOneOf(documented);
  expect(created).toHave('background', (body) => at(body, 'background') !== false);
  assumeDistinctIds([created], [witness.created]);
});

check('background/runs.pending-first', started, ({ created }) => {
  assumeServed(created);
  expectValue(ending(created), { as: 'status', of: created }).toBeOneOf(running);
});

check('background/runs.polling-ends', polled, ({ lookups }) => {
  const last = lastOf(lookups);
  for (const lookup of lookups) expectState(lookup);
  expectValue(ending(last), { as: 'status', of: last }).toBeOneOf(terminal);
});

/**
 * Judges that a lookup shows a documented status. A failed run has one, too, although its lookup does not count as
 * served.
 */
function expectState(lookup: Exchange): void {
  expect(lookup).toHaveStatus(200);
  expectValue(ending(lookup), { as: 'status', of: lookup }).toBeOneOf(documented);
}

check('background/runs.ends-with-its-stream', resumed, ({ seen, rest, lookups }) => {
  const last = present(lookups.at(-1), 'lookup');
  if ((endOf(seen) ?? endOf(rest)) === null) {
    throw new Inconclusive('the stream had no last event', rest);
  }
  if (!documented.includes(ending(last))) assumeServed(last);
  expectValue(ending(last), { as: 'status after the last event', of: last }).toBeOneOf(terminal);
});

check('background/runs.terminal-status-kept', polled, ({ created, lookups, later }) => {
  const shown = [created, ...lookups, ...later];
  const from = shown.findIndex((answer) => terminal.includes(ending(answer)));
  const first = from < 0 ? endedIn(lookups) : present(shown[from], 'lookup');
  const after = shown.slice(from + 1);
  assumeServed(after.filter((lookup) => !documented.includes(ending(lookup))));
  for (const lookup of after) {
    expectValue(ending(lookup), { as: 'status', of: lookup }).toEqual(ending(first));
  }
});

check('background/runs.same-response', polled, ({ id, lookups, later }) => {
  const last = endedIn(lookups);
  // A lookup of a failed run does not count as served, but is still shown.
  assumeServed([...lookups, ...later].filter((lookup) => ending(lookup) !== 'failed'));
  for (const lookup of [...lookups, ...later]) {
    expectValue(answerId(lookup), { as: 'id', of: lookup }).toEqual(id);
  }
  for (const lookup of later) {
    const as = 'the text of a response that has ended';
    expectValue(generatedText(lookup), { as, of: lookup }).toEqual(generatedText(last));
  }
});

check('background/runs.result-complete', polled, ({ lookups }) => {
  const last = endedIn(lookups);
  expect(last).toMatchSchema('responses/response');
  if (ending(last) !== 'completed') return;
  expectValue(outputItems(last).length, { as: 'number of output items', of: last }).toBeMoreThan(0);
});

/** Returns the lookup that showed a terminal status. @throws {Inconclusive} if none did */
function endedIn(lookups: readonly Exchange[]): Exchange {
  const last = lastOf(lookups);
  if (terminal.includes(ending(last))) return last;
  throw new Inconclusive('the run could not be followed to its end', last);
}

const notStored = scenario(
  'background/not-stored',
  {
    needs: { model: { speaks: 'responses', supports: ['background'] } },
    cost: { requests: 3, generations: 0, refused: 3, chain: 1 },
  },
  ({ responses, lane, model }) => {
    const body = { background: true, store: false };
    const overSocket = model.supports.includes('websocket')
      ? [creations.websocket.send(lane('socket').responses, body)]
      : [];
    return Promise.all([
      responses.create(body),
      lane('stream').responses.stream(body),
      ...overSocket,
    ]);
  },
);

/** A stored run; in a further region, the one that is cancelled there. */
const storedRun = cheaperElsewhere(
  view({ started }, ({ started: { created } }) => created),
  view({ toBeCancelled }, ({ toBeCancelled: { created } }) => created),
);

check(
  'background/runs.needs-store',
  { attempts: notStored, control: storedRun },
  ({ attempts, control }) => {
    for (const attempt of attempts) expect(attempt).toBeRefused({ control });
  },
);

check('background/runs.store-omitted', toldInBackground, ({ unsaid: answer }, { note }) => {
  expect(answer).toBeAnswered();
  const status = ending(answer);
  const taken = status === null ? outcome(answer) : `a response that is ${status}`;
  note(`background without store was answered with ${taken}`, answer);
});

check('background/runs.streams', backgroundStream, ({ created }) => {
  expect(created).toBeServed();
});
