import {
  assumeServed,
  ending,
  expectValue,
  generatedText,
  Inconclusive,
  NothingToJudge,
  nativeBody,
  outputTokens,
  protocolModules,
  type StreamingProtocol,
  textAt,
  thoughtTokens,
} from '../../harness/index.ts';
import type { Cut } from '../scenarios/generations/truncated.ts';

/** Judges that an answer has no more tokens than it may have, by its own count. */
export function expectLimitKept({ cut, limit }: Cut, protocol: StreamingProtocol): void {
  assumeServed(cut);
  const { member, output } = protocolModules[protocol].usage;
  const as = `${member}.${output}`;
  const count = outputTokens(cut);
  if (count === null && protocol === 'messages') {
    throw new Inconclusive(`the message has no ${as}`, cut);
  }
  if (count === null) throw new NothingToJudge(`the answer has no ${as}`);
  if (count === 0 && generatedText(cut) !== '') throw new Inconclusive(`${as} counts nothing`, cut);
  expectValue(count, { as, of: cut }).toBeAtMost(limit);
}

/** Judges that an answer that came to its limit says so. */
export function expectTruncationReported({ cut, limit }: Cut, protocol: StreamingProtocol): void {
  assumeServed(cut);
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
  expectValue(end, { as: 'why it ended', of: cut }).toEqual(
    protocolModules[protocol].endings.limit,
  );
  if (protocol !== 'responses') return;
  // That there is a reason is a requirement of its own.
  const reason = textAt(nativeBody(cut), 'incomplete_details.reason') ?? 'max_output_tokens';
  expectValue(reason, { as: 'incomplete_details.reason', of: cut }).toEqual('max_output_tokens');
}
