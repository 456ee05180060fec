import type { Rejudged, RejudgeOptions } from '../../kernel/engine/index.ts';
import type { Recording } from '../../kernel/recordings/index.ts';

/**
 * Judges the exchanges of a recording with this suite, without the gateway: nothing is sent.
 *
 * @param from a file that `--record` of `run`, `client` or `observe` wrote, or its content
 * @throws {BadRecording} if it is no recording
 * @throws {UnfitFile} if judging a file takes too much time or memory
 * @throws {UnknownRequirement} if a filter matches nothing
 */
export async function recheck(
  from: string | Recording,
  options: RejudgeOptions = {},
): Promise<Rejudged> {
  // Recordings of clients and of observed traffic are judged by their features.
  await import('../../features.ts');
  const { rejudgeAny, rejudgedApart } = await import('../../kernel/cli/index.ts');
  return typeof from === 'string' ? rejudgedApart(from, options) : rejudgeAny(from, options);
}
