import {
  at,
  check,
  checkEach,
  type Exchange,
  ending,
  expect,
  expectValue,
  findingsOf,
  generatedText,
  Inconclusive,
  isObject,
  mustBeServed,
  NothingToJudge,
  numberAt,
  outputTokens,
  type StreamingProtocol,
  thoughtTokens,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { cutShort } from './cut-short.ts';

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
  judge: ({ ordinary }) => mustCountOutput(ordinary),
}));

checkEach('rules/metering.streamed-usage-counts-output', (protocol: StreamingProtocol) => ({
  on: ordinaryStream[protocol],
  judge: ({ streamed }) => {
    // On Messages the count of the beginning is 0, and no later one may come.
    if (findingsOf(streamed)?.violations.some(({ rule }) => rule === 'usage-present')) {
      throw new Inconclusive('the stream does not show its last count', streamed);
    }
    mustCountOutput(streamed);
  },
}));

function mustCountOutput(answer: Exchange): void {
  mustBeServed(answer);
  if (generatedText(answer) === '') throw new NothingToJudge('no text was generated');
  const count = outputTokens(answer);
  if (count === null) throw new NothingToJudge('the answer shows no count of its output');
  expectValue(count, { as: 'tokens of the output, by the usage', of: answer }).toBeMoreThan(0);
}

const limited = [
  ['chat-completions/create.output-limit', 'chat-completions', 'usage.completion_tokens'],
  ['messages/create.output-limit', 'messages', 'usage.output_tokens'],
  ['generative/generate.output-limit', 'generative', 'usageMetadata.candidatesTokenCount'],
] as const;

for (const [id, protocol, as] of limited) {
  check(id, cutShort[protocol], ({ cut, limit }) => {
    mustBeServed(cut);
    const count = outputTokens(cut);
    if (count === null && protocol === 'messages') {
      throw new Inconclusive(`the message has no ${as}`, cut);
    }
    if (count === null) throw new NothingToJudge(`the answer has no ${as}`);
    if (count === 0 && generatedText(cut) !== '')
      throw new Inconclusive(`${as} counts nothing`, cut);
    expectValue(count, { as, of: cut }).toBeAtMost(limit);
  });
}

const limitReached = [
  ['chat-completions/create.cut-short-is-length', 'chat-completions', 'length'],
  ['messages/create.cut-short-is-max-tokens', 'messages', 'max_tokens'],
  ['generative/generate.cut-short-is-max-tokens', 'generative', 'MAX_TOKENS'],
] as const;

for (const [id, protocol, reason] of limitReached) {
  check(id, cutShort[protocol], ({ cut, limit }) => {
    mustBeServed(cut);
    const shown = outputTokens(cut);
    const thoughts = thoughtTokens(cut);
    // Protobuf JSON leaves a zero out: where all was thought, nothing is shown.
    const tokens = shown === null && thoughts === 0 ? null : (shown ?? 0) + thoughts;
    if (tokens !== limit) {
      const seen = tokens === null ? 'an uncounted answer' : `an answer of ${tokens} tokens`;
      throw new Inconclusive(`${seen} did not come to its limit of ${limit} and stop there`, cut);
    }
    const end = ending(cut);
    if (end === null) throw new Inconclusive('the answer does not say why it ended', cut);
    expectValue(end, { as: 'why it ended', of: cut }).toEqual(reason);
  });
}
