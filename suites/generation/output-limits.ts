import {
  assumeServed,
  contentOf,
  expectValue,
  Inconclusive,
  json,
  NothingToJudge,
  nativeBody,
  protocolModules,
  type StreamingProtocol,
  tokenCounts,
} from '../../harness/index.ts';
import type { Truncated } from '../scenarios/generations/conversations.ts';
import { expectWithinLimit, isAtLimit } from '../scenarios/token-counts.ts';

/** Judges that an answer does not exceed its output limit, by its own count. */
export function expectLimitKept({ answer, limit }: Truncated, protocol: StreamingProtocol): void {
  assumeServed(answer);
  const { member, output } = protocolModules[protocol].usage;
  const as = `${member}.${output}`;
  const count = tokenCounts.output(answer);
  if (count === null && protocol === 'messages') {
    throw new Inconclusive(`the message has no ${as}`, answer);
  }
  if (count === null) throw new NothingToJudge(`the answer has no ${as}`);
  if (count === 0 && contentOf(answer).text !== '')
    throw new Inconclusive(`${as} counts nothing`, answer);
  expectWithinLimit(count, limit, { as, of: answer });
}

export function expectTruncationReported(
  { answer, limit }: Truncated,
  protocol: StreamingProtocol,
): void {
  assumeServed(answer);
  const shown = tokenCounts.output(answer);
  const thoughts = tokenCounts.thoughts(answer);
  // Protobuf JSON omits a zero: an answer that consists only of thoughts shows no output count.
  const tokens = shown === null && thoughts === 0 ? null : (shown ?? 0) + thoughts;
  if (!isAtLimit(tokens, limit)) {
    const seen = tokens === null ? 'an uncounted answer' : `an answer of ${tokens} tokens`;
    throw new Inconclusive(`${seen} did not reach its limit of ${limit} and stop there`, answer);
  }
  const end = contentOf(answer).ending;
  if (end === null) throw new Inconclusive('the answer does not say why it ended', answer);
  expectValue(end, { as: 'why it ended', of: answer }).toEqual(
    protocolModules[protocol].endings.limit,
  );
  if (protocol !== 'responses') return;
  // Another check requires a reason.
  const reason = json.text(nativeBody(answer), 'incomplete_details.reason') ?? 'max_output_tokens';
  expectValue(reason, { as: 'incomplete_details.reason', of: answer }).toEqual('max_output_tokens');
}
