import {
  checkEach,
  ending,
  expectValue,
  Inconclusive,
  isObject,
  mustBeServed,
  NothingToJudge,
  type StreamingProtocol,
  usage,
} from '../../harness/index.ts';
import { expectCutShortTold, expectLimitKept } from './limit-kept.ts';
import { besideOneBody, type OtherwiseAsked, otherwiseCutShort } from './otherwise-asked.ts';
import { expectOutputCounted, expectSum } from './usage-sums.ts';

const protocolOf = {
  'responses-stream': 'responses',
  'chat-completions-stream': 'chat-completions',
  'messages-stream': 'messages',
  'generative-stream': 'generative',
  websocket: 'responses',
  background: 'responses',
  continuation: 'responses',
} as const satisfies Record<OtherwiseAsked, StreamingProtocol>;

checkEach('rules/limits.otherwise-asked-kept', (asked: OtherwiseAsked) => ({
  on: otherwiseCutShort[asked],
  judge: (cut) => expectLimitKept(cut, protocolOf[asked]),
}));

checkEach('rules/limits.otherwise-asked-told', (asked: OtherwiseAsked) => ({
  on: otherwiseCutShort[asked],
  judge: (cut) => expectCutShortTold(cut, protocolOf[asked]),
}));

checkEach(
  'rules/metering.otherwise-asked-adds-up',
  // The usage of a message has no total.
  (asked: Exclude<OtherwiseAsked, 'messages-stream'>) => ({
    on: otherwiseCutShort[asked],
    judge: ({ cut }) => expectSum(cut, protocolOf[asked]),
  }),
);

checkEach(
  'rules/metering.otherwise-asked-counts-output',
  (asked: 'websocket' | 'background' | 'continuation') => ({
    on: otherwiseCutShort[asked],
    judge: ({ cut }) => expectOutputCounted(cut),
  }),
);

checkEach('rules/metering.otherwise-asked-shows-usage', (asked: keyof typeof besideOneBody) => ({
  on: besideOneBody[asked],
  judge: ({ oneBody, cut }) => {
    mustBeServed([oneBody, cut]);
    if (ending(cut) === 'cancelled') throw new Inconclusive('the run was cancelled', cut);
    if (!isObject(usage(oneBody))) {
      throw new NothingToJudge('a response in one body shows no usage');
    }
    expectValue(usage(cut), { as: 'usage', of: cut }).toBe('shown', isObject);
  },
}));
