import {
  assumeServed,
  check,
  checkEach,
  type Exchange,
  ExpectationFailed,
  expect,
  Inconclusive,
  outcome,
} from '../../harness/index.ts';
import { type Action, alternatePath, strayPaths } from '../scenarios/requests/alternate-paths.ts';

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

checkEach('generation/paths.same-actions', (action: Action) => ({
  on: alternatePath[action],
  judge: ({ control, alternate }) => {
    assumeServed(control);
    assumeWellFormed(control, sameShape[action]);
    expect(alternate).toBeServed();
    sameShape[action](alternate);
  },
}));

/** What is wrong on both paths is reported of the first. */
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
