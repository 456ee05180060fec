import { type OtherGateway, publishers } from './gateway.ts';

/** A mock of many vendors' interfaces, with answers from fixtures. Keys are checked when they are given. */
export const aimock: OtherGateway = {
  name: '@copilotkit/aimock',
  short: 'aimock',
  version: '1.43.0',
  prepare: ({ port }) => ({
    program: 'dist/cli.js',
    parameters: ['--port', String(port), '--fixtures', 'fixtures.json', '--log-level', 'warn'],
    environment: { AIMOCK_API_KEYS: 'sk-owner-1,sk-owner-2' },
    files: { 'fixtures.json': JSON.stringify({ fixtures }) },
    target: {
      names: publishers,
      keys: { owner: 'sk-owner-1', sameUser: 'sk-owner-2' },
      // Models in its own list.
      models: [
        {
          id: 'gpt-4o',
          protocols: ['responses', 'chat'],
          supports: ['stream', 'tools', 'websocket'],
          lacks: ['background', 'compact', 'input_tokens'],
          deterministic: true,
        },
        {
          id: 'claude-3-5-sonnet-20241022',
          protocols: ['vendorA-messages'],
          supports: ['stream', 'tools'],
          lacks: ['count_tokens'],
          deterministic: true,
        },
        {
          id: 'gemini-2.0-flash',
          protocols: ['vendorB'],
          supports: ['stream', 'tools'],
          lacks: ['vendorB-count'],
          deterministic: true,
        },
      ],
    },
  }),
};

/** A question with the tool is answered with a call of it, everything else with a text. */
const fixtures = [
  {
    match: { toolName: 'get_weather', hasToolResult: false },
    response: { toolCalls: [{ name: 'get_weather', arguments: { city: 'Paris' } }] },
  },
  {
    match: {},
    response: { content: 'The harbour is quiet this morning, and the gulls are asleep.' },
  },
];
