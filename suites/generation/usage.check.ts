import {
  at,
  check,
  checkEach,
  expect,
  findingsOf,
  Inconclusive,
  isObject,
  mustBeServed,
  numberAt,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { cutShort } from './cut-short.ts';
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

check('chat-completions/create.usage-adds-up', ordinary['chat-completions'], ({ ordinary }) => {
  mustBeServed(ordinary);
  expect(ordinary).toHave(inWords(sums.chat), addsUp(sums.chat), (body) => at(body, 'usage'));
});

check('generative/generate.usage-adds-up', ordinary['generate-content'], ({ ordinary }) => {
  mustBeServed(ordinary);
  const sum = sums.generative;
  expect(ordinary).toHave(inWords(sum), addsUp(sum), (body) => at(body, 'usageMetadata'));
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

checkEach('rules/metering.usage-counts-output', (protocol: StreamingProtocol) => ({
  on: ordinary[mainEndpoint[protocol]],
  judge: ({ ordinary }) => expectOutputCounted(ordinary),
}));

checkEach('rules/metering.streamed-usage-counts-output', (protocol: StreamingProtocol) => ({
  on: ordinaryStream[protocol],
  judge: ({ streamed }) => {
    // On Messages the count of the beginning is 0, and no later one may come.
    if (findingsOf(streamed)?.violations.some(({ rule }) => rule === 'usage-present')) {
      throw new Inconclusive('the stream does not show its last count', streamed);
    }
    expectOutputCounted(streamed);
  },
}));

const limited = [
  ['chat-completions/create', 'chat-completions'],
  ['messages/create', 'messages'],
  ['generative/generate', 'generative'],
] as const;

for (const [area, protocol] of limited) {
  check(`${area}.output-limit`, cutShort[protocol], (cut) => expectLimitKept(cut, protocol));
}

const limitReached = [
  ['chat-completions/create.cut-short-is-length', 'chat-completions'],
  ['messages/create.cut-short-is-max-tokens', 'messages'],
  ['generative/generate.cut-short-is-max-tokens', 'generative'],
] as const;

for (const [id, protocol] of limitReached) {
  check(id, cutShort[protocol], (cut) => expectCutShortTold(cut, protocol));
}
