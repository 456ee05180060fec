import { expect, test } from 'vitest';
import { withAdditions } from './update-target-file.ts';

const file = `# Ours, by hand.
models:
  - id: flow # as it was
    protocols: [ responses,  chat ]
    supports: [background,
      compact] # so far
    # Declare under supports or lacks: websocket, tools, stream:responses,
    # stream:chat, stop
  - id: block
    protocols:
      - responses # one
    supports:
      - background   # by hand
    lacks: []

  - { id: one-line, protocols: [chat] }   # short
  - id: none
    supports:
    protocols: [chat]
limits: { concurrency: 4 }   # last
`;

test('only new words are written: the rest stays, to the letter', () => {
  const after = withAdditions(file, [
    { model: 'flow', supports: ['tools', 'stream'], lacks: ['websocket'] },
    { model: 'block', protocols: ['chat'], supports: ['tools'], lacks: ['stream:chat'] },
    { model: 'one-line', supports: ['tools'] },
    { model: 'none', supports: ['tools'] },
    { model: 'elsewhere', supports: ['tools'] },
  ]);
  expect(after).toBe(`# Ours, by hand.
models:
  - id: flow # as it was
    protocols: [ responses,  chat ]
    lacks: [websocket]
    supports: [background,
      compact, tools, stream] # so far
    # Declare under supports or lacks: stop
  - id: block
    protocols:
      - responses # one
      - chat
    supports:
      - background   # by hand
      - tools
    lacks: [stream:chat]

  - { id: one-line, protocols: [chat], supports: [tools] }   # short
  - id: none
    supports: [tools]
    protocols: [chat]
limits: { concurrency: 4 }   # last
`);
});

test('what names all that is left open goes with the last of it', () => {
  const text = `models:
  - id: m
    protocols: [chat]
    supports: []
    lacks: []
    # Declare under supports or lacks: tools
`;
  expect(withAdditions(text, [{ model: 'm', supports: ['tools'] }])).toBe(`models:
  - id: m
    protocols: [chat]
    supports: [tools]
    lacks: []
`);
});

test('lines of Windows stay such, and what is no list of models is left alone', () => {
  const text = 'models:\r\n  - id: m\r\n    protocols:\r\n      - chat\r\n';
  expect(withAdditions(text, [{ model: 'm', lacks: ['tools'] }])).toBe(
    'models:\r\n  - id: m\r\n    protocols:\r\n      - chat\r\n    lacks: [tools]\r\n',
  );
  expect(withAdditions('models: none\n', [{ model: 'm', lacks: ['tools'] }])).toBe(
    'models: none\n',
  );
});
