import { assumeServed, check, expect, protocolModules } from '../../harness/index.ts';
import { conversations, conversing } from '../scenarios/generations/conversations.ts';
import { truncated } from '../scenarios/generations/limits.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import { expectLimitKept, expectTruncationReported } from './output-limits.ts';

// Checks of the protocols whose requests carry the whole conversation in one member.

const required = {
  'chat-completions': 'generation/chat-completions.messages-required',
  messages: 'generation/messages.messages-required',
  generative: 'generation/generative.contents-required',
} as const;

const reported = {
  'chat-completions': 'generation/chat-completions.truncated-is-length',
  messages: 'generation/messages.truncated-is-max-tokens',
  generative: 'generation/generative.truncated-is-max-tokens',
} as const;

for (const protocol of conversing) {
  check(`generation/${protocol}.conversation-served`, conversations[protocol], (captured) => {
    assumeServed(captured.control);
    expect(captured.severalTurns).toBeServed();
  });

  check(
    required[protocol],
    badBodies[protocolModules[protocol].mainEndpoint],
    ({ control, without }) => {
      for (const one of without) expect(one).toBeRefused({ control });
    },
  );

  check(`generation/${protocol}.output-limit`, truncated[protocol], (captured) => {
    expectLimitKept(captured, protocol);
  });

  check(reported[protocol], truncated[protocol], (captured) => {
    expectTruncationReported(captured, protocol);
  });
}
