import { endpoints } from '../../../reference/endpoint-names.ts';
import type { JsonObject } from '../../../reference/json.ts';
import { inOneRegion } from '../../decisions.ts';
import { endpointOf, errorBodies } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Answers that are written wrongly in a corner: where no check of one flow looks.

const protocols = ['responses', 'chat-completions', 'messages', 'generative', 'systemone'] as const;

function enveloped(body: JsonObject, requestId: string): JsonObject {
  return { data: null, requestId, ...body };
}

export const everywhereCornerFaults: readonly Fault[] = [
  ...endpoints.map(
    (endpoint): Fault => ({
      id: `corners.enveloped-refusals-${endpoint}`,
      what: `Refusals of \`${endpoint}\` have \`data\` and \`requestId\` at the top.`,
      breaks: [`everywhere/native.refusal-not-enveloped:${endpoint}`],
      override: errorBodies(
        ({ call }) => endpointOf(call) === endpoint,
        (body, { call }) => enveloped(body, call.requestId),
      ),
    }),
  ),
  inOneRegion('us', {
    id: 'corners.enveloped-denials',
    what: 'What is not permitted is refused in the envelope of the console API.',
    breaks: ['everywhere/native.refusal-not-enveloped'],
    shownBy: ['access/regions.unpermitted-model-refused'],
    override: errorBodies(
      ({ refusal }) => refusal.reason === 'unpermitted-model',
      (body, { call }) => ({ data: body, requestId: call.requestId }),
    ),
  }),
  ...protocols.map(
    (protocol): Fault => ({
      id: `corners.refusals-as-text-${protocol}`,
      what: `Refusals of ${protocol} are sent as text/html.`,
      breaks: [`everywhere/native.error-content-type:${protocol}`],
      override: ({ encode }) => ({
        encode: {
          headers: (kind, headers, context) => ({
            ...encode.headers(kind, headers, context),
            ...(context.refusal !== null && context.call.dialect.name === protocol
              ? { 'content-type': 'text/html; charset=utf-8' }
              : {}),
          }),
        },
      }),
    }),
  ),
];
