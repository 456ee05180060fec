import {
  assumeServed,
  blockPage,
  check,
  type EndpointName,
  type Exchange,
  expect,
  expectValue,
  Inconclusive,
  isRefused,
  isServed,
  NothingToJudge,
  type Protocol,
  type RequirementOver,
  type StreamingProtocol,
  text,
} from '../../harness/index.ts';
import { present } from '../scenarios/exchanges.ts';
import { otherForm } from '../scenarios/generations/conversations.ts';
import {
  afterwards,
  type BadBodies,
  badBodies,
  type HardInput,
  hardInput,
} from '../scenarios/requests/bad-bodies.ts';
import { expectNotServed } from '../scenarios/stored/stored-responses.ts';

bodyRefused('input/requests.malformed-json', ({ malformedJson }) => malformedJson);

function bodyRefused(
  requirement: RequirementOver<EndpointName>,
  pick: (captured: BadBodies) => Exchange,
): void {
  check.each(requirement, (endpoint: EndpointName) => ({
    on: badBodies[endpoint],
    judge: (captured) => expect(pick(captured)).toBeRefused({ control: captured.control }),
  }));
}

bodyRefused('input/requests.empty-body', ({ empty }) => empty);

bodyRefused('input/requests.not-an-object', ({ noObject }) => noObject);

check.each('input/requests.wrong-types', (endpoint: EndpointName) => ({
  on: badBodies[endpoint],
  judge: ({ control, wrongTypes, lenient }, { target }) => {
    if (control.about.protocol === 'systemone' && target.systemone.dialect !== 'public') {
      throw new NothingToJudge('The target file gives a body of its own for System One');
    }
    for (const attempt of wrongTypes) expectNotServed(attempt, [control]);
    for (const attempt of lenient) expect(attempt).toBeAnswered();
  },
}));

hardRefused('input/requests.negative-limit', ({ negativeLimit }) => negativeLimit);

function hardRefused(
  requirement: RequirementOver<Protocol>,
  pick: (captured: HardInput) => Exchange | null,
): void {
  check.each(requirement, (protocol: Protocol) => ({
    on: hardInput[protocol],
    judge: (captured) =>
      expect(present(pick(captured), requirement)).toBeRefused({ control: captured.control }),
  }));
}

hardRefused('input/requests.oversized-id', ({ oversizedId }) => oversizedId);

hardRefused('input/requests.unknown-path', ({ unknownPath }) => unknownPath);

hardRefused('input/requests.wrong-method', ({ wrongMethod }) => wrongMethod);

survived('input/requests.huge-numbers', ({ hugeLimit }) => [hugeLimit]);

/** Judges that each answer is 2xx or 4xx. */
function survived(
  requirement: RequirementOver<Protocol>,
  pick: (captured: HardInput) => readonly (Exchange | null)[],
): void {
  check.each(requirement, (protocol: Protocol) => ({
    on: hardInput[protocol],
    judge: (captured) => {
      for (const exchange of pick(captured)) {
        expect(present(exchange, requirement)).toBeAnswered();
      }
    },
  }));
}

survived('input/requests.deep-nesting', ({ deepNesting }) => [deepNesting]);

survived('input/requests.unusual-unicode', ({ oddUnicode }) => [oddUnicode]);

survived('input/requests.mutated-body', ({ mutated }) => mutated);

const html = /<html|<!doctype/i;
/** Matches a stack trace; in JSON its line ends are escaped. */
const trace = /(?:\n|\\n)\s+at .+:\d+:\d+|Traceback \(most recent/;

check.each('input/requests.no-stack-trace', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ bad }) => {
    for (const exchange of bad) {
      // A block page is not the gateway's own answer, and a served answer contains the model's words.
      if (blockPage(exchange) !== null || isServed(exchange)) continue;
      const body = text(exchange);
      const shown = body.ok ? body.value : '';
      expectValue(shown, { as: 'the answer', of: exchange }).toBe(
        'no HTML, and without a stack trace',
        () => !html.test(shown) && !trace.test(shown),
      );
    }
  },
}));

check.each('input/requests.serves-afterwards', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ answer, control, bad }) => {
    assumeServed(control);
    if (!bad.some(({ response }) => [400, 422].includes(response?.status ?? 0))) {
      const reason = 'no bad input was refused as such: nothing shows that the gateway has read it';
      throw new Inconclusive(reason, bad[0] ?? control);
    }
    expect(answer).toBeServed();
  },
}));

check.each('input/requests.equivalent-forms', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ prompted, other }) => {
    if (isRefused(prompted)) throw new NothingToJudge('the model takes no system prompt');
    assumeServed(prompted);
    expect(other).toBeServed();
  },
}));
