import { expect, test } from 'vitest';
import { nothingAsked } from './asked.ts';
import { callsIn, piecesOf } from './blocks.ts';
import { countPrompt, generate, type Prompt } from './engine.ts';
import { countTokens } from './tokens.ts';

const prompt: Prompt = {
  model: 'ts-omni',
  turns: [{ role: 'user', text: 'Hello, world.' }],
  tools: [],
  callRequired: null,
  asked: nothingAsked,
  limit: null,
};
const tool = {
  name: 'look',
  description: '',
  parameters: {
    type: 'OBJECT',
    properties: {
      place: { type: 'object', properties: { x: { type: 'NUMBER' } }, required: ['x'] },
      tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
      kind: { const: 'wide' },
      open: { type: ['boolean', 'null'] },
    },
    required: ['place', 'tags', 'kind', 'open'],
  },
};

function written(given: Prompt): readonly string[] {
  return piecesOf(generate(given));
}

test('a token is a word or a piece of punctuation', () => {
  expect(countTokens('')).toBe(0);
  expect(countTokens('Hello, world.')).toBe(4);
  expect(countTokens('naïve 🦎 lizard\u0000')).toBe(4);
});

test('the answer has as many tokens as pieces, and is eight to twelve long', () => {
  for (let i = 0; i < 200; i++) {
    const pieces = written({ ...prompt, turns: [{ role: 'user', text: `input ${i}` }] });
    expect(pieces.length).toBeGreaterThanOrEqual(8);
    expect(pieces.length).toBeLessThanOrEqual(12);
    expect(countTokens(pieces.join(''))).toBe(pieces.length);
  }
});

test('is a function of the model and the input', () => {
  expect(generate(prompt)).toEqual(generate({ ...prompt }));
  expect(written({ ...prompt, model: 'other' })).not.toEqual(written(prompt));
});

test('only the last user turn asks for a length', () => {
  const turns: Prompt['turns'] = [
    { role: 'user', text: 'Write 50 words.' },
    { role: 'assistant', text: 'Yes.' },
    { role: 'user', text: 'Thanks.' },
  ];
  expect(written({ ...prompt, turns }).length).toBeLessThanOrEqual(12);
  expect(written({ ...prompt, turns: turns.slice(0, 1) }).length).toBe(50);
  const cut = generate({ ...prompt, turns: turns.slice(0, 1), limit: 20 });
  expect(cut).toMatchObject({ finish: 'length' });
  expect(piecesOf(cut).length).toBe(20);
});

test('a longer conversation counts more', () => {
  const once = countPrompt(prompt);
  const [turn] = prompt.turns;
  expect(turn && countPrompt({ ...prompt, turns: [turn, turn] })).toBe(2 * once);
  expect(countPrompt({ ...prompt, tools: [tool] })).toBeGreaterThan(once);
});

test('arguments are made from the schema, in fragments of their JSON text', () => {
  const [called] = callsIn(generate({ ...prompt, tools: [tool], callRequired: 'any' }));
  const { name, pieces = [] } = called ?? {};
  expect(name).toBe('look');
  expect(pieces.length).toBeGreaterThan(4);
  expect(JSON.parse(pieces.join(''))).toEqual({
    place: { x: expect.any(Number) },
    tags: [expect.any(String), expect.any(String)],
    kind: 'wide',
    open: expect.any(Boolean),
  });
});

test('after the result of the call it answers in text', () => {
  const turns: Prompt['turns'] = [...prompt.turns, { role: 'tool', text: 'Sunny.' }];
  const answer = generate({ ...prompt, turns, tools: [tool], callRequired: { name: 'look' } });
  expect(callsIn(answer)).toEqual([]);
});

test('what it reads does not show in what it writes', () => {
  const pieces = written({ ...prompt, turns: [{ role: 'user', text: 'xylograph quokka' }] });
  expect(pieces.join('')).not.toMatch(/xylograph|quokka/);
});
