import { type Exchange, type Protocol, protocols } from '../core/index.ts';
import type { Call } from '../protocols/index.ts';
import { isHtml, type Region, type Target, Unreachable } from '../targets/index.ts';
import { classifyRefusal } from './classify-refusal.ts';
import { type Ask, answerOf } from './free-requests.ts';
import { membersOf, noModel, unservable } from './unservable.ts';

/**
 * Checks in each region that a generation endpoint exists, with requests that no gateway can serve. Stops at the
 * first existing endpoint, which usually takes one request.
 *
 * @throws {Unreachable} with the observed answers if none exists
 */
export async function assertLooksLikeGateway(target: Target, ask: Ask): Promise<void> {
  const found = await Promise.all(target.regions.map((region) => noGatewayAt(region, target, ask)));
  const obstacles = found.filter((obstacle) => obstacle !== null);
  if (obstacles.length > 0) throw new Unreachable(obstacles.join('\n\n'));
}

/** Explains why there is no gateway in a region, with advice. Null if there may be one. */
export async function noGatewayAt(
  region: Region,
  { models }: Target,
  ask: Ask,
): Promise<string | null> {
  const declared = (protocol: Protocol) =>
    models.find((model) => model.protocols.includes(protocol));
  const seen: string[] = [];
  for (const protocol of [...protocols].sort((one, other) => rank(one) - rank(other))) {
    const model = declared(protocol)?.id ?? noModel;
    const call = unservable(protocol, model);
    const exchange = await ask(call, { region: region.name });
    if (!isNothingThere(exchange, call, model)) return null;
    seen.push(`${call.method} ${call.path.replace(noModel, 'MODEL')} ${answerOf(exchange)}`);
  }
  return (
    `${region.baseUrl} (region ${region.name}) does not look like a gateway: no generation endpoint answers ` +
    `like one. ${seen.join(', ')}.\n` +
    'Check the base address: the paths of the interface are added to it.'
  );

  /** Protocols that the target file declares are tried first. */
  function rank(protocol: Protocol): number {
    return declared(protocol) === undefined ? 1 : 0;
  }
}

/**
 * True only if the status indicates that nothing exists, or the answer is not that of an API. A gateway that is
 * broken, sends nothing or refuses the key still exists, and a run reports its defects.
 */
function isNothingThere(exchange: Exchange, call: Call, model: string): boolean {
  const { response, failure } = exchange;
  if (response === null || failure !== null) return false;
  const { status } = response;
  if (status < 300) return isHtml(response);
  if (status < 400) return true;
  const about = classifyRefusal(exchange, model, membersOf(call));
  return [404, 405, 410, 501].includes(status) && about !== 'model' && about !== 'body';
}
