import {
  assumeServed,
  cheaperElsewhere,
  check,
  contentOf,
  creations,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  idOf,
  json,
  outcome,
  scenario,
  view,
} from '../../harness/index.ts';
import { toBeCancelled } from '../scenarios/baselines.ts';
import { assumeDistinctIds, present } from '../scenarios/exchanges.ts';
import { toldInBackground } from '../scenarios/generations/whole-responses.ts';
import { polled, started } from '../scenarios/running/background-runs.ts';
import { endOf, resumed } from '../scenarios/running/interrupted-streams.ts';
import { backgroundStream } from '../scenarios/stored/served-operations.ts';
import { lastOf, running, terminal, witness } from '../scenarios/stored/stored-responses.ts';

const documented = [...running, ...terminal];

check('background/runs.accepted', { started, witness }, ({ started: { created }, witness }) => {
  expect(created).toBeServed();
  idOf(created);
  expectValue(contentOf(created).ending, { as: 'status', of: created }).toBeOneOf(documented);
  expect(created).toHave('background', (body) => json.at(body, 'background') !== false);
  assumeDistinctIds([created], [witness.created]);
});

check('background/runs.pending-first', started, ({ created }) => {
  assumeServed(created);
  expectValue(contentOf(created).ending, { as: 'status', of: created }).toBeOneOf(running);
});

check('background/runs.polling-ends', polled, ({ lookups }) => {
  const last = lastOf(lookups);
  for (const lookup of lookups) expectState(lookup);
  expectValue(contentOf(last).ending, { as: 'status', of: last }).toBeOneOf(terminal);
});

/**
 * Judges that a lookup shows a documented status. A failed run has one, too, although its lookup does not count as
 * served.
 */
function expectState(lookup: Exchange): void {
  expect(lookup).toHaveStatus(200);
  expectValue(contentOf(lookup).ending, { as: 'status', of: lookup }).toBeOneOf(documented);
}

check('background/runs.ends-with-its-stream', resumed, ({ seen, rest, lookups }) => {
  const last = present(lookups.at(-1), 'lookup');
  if ((endOf(seen) ?? endOf(rest)) === null) {
    throw new Inconclusive('the stream had no last event', rest);
  }
  if (!documented.includes(contentOf(last).ending)) assumeServed(last);
  expectValue(contentOf(last).ending, { as: 'status after the last event', of: last }).toBeOneOf(
    terminal,
  );
});

check('background/runs.terminal-status-kept', polled, ({ created, lookups, later }) => {
  const shown = [created, ...lookups, ...later];
  const from = shown.findIndex((answer) => terminal.includes(contentOf(answer).ending));
  const first = from < 0 ? endedIn(lookups) : present(shown[from], 'lookup');
  const after = shown.slice(from + 1);
  assumeServed(after.filter((lookup) => !documented.includes(contentOf(lookup).ending)));
  for (const lookup of after) {
    expectValue(contentOf(lookup).ending, { as: 'status', of: lookup }).toEqual(
      contentOf(first).ending,
    );
  }
});

check('background/runs.same-response', polled, ({ id, lookups, later }) => {
  const last = endedIn(lookups);
  // A lookup of a failed run does not count as served, but is still shown.
  assumeServed([...lookups, ...later].filter((lookup) => contentOf(lookup).ending !== 'failed'));
  for (const lookup of [...lookups, ...later]) {
    expectValue(contentOf(lookup).id, { as: 'id', of: lookup }).toEqual(id);
  }
  for (const lookup of later) {
    const as = 'the text of a response that has ended';
    expectValue(contentOf(lookup).text, { as, of: lookup }).toEqual(contentOf(last).text);
  }
});

check('background/runs.result-complete', polled, ({ lookups }) => {
  const last = endedIn(lookups);
  expect(last).toMatchSchema('responses/response');
  if (contentOf(last).ending !== 'completed') return;
  expectValue(contentOf(last).items.length, {
    as: 'number of output items',
    of: last,
  }).toBeMoreThan(0);
});

/** Returns the lookup that showed a terminal status. @throws {Inconclusive} if none did */
function endedIn(lookups: readonly Exchange[]): Exchange {
  const last = lastOf(lookups);
  if (terminal.includes(contentOf(last).ending)) return last;
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
  const status = contentOf(answer).ending;
  const taken = status === null ? outcome(answer) : `a response that is ${status}`;
  note(`background without store was answered with ${taken}`, answer);
});

check('background/runs.streams', backgroundStream, ({ created }) => {
  expect(created).toBeServed();
});
