import { protocolOfCapability } from '../../kernel/core/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import type { Defect, Dialect } from '../../reference/index.ts';
import { seam, together } from '../planting.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Serves the endpoints of these dialects only. */
function having(...names: readonly Dialect['name'][]): Defect['override'] {
  return seam(
    'endpoints',
    'routes',
    (native) => (one) => (names.includes(one.name) ? native(one) : []),
  );
}

/** Offers no access to created responses, no continuations and no background runs. */
const forgetful: Defect['override'] = ({ endpoints, policy }) => ({
  endpoints: {
    routes: (one) => endpoints.routes(one).filter(({ path }) => !path.source.includes('<id>')),
  },
  policy: {
    isStored: () => false,
    supports: (model, capability, call) =>
      capability !== 'background' && policy.supports(model, capability, call),
  },
});

/** Returns the target file of an owner with one key, whose gateway has one region, one model and no probes. */
function small(target: Target): Target {
  const { owner } = target.keys;
  return {
    ...target,
    regions: target.regions.slice(0, 1),
    models: target.models.slice(0, 1),
    keys: owner === undefined ? {} : { owner },
    probes: { ledger: [], clock: [] },
    singleRegion: true,
    singleUser: true,
    oneKeyPerUser: true,
    withoutProbes: true,
  };
}

/** Returns a target whose models declare only this protocol, and lack the given capabilities. */
function declaring(
  target: Target,
  protocol: 'chat-completions' | 'responses',
  lack?: 'background',
): Target {
  const models = target.models.map((model) => ({
    ...model,
    protocols: [protocol],
    supports: model.supports.filter(
      (one) => one !== lack && (protocolOfCapability[one] ?? protocol) === protocol,
    ),
    lacks: lack === undefined ? [] : [lack],
  }));
  return { ...target, models };
}

export const restricted: readonly HonestGateway[] = [
  {
    id: 'small.chat-alone',
    what: 'It serves Chat Completions alone, in one region, for one user with one key, and has no probes.',
    override: having('chat-completions', 'models'),
    described: (target) => declaring(small(target), 'chat-completions'),
  },
  {
    id: 'small.stores-nothing',
    what: 'It serves Responses alone and stores none, in one region, for one user with one key, and has no probes.',
    override: together(having('responses', 'models'), forgetful),
    described: (target) => ({
      ...declaring(small(target), 'responses', 'background'),
      withoutStorage: true,
    }),
  },
];
