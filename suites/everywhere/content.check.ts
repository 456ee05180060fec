import {
  type Exchange,
  everywhere,
  expectValue,
  headerValues,
  Inconclusive,
  isRefused,
  NothingToJudge,
  type Protocol,
  text,
  type WholeRun,
} from '../../harness/index.ts';
import { baseline, baselineOf } from '../scenarios/baselines.ts';
import { isSuccess, present } from '../scenarios/exchanges.ts';
import { lastLook } from '../scenarios/last-look.ts';
import { fewPointsFor } from '../scenarios/points/judged.ts';
import { credentialAttempts } from '../scenarios/requests/credential-attempts.ts';
import { unknownModel } from '../scenarios/requests/models.ts';
import { witness } from '../scenarios/stored/stored-responses.ts';
import {
  answeredPrompts,
  differentTexts,
  foreignWords,
  generatedPiece,
  requestText,
} from './content.ts';
import { type Withheld, withheldIn } from './withheld.ts';

type Answering = Protocol | 'models';

/** Answers to two prompts, the minimum for mixing them up. */
const severalTexts = { one: baseline.responses, other: witness };

everywhere.each('everywhere/content.own-words-only', (protocol: Answering) => ({
  least: { ...severalTexts, own: protocol === 'models' ? baseline.models : baselineOf[protocol] },
  which: (exchange) => exchange.about.protocol === protocol,
  partial: true,
  // Only the requests of a run contain words that occur nowhere else by chance.
  observed: 'never',
  judge: (exchange, run) => {
    expectValue(foreignWords(exchange, run), {
      as: 'words of requests that it has nothing to do with',
      of: exchange,
    }).toEqual([]);
    // Only the absence of foreign words can have another reason.
    notApplicableUnlessTextsCame(run);
    assumeTextsDiffer(exchange, run);
  },
}));

everywhere(
  'everywhere/content.denials-show-no-output',
  // Texts of real users may appear in a message by chance.
  {
    least: { ...severalTexts, denied: credentialAttempts.models },
    which: (exchange) => isDenial(exchange),
    observed: 'never',
  },
  (exchange, run) => {
    notApplicableUnlessTextsCame(run);
    assumeTextsDiffer(exchange, run);
    expectValue(generatedPiece(exchange, run), {
      as: 'a piece of a generated text in it',
      of: exchange,
    }).toEqual(null);
  },
);

everywhere.each('everywhere/content.withheld', (reason: Withheld) => ({
  least: {
    asked: reason === 'deleted' ? lastLook : fewPointsFor(reason),
    ...{ read: baseline.lookup, deleted: baseline.delete },
  },
  which: ({ about }) => about.protocol === 'responses',
  partial: true,
  turns: true,
  // Texts of real users may appear in a message by chance.
  observed: 'never',
  judge: (exchange, run) => {
    expectValue(withheldIn(exchange, reason, run), {
      as: 'content of the response that the request names',
      of: exchange,
    }).toBe('none', (shown) => shown === null);
  },
}));

everywhere(
  'everywhere/content.not-for-shared-caches',
  { least: baseline.models, which: isSuccess, observed: 'on the wire' },
  (exchange, { target }) => {
    if (target.keys.owner === undefined) throw new NothingToJudge('the gateway takes no key');
    const control = headerValues(exchange, 'cache-control').join(', ');
    const shared = /\b(?:public|s-maxage)\b/i.exec(control)?.[0] ?? null;
    expectValue(shared, { as: 'cache-control for whoever asks', of: exchange }).toEqual(null);
  },
);

/** Matches an address within a network, or a name that only its own cluster resolves. */
const inner =
  /\bhttps?:\/\/(localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|[\w.-]+\.(?:internal|local))\b/i;

everywhere(
  'everywhere/content.no-inner-addresses',
  { least: present(unknownModel.responses, 'responses'), which: (exchange) => isRefused(exchange) },
  (exchange) => {
    const body = text(exchange);
    const [shown = '', host = ''] = (body.ok ? inner.exec(body.value) : null) ?? [];
    // The gateway may itself have such an address, or quote one from the request.
    const own = [new URL(exchange.request.url).hostname, requestText(exchange)].join(' ');
    const foreign = shown !== '' && !own.toLowerCase().includes(host.toLowerCase()) ? shown : null;
    expectValue(foreign, { as: 'an address behind the gateway', of: exchange }).toEqual(null);
  },
);

/** True for a refusal because of the key, the user or the response. */
function isDenial(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  const isOwner = exchange.about.key === 'owner' || exchange.about.key === 'sameUser';
  return isRefused(exchange) && (!isOwner || [401, 403, 404, 410].includes(status));
}

/** Skips a run with fewer than two generated texts, which cannot be mixed up. */
function notApplicableUnlessTextsCame(run: WholeRun): void {
  if (answeredPrompts(run) > 1) return;
  throw new NothingToJudge('no two prompts were answered with a text');
}

/** Leaves a check undecided if all texts are equal: a server with a constant answer separates nothing. */
function assumeTextsDiffer(exchange: Exchange, run: WholeRun): void {
  if (differentTexts(run).size > 1) return;
  throw new Inconclusive('no two requests were answered with different texts', exchange);
}
