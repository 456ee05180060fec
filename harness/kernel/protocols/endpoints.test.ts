import { expect, test } from 'vitest';
import type { Defaults } from './defaults.ts';
import { type EndpointName, endpoints } from './endpoints.ts';
import { systemoneQuestion } from './systemone/client.ts';

const defaults: Defaults = { model: 'ts-omni', maxOutputTokens: 16, input: 'Say something.' };
const systemoneBody = systemoneQuestion(defaults, { dialect: 'public', body: null });
const baseline = { ...defaults, id: 'r', systemoneBody };

test('System One: the body of the target file, with its model', () => {
  const body = { model: 'placeholder', q: 1 };
  expect(systemoneQuestion(defaults, { dialect: 'custom', body })).toEqual({
    model: 'ts-omni',
    q: 1,
  });
});

test.each(Object.entries(endpoints))(
  '%s: a baseline request says what the endpoint says',
  (name, endpoint) => {
    expect(endpoint.name).toBe(name);
    const call = endpoint.call(baseline);
    expect(call.protocol).toBe(endpoint.protocol);
    expect(call.expects === 'socket').toBe(endpoint.frame !== null);
    const sent = JSON.stringify(endpoint.frame?.(baseline) ?? call.body ?? null);
    const inBody = sent.includes('"model":"ts-omni"') ? 'body' : 'none';
    expect(call.path.includes('ts-omni') ? 'path' : inBody).toBe(endpoint.namesModel);
  },
);

test('no request has a sampling parameter, every generation a limit', () => {
  const unlimited: EndpointName[] = [];
  for (const endpoint of Object.values(endpoints)) {
    const body = JSON.stringify(endpoint.frame?.(baseline) ?? endpoint.call(baseline).body ?? {});
    expect(body).not.toMatch(/temperature|top_?[pk]|topP|topK/);
    if (endpoint.generates && !/max\w*tokens"?:16/i.test(body)) unlimited.push(endpoint.name);
  }
  // System One takes no length, and compact is not shown to.
  expect(unlimited).toEqual(['systemone', 'compact']);
});
