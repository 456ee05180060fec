import {
  assumeServed,
  type CallOptions,
  type EndpointName,
  type Exchange,
  ending,
  expect,
  expectValue,
  generatedText,
  type Io,
  jsonBody,
  textAt,
  type Variation,
} from '../../../harness/index.ts';
import { present } from '../assumptions.ts';
import { lastOf, pollToTheEnd, running } from '../running/background-runs.ts';
import { formsOf } from './request-modes.ts';

/**
 * Returns the last answer to a request that has to be refused. No source says that a gateway validates a background
 * request before accepting it, so an accepted one is looked up until it ends.
 *
 * @param as key and region of the lookups: the user who would own the response, with a key that may use its model
 * @param lane lane of the lookups; by default concurrent with everything else
 */
export async function finalAnswer(
  io: Io,
  asked: Exchange,
  as: CallOptions,
  lane: Io = io.lane('accepted'),
): Promise<Exchange> {
  const id = textAt(jsonBody(asked), 'id');
  if (id === null || !running.includes(ending(asked))) return asked;
  return present((await pollToTheEnd(lane, id, as)).at(-1), 'lookup');
}

/** Sends an invalid request in each form that the endpoint takes. The owner looks up accepted ones. */
export function inEachForm(
  io: Io,
  name: EndpointName,
  { change: spoilt = (call) => call, ...request }: Variation,
  as: CallOptions = {},
): Promise<Exchange[]> {
  return Promise.all(
    formsOf(name).map(async (form) =>
      finalAnswer(
        io,
        await io.ask(name, { ...request, change: (call) => spoilt(form(call)) }, as),
        {},
      ),
    ),
  );
}

/**
 * Judges a request that has to be refused: it is refused, or accepted and then failed without text. A response
 * object with status `failed` and an error is a documented form in any answer.
 *
 * @param secret words that the answer must not show
 */
export function expectNotServed(
  attempt: Exchange,
  control: readonly Exchange[],
  secret: readonly string[] = [],
): void {
  if (attempt.about.operation !== 'responses.lookup' && ending(attempt) !== 'failed') {
    expect(attempt).toBeDenied({ secret, control });
    return;
  }
  assumeServed(control);
  const status = ending(lastOf([attempt]));
  if (status !== 'failed') assumeServed(attempt);
  const as = 'status of what was accepted, and had to be refused';
  expectValue(status, { as, of: attempt }).toEqual('failed');
  expectValue(generatedText(attempt), { as: 'its text', of: attempt }).toEqual('');
  expect(attempt).toShowNoneOf(secret);
}
