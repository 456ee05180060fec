import {
  calledFunction,
  check,
  type EndpointName,
  type Exchange,
  each,
  type Fields,
  isRefused,
  NothingToJudge,
  prose,
  protocolBy,
  protocolModules,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { present } from '../scenarios/exchanges.ts';
import { earlierTurns, earlierWords } from '../scenarios/generations/generation-calls.ts';
import { onAlternatePath } from '../scenarios/requests/alternate-paths.ts';
import { expectCounted } from '../scenarios/token-counts.ts';

type Counting = 'messages-count-tokens' | 'count-tokens' | 'input-tokens';

/** Parts of a request besides a short last turn. */
type Part = 'system' | 'tools' | 'earlier-turns';

const words: Readonly<Record<Part, number>> = {
  system: prose.wordsOfTexts.system,
  tools: calledFunction.wordsOfTerms,
  'earlier-turns': earlierWords,
};

/** Baseline count, and one more count with each part. */
const counts = each(
  ['messages-count-tokens', 'count-tokens', 'alternate-path', 'input-tokens'],
  (name: Counting | 'alternate-path') => {
    const endpoint: Counting & EndpointName = name === 'alternate-path' ? 'count-tokens' : name;
    return scenario(
      `counting/parts/${name}`,
      {
        after: { short: baseline[endpoint] },
        cost: { requests: 3, generations: 0, chain: 1 },
      },
      async (io, { short: { baseline: short, input } }) => {
        const { request, tools } = protocolModules[protocolBy.endpoint[endpoint]];
        const { conversation, countBody } = request;
        const last = { by: 'user', texts: [input] } as const;
        const asking = (said: Fields): Promise<Exchange> =>
          io.ask(endpoint, {
            input,
            change: (call) => {
              const model = io.model.id;
              const { contents: _, ...named } = Object(call.body);
              const body = { ...named, ...present(countBody, 'count')(said, model) };
              const counted = { ...call, body };
              return name === 'alternate-path' ? onAlternatePath(counted) : counted;
            },
          });
        const [system, withTools, turns] = await Promise.all([
          asking(conversation([last], io.longTexts.system)),
          asking({ ...conversation([last]), tools: tools.offered().tools }),
          asking(conversation([...earlierTurns(io.longTexts), last])),
        ]);
        return { short, longer: { system, tools: withTools, 'earlier-turns': turns } };
      },
    );
  },
);

check.each('counting/input.counted', (name: keyof typeof counts, part: Part) => ({
  on: counts[name],
  judge: ({ short, longer }) => {
    if (isRefused(longer[part])) throw new NothingToJudge(`a count with ${part} is refused`);
    expectCounted(words[part], longer[part], short);
  },
}));
