import type { NativeBody, ProtocolModule } from '../module.ts';
import { fetchClient } from '../usual-client.ts';
import { systemoneCall, systemoneClient, systemoneQuestion } from './client.ts';

/**
 * The form of a decision is not specified. A body with the characteristic members of another protocol is not a
 * decision.
 */
const decision: NativeBody = {
  has: (body) => Object.keys(body).length > 0 && !/^(response|chat)\b/.test(`${body.object}`),
  isUnspecified: true,
};

/** The System One protocol: decisions in one body, without an output limit. */
export const systemone = {
  credential: { configured: 'systemone' },
  endpoints: {
    systemone: {
      supports: [],
      namesModel: 'body',
      call: ({ model, systemoneBody }) => systemoneCall({ ...systemoneBody, model }),
    },
  },
  mainEndpoint: 'systemone',
  streamEndpoint: null,
  usualClient: fetchClient,
  operations: { 'systemone.create': { answer: decision, generates: true } },
  errorSchema: 'systemone/error',
  client: systemoneClient,
  request: {
    input: 'questions',
    wrongInputs: [],
    optionalMembers: {},
    untypedMembers: ['state', 'criteria'],
    text: 'state',
    textValue: (text) => text,
    outputLimit: null,
    generation: systemoneQuestion,
    call: systemoneCall,
    streamCall: null,
  },
  content: null,
  usage: null,
  endings: null,
  tools: null,
  stream: null,
} as const satisfies ProtocolModule<'systemone'> & { readonly client: typeof systemoneClient };
