import {
  check,
  checkEach,
  expect,
  isRefused,
  mustBeServed,
  NothingToJudge,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { conversationInput } from '../responses/item-input.ts';
import { type Conversing, conversations, conversing } from './conversations.ts';
import { answeredFirst, mustCount, saidFirst, toldBefore } from './long-turns.ts';
import { otherForm } from './other-forms.ts';
import { systemPrompt } from './system-prompts.ts';

const earlier = 'rules/metering.usage-counts-earlier-turns';

for (const protocol of conversing satisfies readonly Conversing[]) {
  check(`${earlier}:${protocol}`, conversations[protocol], ({ control, severalTurns }) => {
    mustCount([saidFirst, answeredFirst], severalTurns, control);
  });
}

check(`${earlier}:responses`, conversationInput, ({ control, created }) => {
  mustBeServed(control);
  if (isRefused(created)) throw new NothingToJudge('a list of items is not accepted as input');
  mustCount([saidFirst, answeredFirst], created, control);
});

checkEach('rules/metering.usage-counts-system-prompt', (protocol: StreamingProtocol) => ({
  on: systemPrompt[protocol],
  judge: ({ without, told }) => {
    mustBeServed(without);
    if (isRefused(told)) throw new NothingToJudge('the model takes no system prompt');
    mustCount([toldBefore], told, without);
  },
}));

checkEach('rules/input.other-forms', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ told, other }) => {
    if (isRefused(told)) throw new NothingToJudge('the model takes no system prompt');
    mustBeServed(told);
    expect(other).toBeServed();
  },
}));

checkEach('rules/metering.usage-counts-parts', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ told, other }) => {
    if (isRefused(told)) throw new NothingToJudge('the model takes no system prompt');
    mustBeServed(told);
    if (isRefused(other)) throw new NothingToJudge('a message in parts is refused');
    mustCount([saidFirst], other, told);
  },
}));
