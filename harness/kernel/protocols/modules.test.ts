import { expect, test } from 'vitest';
import { protocols, streamingProtocols } from '../core/protocol.ts';
import { endpoints } from './endpoints.ts';
import { endpointModules, protocolModules } from './modules.ts';
import { streamNames } from './samples/streams.ts';
import { schemaIds } from './schemas.ts';

const defaults = { model: 'm', maxOutputTokens: 16, input: 'Hello' };
const systemone = { dialect: 'public', body: null } as const;
const baseline = { ...defaults, id: 'r', systemoneBody: {} };

test.each(Object.values(endpoints))('the call of $name is an operation of its protocol', (one) => {
  const { operation, protocol } = one.call(baseline);
  expect(protocol).toBe(one.protocol);
  expect(Object.keys(endpointModules[one.protocol].operations)).toContain(operation);
  expect(schemaIds).toContain(endpointModules[one.protocol].errorSchema);
});

test.each(protocols)('%s: its generation, and the same as a stream', (protocol) => {
  const { request, operations, mainEndpoint, streamEndpoint } = protocolModules[protocol];
  const body = request.generation(defaults, systemone);
  expect(body).toHaveProperty(request.text);
  if (request.outputLimit !== null) expect(body).toHaveProperty(request.outputLimit, 16);
  const calls = [request.call(body, 'm'), request.streamCall?.(body, 'm')];
  for (const call of calls.filter((one) => one !== undefined)) {
    expect(operations).toHaveProperty(
      [call.operation],
      expect.objectContaining({ generates: true }),
    );
  }
  expect(endpoints[mainEndpoint].protocol).toBe(protocol);
  expect(streamEndpoint === null).toBe(request.streamCall === null);
});

test.each(streamingProtocols)('%s: what its grammar and its streams have', (protocol) => {
  const { softRules, shapeRule, ...stream } = protocolModules[protocol].stream;
  const known: readonly string[] = stream.rules;
  expect(new Set(known).size).toBe(known.length);
  for (const rule of [...softRules, shapeRule, 'no-foreign-events']) expect(known).toContain(rule);
  expect(streamNames(protocol)).toContain('text');
});
