import {
  type CallOptions,
  type Exchange,
  type Io,
  protocolModules,
} from '../../../harness/index.ts';
import { whatCameOf } from '../requests/accepted-requests.ts';

/**
 * A continuation in every form but the plain one, of a response that may not be continued: as a stream,
 * in the background, with a tool.
 *
 * @param looks who looks up what was accepted to run later
 */
export function continuationAttempts(
  io: Io,
  previous_response_id: string,
  as: CallOptions,
  looks: CallOptions,
): Promise<readonly Exchange[]> {
  const body = { previous_response_id };
  const [stream, background, tool] = [io.lane('stream'), io.lane('background'), io.lane('tool')];
  const inBackground = async () => {
    const asked = await background.responses.create({ ...body, background: true, store: true }, as);
    return whatCameOf(background, asked, looks);
  };
  return Promise.all([
    stream.responses.stream(body, as),
    inBackground(),
    tool.responses.create({ ...protocolModules.responses.tools.forcedCall(), ...body }, as),
  ]);
}
