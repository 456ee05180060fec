import {
  assumeServed,
  at,
  type Exchange,
  expect,
  expectValue,
  generatedText,
  isObject,
  NothingToJudge,
  numberAt,
  outputTokens,
  type StreamingProtocol,
  usage,
} from '../../harness/index.ts';

interface Sum {
  /** Where an answer has its usage. */
  readonly usage: string;
  readonly total: string;
  /** Counts that every usage has. */
  readonly parts: readonly string[];
  /** Counts that a usage may have: without one, it is 0. */
  readonly more: readonly string[];
}

const sums: Readonly<Record<Exclude<StreamingProtocol, 'messages'>, Sum>> = {
  responses: {
    usage: 'usage',
    total: 'total_tokens',
    parts: ['input_tokens', 'output_tokens'],
    more: [],
  },
  'chat-completions': {
    usage: 'usage',
    total: 'total_tokens',
    parts: ['prompt_tokens', 'completion_tokens'],
    more: [],
  },
  // Protobuf JSON leaves a zero out; a prompt is never empty.
  generative: {
    usage: 'usageMetadata',
    total: 'totalTokenCount',
    parts: ['promptTokenCount'],
    more: ['candidatesTokenCount', 'toolUsePromptTokenCount', 'thoughtsTokenCount'],
  },
};

/** A protocol whose usage has a total. */
export type Summing = keyof typeof sums;

/** Judges that the total of a usage is the sum of its parts. A usage without either says nothing. */
export function expectSum(answer: Exchange, protocol: Summing): void {
  assumeServed(answer);
  const { total, parts, more } = sums[protocol];
  const counts = usage(answer);
  const told = numberAt(counts, total);
  const needed = parts.map((part) => numberAt(counts, part));
  if (told === null || needed.includes(null)) {
    throw new NothingToJudge(`the usage does not show ${[...parts, total].join(', ')}`);
  }
  const all = [...needed, ...more.map((part) => numberAt(counts, part))];
  const sum = all.reduce((so: number, part) => so + (part ?? 0), 0);
  const as = `${total} = ${[...parts, ...more].join(' + ')}`;
  expectValue(told, { as, of: answer }).toEqual(sum);
}

/**
 * Judges the same of a baseline answer, where a count that is not sent is 0. A total that is not sent, or
 * that is no number, is no wrong sum.
 */
export function expectTotalAddsUp(answer: Exchange, protocol: Summing): void {
  assumeServed(answer);
  const { usage: member, total, parts, more } = sums[protocol];
  const all = [...parts, ...more];
  const addsUp = (body: unknown): boolean => {
    const counts = at(body, member);
    const sum = all.reduce((so, part) => so + (numberAt(counts, part) ?? 0), 0);
    const told = isObject(counts) ? numberAt(counts, total) : null;
    return told === null || told === sum;
  };
  expect(answer).toHave(`${member}.${total} = ${all.join(' + ')}`, addsUp, (body) =>
    at(body, member),
  );
}

/** Judges that the usage of an answer with text, where it counts the output, does not count nothing. */
export function expectOutputCounted(answer: Exchange): void {
  assumeServed(answer);
  if (generatedText(answer) === '') throw new NothingToJudge('no text was generated');
  const count = outputTokens(answer);
  if (count === null) throw new NothingToJudge('the answer shows no count of its output');
  expectValue(count, { as: 'tokens of the output, by the usage', of: answer }).toBeMoreThan(0);
}
