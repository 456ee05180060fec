import {
  assumeServed,
  checkEach,
  type EndpointName,
  type Exchange,
  expect,
  expectValue,
  NothingToJudge,
  type Protocol,
  present,
  type Target,
  text,
} from '../../harness/index.ts';
import { type BadBodies, badBodies } from '../scenarios/bad-bodies.ts';
import { afterwards, type HardInput, hardInput } from './hard-input.ts';

bodyRefused('input/requests.malformed-json', ({ malformedJson }) => malformedJson);
bodyRefused('input/requests.empty-body', ({ empty }) => empty);
bodyRefused('input/requests.not-an-object', ({ noObject }) => noObject);
bodyRefused('input/requests.wrong-types', ({ wrongType }, target) => {
  if (wrongType.about.protocol === 'systemone' && target.systemone.dialect !== 'public') {
    throw new NothingToJudge('The target file gives a body of its own for System One');
  }
  return wrongType;
});

hardRefused('input/requests.negative-limit', ({ negativeLimit }) => negativeLimit);
hardRefused('input/requests.oversized-id', ({ oversizedId }) => oversizedId);
hardRefused('input/requests.unknown-path', ({ unknownPath }) => unknownPath);
hardRefused('input/requests.wrong-method', ({ wrongMethod }) => wrongMethod);

survived('input/requests.huge-numbers', ({ hugeLimit }) => [hugeLimit]);
survived('input/requests.deep-nesting', ({ deepNesting }) => [deepNesting]);
survived('input/requests.unusual-unicode', ({ oddUnicode }) => [oddUnicode]);
survived('input/requests.mutated-body', ({ mutated }) => mutated);

checkEach('input/requests.no-stack-trace', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ bad }) => {
    for (const exchange of bad) {
      const body = text(exchange);
      const shown = body.ok ? body.value : '';
      expectValue(shown, { as: 'the answer', of: exchange }).toBe(
        'no HTML, and without a stack trace',
        () => !html.test(shown) && !trace.test(shown),
      );
    }
  },
}));

checkEach('input/requests.serves-afterwards', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ afterwards, control }) => {
    assumeServed(control);
    expect(afterwards).toBeServed();
  },
}));

const html = /<html|<!doctype/i;
/** In JSON the line ends of a trace are escaped. */
const trace = /(?:\n|\\n)\s+at .+:\d+:\d+|Traceback \(most recent/;

function bodyRefused(
  requirement: string,
  pick: (captured: BadBodies, target: Target) => Exchange,
): void {
  checkEach(requirement, (endpoint: EndpointName) => ({
    on: badBodies[endpoint],
    judge: (captured, { target }) =>
      expect(pick(captured, target)).toBeRefused({ control: captured.control }),
  }));
}

function hardRefused(requirement: string, pick: (captured: HardInput) => Exchange | null): void {
  checkEach(requirement, (protocol: Protocol) => ({
    on: hardInput[protocol],
    judge: (captured) =>
      expect(present(pick(captured), requirement)).toBeRefused({ control: captured.control }),
  }));
}

/** 2xx or 4xx, and nothing else. */
function survived(
  requirement: string,
  pick: (captured: HardInput) => readonly (Exchange | null)[],
): void {
  checkEach(requirement, (protocol: Protocol) => ({
    on: hardInput[protocol],
    judge: (captured) => {
      for (const exchange of pick(captured)) {
        expect(present(exchange, requirement)).toBeAnswered();
      }
    },
  }));
}
