import { expect, onTestFinished, test } from 'vitest';
import { ourName } from '../kernel/core/recognisable.ts';
import { run } from '../kernel/engine/run.ts';
import { referenceTarget } from '../kernel/targets/reference.ts';
import type { Target } from '../kernel/targets/target.ts';
import type { Call } from '../reference/call.ts';
import type { Defect } from '../reference/seams.ts';
import { bodies } from './planting.ts';

// A gateway that is sound for requests that look like a test, and for no others.

const filters = ['generation/responses.shape'];

/** Serves sound responses to the calls that `isATest` recognises, and nonsense to all others. */
function soundFor(isATest: (call: Call) => boolean): Defect['override'] {
  return bodies('responses.response', (body, { call }) =>
    isATest(call) ? body : { ...body, object: 'nonsense' },
  );
}

async function verdictOn(
  identity: Target['identity'],
  isATest: (call: Call) => boolean,
): Promise<string> {
  const defect = { id: 'cheat', what: 'Only a test is served.', override: soundFor(isATest) };
  const { target, close } = await referenceTarget({ defect });
  onTestFinished(close);
  const { checks } = await run({ target: { ...target, identity }, seed: 1, filters });
  const own = checks.filter(({ verdict }) => verdict.state !== 'excluded');
  expect(own).not.toEqual([]);
  return own.some(({ verdict }) => verdict.state === 'fail') ? 'fails' : 'passes';
}

/** By what a run used to be known, each in one line of the gateway. */
const marks: readonly (readonly [string, (call: Call) => boolean])[] = [
  ['the name in User-Agent', ({ headers }) => headers['user-agent'] === ourName],
  ['the form of ids', ({ headers }) => /^ts-/.test(`${headers['x-client-request-id']}`)],
  ['a connection for each request', ({ headers }) => headers.connection === 'close'],
  ['plain answers', ({ headers }) => headers['accept-encoding'] === 'identity'],
  ['one sentence', ({ body }) => /^Write one short sentence about the name/.test(`${body.input}`)],
  ['the words in it', ({ body }) => /\bw[0-9a-z]{14}\b/.test(JSON.stringify(body))],
  ['no further headers', ({ headers }) => headers['x-stainless-lang'] === undefined],
];

test.each(marks)('a gateway that knows a test by %s is caught', async (_, isATest) => {
  expect(await verdictOn('ordinary', isATest)).toBe('fails');
});

test('one that knows it by its name is sound for who says it', async () => {
  const [[, isATest] = ['', () => false]] = marks;
  expect(await verdictOn('plain', isATest)).toBe('passes');
});
