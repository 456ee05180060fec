import { claims, type OtherGateway, publishers } from './gateway.ts';

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
        claims(
          'gpt-4o',
          ['responses', 'chat'],
          ['stream', 'tools', 'websocket'],
          ['background', 'compact', 'input_tokens'],
        ),
        claims(
          'claude-3-5-sonnet-20241022',
          ['vendorA-messages'],
          ['stream', 'tools'],
          ['count_tokens'],
        ),
        claims('gemini-2.0-flash', ['vendorB'], ['stream', 'tools'], ['vendorB-count']),
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
