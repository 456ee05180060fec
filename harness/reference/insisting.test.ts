import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { startReference } from './start.ts';
import { bearer, post } from './testing-requests.ts';

// A defect may lift any rule. What is let through then must not break the gateway: a fault is to break
// one requirement, not to answer 500 to everything.

const paths: readonly [path: string, good: Record<string, Json>, conversation: string][] = [
  [
    '/v1/chat/completions',
    { model: 'ts-omni', messages: [{ role: 'user', content: 'x' }] },
    'messages',
  ],
  [
    '/v1/messages',
    { model: 'ts-omni', max_tokens: 16, messages: [{ role: 'user', content: 'x' }] },
    'messages',
  ],
  [
    '/v1/messages/count_tokens',
    { model: 'ts-omni', messages: [{ role: 'user', content: 'x' }] },
    'messages',
  ],
  [
    '/v1beta/models/ts-omni:generateContent',
    { contents: [{ parts: [{ text: 'x' }] }] },
    'contents',
  ],
  [
    '/v1beta/models/ts-omni:streamGenerateContent',
    { contents: [{ parts: [{ text: 'x' }] }] },
    'contents',
  ],
  ['/v1/models/ts-omni:countTokens', { contents: [{ parts: [{ text: 'x' }] }] }, 'contents'],
  [
    '/v1/systemone',
    { model: 'ts-omni', state: 'x', questions: { q: { type: 'noul' } } },
    'questions',
  ],
];

/** Values that no member of a request may have. */
const wrong: readonly Json[] = [
  null,
  42,
  -1,
  1e308,
  'x',
  '',
  true,
  [],
  {},
  [42],
  [null],
  [[]],
  [{}],
  { x: 42 },
  { x: { type: 'choice' } },
  { x: { type: 'score', criteria: [] } },
  { type: 'function' },
  { type: 'any' },
  { mode: 'ANY' },
  [{ role: 'constructor' }],
  [{ role: 42, content: 42, parts: 42 }],
  [{ role: 'tool', content: [{ type: 'tool_result' }], parts: [{ functionResponse: {} }] }],
  [{ role: 'user', content: [{}], parts: [{}] }],
  [{ type: 'function', function: 42, functionDeclarations: [{}] }],
];

const members = [
  'model',
  'max_tokens',
  'max_completion_tokens',
  'stream_options',
  'system',
  'tools',
  'tool_choice',
  'toolConfig',
  'generationConfig',
  'systemInstruction',
  'generateContentRequest',
  'state',
  'questions',
];

test.for(paths)(
  '%s serves whatever comes when no rule is insisted on',
  async ([path, good, conversation]) => {
    await using gateway = await disposable();
    const { owner } = gateway.keys;
    const headers = { ...bearer(owner), 'x-api-key': owner, 'x-vendorB-api-key': owner };
    const bodies: Json[] = ['', '{', []];
    for (const member of [conversation, ...members]) {
      for (const value of wrong) bodies.push({ ...good, [member]: value });
    }
    const url = `${gateway.regions[0]?.baseUrl}${path}`;
    for (const body of bodies) {
      const { status } = await post(url, headers, body);
      // A model that there is not is no rule to be lifted.
      expect([200, 404], JSON.stringify(body)).toContain(status);
    }
  },
);

async function disposable() {
  const gateway = await startReference({
    regions: ['eu'],
    tokenMs: 0,
    defect: {
      id: 'insists-on-nothing',
      what: 'No rule about requests holds.',
      override: () => ({ policy: { insists: () => false } }),
    },
  });
  return { ...gateway, [Symbol.asyncDispose]: () => gateway.close() };
}
