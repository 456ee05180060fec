import {
  answerOf,
  assumeServed,
  check,
  type Exchange,
  expect,
  expectValue,
  json,
  NothingToJudge,
  protocolModules,
  scenario,
  streamingProtocols,
  type Target,
} from '../../harness/index.ts';
import { baseline, expectLimitUnneeded, hasErrorStatus } from '../scenarios/baselines.ts';

check('generation/systemone.shape', baseline.systemone, ({ baseline }) => {
  expect(baseline).toHave('a JSON object', json.isObject).toBeServed();
});

check('generation/systemone.full-shape', baseline.systemone, ({ baseline }, { target }) => {
  publicApi(target, baseline);
  expect(baseline).toMatchSchema('systemone/result');
});

/**
 * Baseline decision, which sets no output limit. If it is refused, the scenario retries with the limits of other
 * protocols, to find out if a limit is missing.
 */
const decision = scenario(
  'generation/decision',
  { after: { decision: baseline.systemone }, cost: { requests: 1, generations: 0, fallback: 1 } },
  async ({ systemone, target }, { decision: { baseline: unlimited } }) => {
    if (!hasErrorStatus(unlimited)) return { unlimited, limited: unlimited };
    const limit = target.limits.maxOutputTokens;
    return { unlimited, limited: await systemone.create({ max_tokens: limit }) };
  },
);

/** Names of the output limit in other protocols. */
const limits = streamingProtocols.map((protocol) =>
  protocolModules[protocol].request.outputLimit.replace(/.*\./, ''),
);

check('generation/systemone.no-length-parameter', decision, ({ unlimited, limited }) => {
  const sent = sentBody(unlimited);
  const limit = limits.find((name) => json.at(sent, name) !== undefined);
  if (limit !== undefined) throw new NothingToJudge(`the body of the target file sets ${limit}`);
  expectLimitUnneeded(unlimited, limited);
});

function sentBody({ request }: Exchange): unknown {
  return JSON.parse(new TextDecoder().decode(request.body ?? new Uint8Array()));
}

/** Predicates that recognise an answer of each type. */
const ofType: Readonly<Record<string, (answer: unknown, question: unknown) => boolean>> = {
  noul: (answer) => json.number(answer, 'noul') !== null,
  choice: (answer, question) => {
    const labels = Object.keys(Object(json.at(question, 'criteria')));
    return labels.some((label) => label === json.at(answer, 'choice'));
  },
  score: (answer) => json.number(answer, 'score') !== null,
};

check(
  'generation/systemone.answers-match-questions',
  baseline.systemone,
  (captured, { target }) => {
    const { baseline } = captured;
    publicApi(target, baseline);
    const questions = Object(json.at(sentBody(baseline), 'questions'));
    const answers = Object(json.at(answerOf(baseline).value, 'answers'));
    const names = Object.keys(questions).sort();
    expectValue(Object.keys(answers).sort(), { as: 'keys of answers', of: baseline }).toEqual(
      names,
    );
    for (const name of names) {
      const question = questions[name];
      const type = String(json.at(question, 'type'));
      const what = `an answer of the type ${type} to its question`;
      expectValue(answers[name], { as: `answers.${name}`, of: baseline }).toBe(
        what,
        (answer) =>
          json.text(answer, 'type') === type && ofType[type]?.(answer, question) !== false,
      );
    }
  },
);

/** Skips targets that use a dialect other than the public System One API, because the specification shows no body. */
function publicApi({ systemone }: Target, answer: Exchange): void {
  if (systemone.dialect !== 'public') {
    throw new NothingToJudge('the target file says that this is not the public System One API');
  }
  assumeServed(answer);
}

check('generation/systemone.probabilities-valid', baseline.systemone, (captured, { target }) => {
  const { baseline } = captured;
  publicApi(target, baseline);
  const answers = Object.entries(Object(json.at(answerOf(baseline).value, 'answers')));
  const nouls = answers.filter(([, answer]) => json.at(answer, 'noul') !== undefined);
  const shared = answers.filter(([, answer]) => json.isObject(json.at(answer, 'probabilities')));
  for (const [name, answer] of nouls) {
    const about = { as: `answers.${name}.noul`, of: baseline };
    expectValue(json.at(answer, 'noul'), about).toBe('from 0 to 1', isProbability);
  }
  for (const [name, answer] of shared) {
    const about = { as: `answers.${name}.probabilities`, of: baseline };
    const shares = expectValue(json.at(answer, 'probabilities'), about);
    shares.toBe('each from 0 to 1', (all) => Object.values(Object(all)).every(isProbability));
    shares.toBe('1 in sum, give or take 0.05', sumsToOne);
  }
  if ([...nouls, ...shared].length === 0)
    throw new NothingToJudge('the answers give no probabilities');
});

function isProbability(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function sumsToOne(shares: unknown): boolean {
  let sum = 0;
  for (const share of Object.values(Object(shares))) sum += Number(share);
  // Allows for inexact sums of decimals.
  return Math.abs(sum - 1) <= 0.05 + 1e-9;
}
