import {
  assumeServed,
  type Captures,
  cheaperElsewhere,
  check,
  type Exchange,
  ExpectationFailed,
  expect,
  Inconclusive,
  outcome,
  view,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import {
  type Action,
  alternatePath,
  strayPaths,
  streamThere,
} from '../scenarios/requests/alternate-paths.ts';

const sameShape: Readonly<Record<Action, (answer: Exchange) => void>> = {
  'generate-content': (answer) => {
    expect(answer).toMatchSchema('generative/response');
  },
  'stream-generate-content': (answer) => {
    expect(answer).toFollow('chunk-shape').toFollow('data-only').toFollow('finish-last');
  },
  'count-tokens': (answer) => {
    expect(answer).toMatchSchema('generative/token-count');
  },
};

interface InTwoPaths {
  readonly control: Exchange;
  readonly alternate: Exchange;
}

/** In further regions, only actions that are cheap or requested there anyway. */
const judgedOn: Readonly<Record<Action, Captures<InTwoPaths>>> = {
  ...alternatePath,
  'generate-content': cheaperElsewhere(
    alternatePath['generate-content'],
    view(
      { control: baseline['generate-content'], alternate: baseline['alternate-path'] },
      ({ control, alternate }) => ({ control: control.baseline, alternate: alternate.baseline }),
    ),
  ),
  'stream-generate-content': cheaperElsewhere<InTwoPaths>(
    alternatePath['stream-generate-content'],
    streamThere,
  ),
};

check.each('generation/paths.same-actions', (action: Action) => ({
  on: judgedOn[action],
  judge: ({ control, alternate }) => {
    assumeServed(control);
    assumeWellFormed(control, sameShape[action]);
    expect(alternate).toBeServed();
    sameShape[action](alternate);
  },
}));

/** Reports a fault on both paths for the first path only. */
function assumeWellFormed(control: Exchange, judge: (answer: Exchange) => void): void {
  try {
    judge(control);
  } catch (error) {
    if (!(error instanceof ExpectationFailed)) throw error;
    throw new Inconclusive(`the same action under /v1beta gave ${error.actual}`, control);
  }
}

check('generation/paths.no-doubled-prefix', strayPaths, ({ doubledPrefix }, { note }) => {
  expect(doubledPrefix).toBeAnswered();
  note(`/v1/v1beta/… was answered ${outcome(doubledPrefix)}`, doubledPrefix);
});
