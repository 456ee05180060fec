import {
  checkEach,
  type EndpointName,
  type Exchange,
  expect,
  expectValue,
  mustBeServed,
  NothingToJudge,
  type Protocol,
  present,
  type Target,
  text,
} from '../../harness/index.ts';
import { type BadBodies, badBodies } from './bad-bodies.ts';
import { afterwards, type HardInput, hardInput } from './hard-input.ts';

bodyRefused('rules/input.malformed-json', ({ malformedJson }) => malformedJson);
bodyRefused('rules/input.empty-body', ({ empty }) => empty);
bodyRefused('rules/input.not-an-object', ({ noObject }) => noObject);
bodyRefused('rules/input.wrong-types', ({ wrongType }, target) => {
  if (wrongType.about.protocol === 'systemone' && target.systemone.dialect !== 'public') {
    throw new NothingToJudge('The target file gives a body of its own for System One');
  }
  return wrongType;
});

hardRefused('rules/input.negative-limit', ({ negativeLimit }) => negativeLimit);
hardRefused('rules/input.oversized-id', ({ oversizedId }) => oversizedId);
hardRefused('rules/input.unknown-path', ({ unknownPath }) => unknownPath);
hardRefused('rules/input.wrong-method', ({ wrongMethod }) => wrongMethod);

survived('rules/input.huge-numbers', ({ hugeLimit }) => [hugeLimit]);
survived('rules/input.deep-nesting', ({ deepNesting }) => [deepNesting]);
survived('rules/input.odd-unicode', ({ oddUnicode }) => [oddUnicode]);
survived('rules/input.mutated-body', ({ mutated }) => mutated);

checkEach('rules/input.no-trace', (protocol: Protocol) => ({
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

checkEach('rules/input.serves-afterwards', (protocol: Protocol) => ({
  on: afterwards[protocol],
  judge: ({ afterwards, control }) => {
    mustBeServed(control);
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
