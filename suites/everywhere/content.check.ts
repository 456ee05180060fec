import {
  type Exchange,
  everywhere,
  everywhereEach,
  expectValue,
  Inconclusive,
  isRefused,
  NothingToJudge,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { unstreamed } from '../scenarios/requests/unstreamed.ts';
import { answeredPrompts, differentTexts, foreignWords, generatedPiece } from './content.ts';

type Answering = keyof typeof mainEndpoint | 'models';

everywhereEach('everywhere/content.own-words-only', (protocol: Answering) => ({
  least: {
    other: unstreamed.responses,
    own: protocol === 'models' ? baseline.models : baseline[mainEndpoint[protocol]],
  },
  which: (exchange) => exchange.about.protocol === protocol,
  partial: true,
  // Only what a run sends has words that stand nowhere by chance.
  observed: 'never',
  judge: (exchange, run) => {
    expectValue(foreignWords(exchange, run), {
      as: 'words of requests that it has nothing to do with',
      of: exchange,
    }).toEqual([]);
    // Only that there are none may have another reason.
    notApplicableUnlessTextsCame(run);
    assumeTextsDiffer(exchange, run);
  },
}));

everywhere(
  'everywhere/content.denials-show-no-output',
  // What people write and get may stand in a message by chance.
  { least: baseline.responses, which: (exchange) => isDenial(exchange), observed: 'never' },
  (exchange, run) => {
    notApplicableUnlessTextsCame(run);
    assumeTextsDiffer(exchange, run);
    expectValue(generatedPiece(exchange, run), {
      as: 'a piece of a generated text in it',
      of: exchange,
    }).toEqual(null);
  },
);

/** Refused, for what the key, the user or the response is. */
function isDenial(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  const isOwner = exchange.about.key === 'owner' || exchange.about.key === 'sameUser';
  return isRefused(exchange) && (!isOwner || [401, 403, 404, 410].includes(status));
}

/** What writes no text, or one alone, has none to mix up. */
function notApplicableUnlessTextsCame(run: WholeRun): void {
  if (answeredPrompts(run) > 1) return;
  throw new NothingToJudge('no two prompts were answered with a text');
}

/** A server that says the same to everyone keeps nothing apart. */
function assumeTextsDiffer(exchange: Exchange, run: WholeRun): void {
  if (differentTexts(run).size > 1) return;
  throw new Inconclusive('no two requests were answered with different texts', exchange);
}
