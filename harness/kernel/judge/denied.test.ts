import { expect, test } from 'vitest';
import { openAiError, response } from '../protocols/samples/bodies.ts';
import { sample, sampleSocket, sampleStream } from '../protocols/samples/exchange.ts';
import { denied, shownOf } from './denied.ts';

const secret = ['walnut'];

test('a denial shows nothing of what is stored', () => {
  for (const body of [openAiError, 'not found', undefined]) {
    expect(denied(sample({ status: 404, body }), { secret })).toEqual({ state: 'yes' });
  }
  expect(denied(sample({ body: response }), { secret })).toHaveProperty('state', 'no');
});

test.each([
  ['in a body, in any case', { body: { error: { message: 'you said Walnut, which is gone' } } }],
  ['escaped', { body: '{"error":{"message":"w\\u0061lnut","type":"x"}}' }],
  ['in a body that is not JSON', { body: 'walnut' }],
  ['in a header', { headers: [['x-debug', 'walnut']] as const }],
])('a word that stands %s is shown', (_where, answer) => {
  expect(denied(sample({ status: 404, ...answer }), { secret })).toHaveProperty('state', 'no');
});

test('so is one that only joined fragments make', () => {
  const delta = (text: string) =>
    `data: ${JSON.stringify({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text })}\n\n`;
  expect(shownOf(sampleStream(delta('wal') + delta('nut')), secret)).toContain('walnut');
  expect(shownOf(sampleStream(delta('wal') + delta('not')), secret)).toBeNull();
});

test('on a socket, what the gateway sent counts, and not what we sent', () => {
  const ours = ['>', { type: 'response.create', input: 'walnut' }] as const;
  const error = (message: string) => ['<', { type: 'error', error: { message } }] as const;
  expect(shownOf(sampleSocket([ours, error('no')]), secret)).toBeNull();
  expect(shownOf(sampleSocket([ours, error('no walnut')]), secret)).toContain('walnut');
  const close = { code: 1008, reason: 'no walnut', by: 'gateway' } as const;
  expect(shownOf(sampleSocket([ours], { close }), secret)).toContain('walnut');
});

test('no answer shows nothing, and nobody looks for no word', () => {
  expect(shownOf(sample({ status: null }), secret)).toBeNull();
  expect(shownOf(sample({ body: response }), [''])).toBeNull();
});

test('what stands around the word is told, and no more', () => {
  const body = `${'a'.repeat(99)}walnut${'b'.repeat(150)}`;
  const around = `${'a'.repeat(60)}walnut${'b'.repeat(94)}`;
  expect(shownOf(sample({ body }), secret)).toBe(
    `an answer that shows stored content, “walnut”: ${around}`,
  );
});

test.each([
  [307, 'http://eu.invalid/api/v1/responses/a', 'yes'],
  [308, 'HTTP://EU.invalid:80/api/v1/responses/a', 'yes'],
  [301, 'http://eu.invalid/api/v1/responses/a', 'no'],
  [307, 'http://eu.invalid/apis/v1/responses/a', 'no'],
  [307, 'http://us.invalid/api/v1/responses/a', 'no'],
  [307, '/api/v1/responses/a', 'no'],
  [307, 'http://eu.invalid/api/walnut', 'no'],
])('%i to %s, where the region that made it is: %s', (status, location, state) => {
  const sent = sample({ status, headers: [['Location', location]] });
  expect(denied(sent, { secret, home: 'http://eu.invalid/api' }).state).toBe(state);
  expect(denied(sent, { secret }).state).toBe('no');
});
