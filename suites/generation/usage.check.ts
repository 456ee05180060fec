import {
  assumeServed,
  at,
  check,
  checkEach,
  expect,
  findingsOf,
  Inconclusive,
  isObject,
  numberAt,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { truncated } from '../scenarios/truncated.ts';
import { expectCutShortTold, expectLimitKept } from './limit-kept.ts';
import { expectOutputCounted } from './usage-sums.ts';

interface Sum {
  readonly usage: string;
  readonly total: string;
  readonly parts: readonly string[];
}

const sums = {
  chat: {
    usage: 'usage',
    total: 'total_tokens',
    parts: ['prompt_tokens', 'completion_tokens'],
  },
  // Protobuf JSON leaves a zero out.
  generative: {
    usage: 'usageMetadata',
    total: 'totalTokenCount',
    parts: [
      'promptTokenCount',
      'candidatesTokenCount',
      'toolUsePromptTokenCount',
      'thoughtsTokenCount',
    ],
  },
} as const;

check('generation/chat-completions.usage-adds-up', baseline['chat-completions'], ({ baseline }) => {
  assumeServed(baseline);
  expect(baseline).toHave(inWords(sums.chat), addsUp(sums.chat), (body) => at(body, 'usage'));
});

check('generation/generative.usage-adds-up', baseline['generate-content'], ({ baseline }) => {
  assumeServed(baseline);
  const sum = sums.generative;
  expect(baseline).toHave(inWords(sum), addsUp(sum), (body) => at(body, 'usageMetadata'));
});

function inWords({ usage, total, parts }: Sum): string {
  return `${usage}.${total} = ${parts.join(' + ')}`;
}

/** A total that is not sent, or that is no number, is no wrong sum. */
function addsUp({ usage, total, parts }: Sum): (body: unknown) => boolean {
  return (body) => {
    const counts = at(body, usage);
    const sum = parts.reduce((so, part) => so + (numberAt(counts, part) ?? 0), 0);
    const told = isObject(counts) ? numberAt(counts, total) : null;
    return told === null || told === sum;
  };
}

checkEach('generation/usage.counts-output', (protocol: StreamingProtocol) => ({
  on: baseline[mainEndpoint[protocol]],
  judge: ({ baseline }) => expectOutputCounted(baseline),
}));

checkEach('generation/usage.stream-counts-output', (protocol: StreamingProtocol) => ({
  on: baselineStream[protocol],
  judge: ({ streamed }) => {
    // On Messages the count of the beginning is 0, and no later one may come.
    if (findingsOf(streamed)?.violations.some(({ rule }) => rule === 'usage-present')) {
      throw new Inconclusive('the stream does not show its last count', streamed);
    }
    expectOutputCounted(streamed);
  },
}));

const limited = [
  ['generation/chat-completions', 'chat-completions'],
  ['generation/messages', 'messages'],
  ['generation/generative', 'generative'],
] as const;

for (const [area, protocol] of limited) {
  check(`${area}.output-limit`, truncated[protocol], (cut) => expectLimitKept(cut, protocol));
}

const limitReached = [
  ['generation/chat-completions.truncated-is-length', 'chat-completions'],
  ['generation/messages.truncated-is-max-tokens', 'messages'],
  ['generation/generative.truncated-is-max-tokens', 'generative'],
] as const;

for (const [id, protocol] of limitReached) {
  check(id, truncated[protocol], (cut) => expectCutShortTold(cut, protocol));
}
