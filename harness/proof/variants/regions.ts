import { type Defect, type Operation, Refusal } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { together } from '../planting.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

/** Serves nothing at the paths of these operations, for any client. */
function withoutOperations(operations: readonly Operation[]): Defect['override'] {
  return decide('keyFor', (native) => (secret, call) => {
    if (!operations.includes(call.operation)) return native(secret, call);
    throw new Refusal('unknown-path', `Unknown request URL: ${call.path}.`);
  });
}

export const regionsVariants: readonly Variant[] = planted({
  'regions.three': { regions: ['ap'], override: () => ({}) },
  'regions.second-without-counts': {
    regions: ['us'],
    override: withoutOperations([
      'responses.compact',
      'responses.input-tokens',
      'messages.count-tokens',
      'generative.count-tokens',
    ]),
  },
  'regions.second-without-websocket': {
    regions: ['us'],
    override: withoutOperations(['responses.websocket']),
  },
  'regions.second-without-protocols': {
    regions: ['us'],
    override: together(
      decide(
        'listedModels',
        (native) => (key, call) =>
          native(key, call).filter(({ protocols }) =>
            protocols.every((declared) => declared === 'responses'),
          ),
      ),
      withoutOperations([
        'chat-completions.create',
        'messages.create',
        'messages.count-tokens',
        'generative.generate',
        'generative.stream',
        'generative.count-tokens',
        'models.catalog',
        'systemone.create',
      ]),
    ),
  },
});
