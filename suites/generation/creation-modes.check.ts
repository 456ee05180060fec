import {
  assumeServed,
  checkEach,
  ending,
  expectValue,
  Inconclusive,
  isObject,
  NothingToJudge,
  type StreamingProtocol,
  usage,
} from '../../harness/index.ts';
import {
  besideOneBody,
  type CreationMode,
  truncatedByMode,
} from '../scenarios/generation-modes.ts';
import { expectCutShortTold, expectLimitKept } from './limit-kept.ts';
import { expectOutputCounted, expectSum } from './usage-sums.ts';

const protocolOf = {
  'responses-stream': 'responses',
  'chat-completions-stream': 'chat-completions',
  'messages-stream': 'messages',
  'generative-stream': 'generative',
  websocket: 'responses',
  background: 'responses',
  continuation: 'responses',
} as const satisfies Record<CreationMode, StreamingProtocol>;

checkEach('generation/limits.kept-by-creation-mode', (asked: CreationMode) => ({
  on: truncatedByMode[asked],
  judge: (cut) => expectLimitKept(cut, protocolOf[asked]),
}));

checkEach('generation/limits.reported-by-creation-mode', (asked: CreationMode) => ({
  on: truncatedByMode[asked],
  judge: (cut) => expectCutShortTold(cut, protocolOf[asked]),
}));

checkEach(
  'generation/usage.adds-up-by-creation-mode',
  // The usage of a message has no total.
  (asked: Exclude<CreationMode, 'messages-stream'>) => ({
    on: truncatedByMode[asked],
    judge: ({ cut }) => expectSum(cut, protocolOf[asked]),
  }),
);

checkEach(
  'generation/usage.counts-output-by-creation-mode',
  (asked: 'websocket' | 'background' | 'continuation') => ({
    on: truncatedByMode[asked],
    judge: ({ cut }) => expectOutputCounted(cut),
  }),
);

checkEach('generation/usage.reported-by-creation-mode', (asked: keyof typeof besideOneBody) => ({
  on: besideOneBody[asked],
  judge: ({ oneBody, cut }) => {
    assumeServed([oneBody, cut]);
    if (ending(cut) === 'cancelled') throw new Inconclusive('the run was cancelled', cut);
    if (!isObject(usage(oneBody))) {
      throw new NothingToJudge('a response in one body shows no usage');
    }
    expectValue(usage(cut), { as: 'usage', of: cut }).toBe('shown', isObject);
  },
}));
