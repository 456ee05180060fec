import {
  assumeServed,
  check,
  checkEach,
  expect,
  isRefused,
  NothingToJudge,
  type StreamingProtocol,
} from '../../harness/index.ts';
import { type Conversing, conversations, conversing } from '../scenarios/conversations.ts';
import { otherForm } from '../scenarios/input-forms.ts';
import { conversationInput } from '../scenarios/item-input.ts';
import { answeredFirst, expectCounted, saidFirst, toldBefore } from '../scenarios/long-turns.ts';
import { systemPrompt } from '../scenarios/system-prompts.ts';

const earlier = 'generation/usage.counts-earlier-turns';

for (const protocol of conversing satisfies readonly Conversing[]) {
  check(`${earlier}:${protocol}`, conversations[protocol], ({ control, severalTurns }) => {
    expectCounted([saidFirst, answeredFirst], severalTurns, control);
  });
}

check(`${earlier}:responses`, conversationInput, ({ control, created }) => {
  assumeServed(control);
  if (isRefused(created)) throw new NothingToJudge('a list of items is not accepted as input');
  expectCounted([saidFirst, answeredFirst], created, control);
});

checkEach('generation/usage.counts-system-prompt', (protocol: StreamingProtocol) => ({
  on: systemPrompt[protocol],
  judge: ({ without, told }) => {
    assumeServed(without);
    if (isRefused(told)) throw new NothingToJudge('the model takes no system prompt');
    expectCounted([toldBefore], told, without);
  },
}));

checkEach('input/requests.equivalent-forms', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ told, other }) => {
    if (isRefused(told)) throw new NothingToJudge('the model takes no system prompt');
    assumeServed(told);
    expect(other).toBeServed();
  },
}));

checkEach('generation/usage.counts-parts', (protocol: StreamingProtocol) => ({
  on: otherForm[protocol],
  judge: ({ told, other }) => {
    if (isRefused(told)) throw new NothingToJudge('the model takes no system prompt');
    assumeServed(told);
    if (isRefused(other)) throw new NothingToJudge('a message in parts is refused');
    expectCounted([saidFirst], other, told);
  },
}));
