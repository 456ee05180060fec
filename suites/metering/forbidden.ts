import {
  type Exchange,
  isRefused,
  permittedKeys,
  protocolOf,
  turnsOf,
  type WholeRun,
} from '../../harness/index.ts';
import { namedModel, requestBody } from '../scenarios/exchanges.ts';

/**
 * True for a refused request that the specification forbids: without a good key or the version header of Messages,
 * for a model that its key may not use or that does not declare the protocol, or for what the channel of the model
 * lacks.
 */
export function isForbidden(request: Exchange, { target }: WholeRun): boolean {
  const { key, operation } = request.about;
  if (!turnsOf(request).every((turn) => isRefused(turn, { capability: true }))) return false;
  if (!Object.keys(target.keys).includes(key)) return true;
  if (request.about.protocol === 'messages' && !isVersioned(request)) return true;
  const body = requestBody(request) ?? {};
  if (body.background === true && body.store === false) return true;
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

function isVersioned({ request }: Exchange): boolean {
  return request.headers.some(([name, value]) => /^(?!x-).+-version$/i.test(name) && value !== '');
}
