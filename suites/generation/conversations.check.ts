import { check, expect, mustBeServed } from '../../harness/index.ts';
import { conversations } from './conversations.ts';

const areas = [
  ['chat-completions/create', 'chat-completions', 'messages'],
  ['messages/create', 'messages', 'messages'],
  ['generative/generate', 'generative', 'contents'],
] as const;

for (const [area, protocol, member] of areas) {
  check(`${area}.conversation-served`, conversations[protocol], ({ control, severalTurns }) => {
    mustBeServed(control);
    expect(severalTurns).toBeServed();
  });

  check(`${area}.${member}-required`, conversations[protocol], ({ control, noTurn }) => {
    expect(noTurn).toBeRefused({ control });
  });
}
