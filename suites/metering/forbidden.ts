import {
  type Exchange,
  isRefused,
  json,
  permittedKeys,
  protocolOf,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { creatorOf, namedModel, requestBody } from '../scenarios/exchanges.ts';
import { fatesOf } from '../scenarios/metering/generations-sent.ts';

/**
 * True for a refused request that the specification forbids: without a good key or the version header of Messages,
 * for a model that its key may not use or that does not declare the protocol, for what the channel of the model
 * lacks, or a continuation that is denied.
 */
export function isForbidden(request: Exchange, run: WholeRun): boolean {
  const { target } = run;
  const { key, operation } = request.about;
  if (!turnsOf(request).every((turn) => isRefused(turn, { capability: true }))) return false;
  if (!Object.keys(target.keys).includes(key)) return true;
  if (request.about.protocol === 'messages' && !isVersioned(request)) return true;
  const body = requestBody(request) ?? {};
  if (body.background === true && body.store === false) return true;
  if (continuesDenied(request, run)) return true;
  const id = namedModel(request);
  const model = target.models.find((one) => one.id === id);
  const protocol = protocolOf(request);
  if (model === undefined || protocol === null) return false;
  const needed = [
    ...(body.stream === true ? [`stream:${protocol}`] : []),
    ...(body.background === true ? ['background'] : []),
    ...(operation === 'responses.compact' ? ['compact'] : []),
  ];
  return (
    !model.protocols.includes(protocol) ||
    !permittedKeys(model).some((one) => one === key) ||
    model.lacks.some((capability) => needed.includes(capability))
  );
}

/** True if a request continues a response of another user, one that is not stored, or one that was deleted before. */
function continuesDenied(request: Exchange, run: WholeRun): boolean {
  const made = creatorOf(json.text(requestBody(request), 'previous_response_id') ?? '', run);
  if (made === null) return false;
  const isOther = [made, request].filter(({ about }) => about.key === 'otherUser').length === 1;
  const isGone = fatesOf(run, made).some(
    ({ deletion }) => deletion !== null && deletion.times.ended <= request.times.started,
  );
  return isOther || isGone || requestBody(made)?.store === false;
}

function isVersioned({ request }: Exchange): boolean {
  return request.headers.some(([name, value]) => /^(?!x-).+-version$/i.test(name) && value !== '');
}
