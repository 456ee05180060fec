import { assumeServed, check, expect } from '../../harness/index.ts';
import { conversations } from '../scenarios/conversations.ts';

const areas = [
  ['generation/chat-completions', 'chat-completions', 'messages'],
  ['generation/messages', 'messages', 'messages'],
  ['generation/generative', 'generative', 'contents'],
] as const;

for (const [area, protocol, member] of areas) {
  check(`${area}.conversation-served`, conversations[protocol], ({ control, severalTurns }) => {
    assumeServed(control);
    expect(severalTurns).toBeServed();
  });

  check(`${area}.${member}-required`, conversations[protocol], ({ control, noTurn }) => {
    expect(noTurn).toBeRefused({ control });
  });
}
