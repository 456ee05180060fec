import { type Defect, type Operation, Refusal } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { together } from '../planting.ts';
import type { Variant } from './variant.ts';

/** Serves nothing at the paths of these operations, whoever asks. */
function without(operations: readonly Operation[]): Defect['override'] {
  return decide('keyFor', (native) => (secret, call) => {
    if (!operations.includes(call.operation)) return native(secret, call);
    throw new Refusal('unknown-path', `Unknown request URL: ${call.path}.`);
  });
}

export const regionsVariants: readonly Variant[] = [
  {
    id: 'regions.three',
    what: 'There is a third region.',
    regions: ['ap'],
    override: () => ({}),
  },
  {
    id: 'regions.second-without-counts',
    what: 'The second region has no endpoint that counts tokens, and none for compact.',
    regions: ['us'],
    override: without([
      'responses.compact',
      'responses.input-tokens',
      'messages.count-tokens',
      'generative.count-tokens',
    ]),
  },
  {
    id: 'regions.second-without-websocket',
    what: 'The second region opens no WebSocket.',
    regions: ['us'],
    override: without(['responses.websocket']),
  },
  {
    id: 'regions.second-without-protocols',
    what: 'The second region serves Responses only: it has no other path, and lists no other model.',
    regions: ['us'],
    override: together(
      decide(
        'listedModels',
        (native) => (key, call) =>
          native(key, call).filter(({ protocols }) =>
            protocols.every((declared) => declared === 'responses'),
          ),
      ),
      without([
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
];
