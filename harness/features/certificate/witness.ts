import { formatId } from '../../kernel/core/index.ts';
import { chance, isSentBy, runIdentity } from '../../kernel/drawn/index.ts';
import type { Recording } from '../../kernel/recordings/index.ts';
import { sessionsIn } from '../sessions/index.ts';

/**
 * Lists what in a recording is not derived from a verifier's challenge. If the list is empty, and judging the
 * exchanges again gives equal verdicts, all of them were sent after the challenge was known. Only the first problem
 * of each kind is named.
 *
 * @param challenge null uses the challenge that the recording itself names, if any
 */
export function witnessProblems(recording: Recording, challenge: string | null): string[] {
  const { header } = recording;
  const named = header.challenge;
  if (challenge !== null && named !== challenge) {
    return [
      named === undefined
        ? 'it was made without a challenge, so it may have been made before yours'
        : `it was made for the challenge ${named}, which is not yours`,
    ];
  }
  const expected = runIdentity(header.seed, named, header.startedAt);
  if (named !== undefined && header.seed !== expected.seed) {
    return ['its seed does not follow from the challenge'];
  }
  if (named !== undefined && header.runId !== expected.runId) {
    return ['the id of its run does not follow from the challenge and the start'];
  }
  return header.target.client === undefined ? requestProblems(recording) : wordProblems(recording);
}

/** The id of each request is derived from the run and the id of its exchange. */
function requestProblems({ header, exchanges }: Recording): string[] {
  const odd = exchanges.find((exchange) => !isSentBy(header.runId, exchange));
  return odd === undefined
    ? []
    : [
        `the id of the request ${formatId(odd.id)} does not follow from its run: another run has sent it`,
      ];
}

/** A client chooses its own requests, but its prompts contain a word of this run. */
function wordProblems(recording: Recording): string[] {
  const { seed } = recording.header;
  const odd = sessionsIn(recording).find(
    ({ id, word }) => word !== chance(seed, formatId(id)).word(),
  );
  return odd === undefined
    ? []
    : [
        `the word of the start ${formatId(odd.id)} does not follow from the seed: it is of another run`,
      ];
}
