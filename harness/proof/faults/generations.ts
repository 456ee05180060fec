import type { Call } from '../../reference/call.ts';
import type { DialectName, Operation } from '../../reference/dialect.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide } from '../decisions.ts';
import type { Fault } from './fault.ts';
import { forgiving } from './lenient-input.ts';

// What can be wrong with a generation alike over several protocols.

type Chatting = Extract<DialectName, 'chat-completions' | 'messages' | 'generative'>;

interface Generation {
  readonly operation: Operation;
  /** The area of the requirements that a fault breaks. */
  readonly area: string;
  /** The member that holds the conversation. */
  readonly conversation: string;
}

const generations: Readonly<Record<Chatting, Generation>> = {
  'chat-completions': {
    operation: 'chat-completions.create',
    area: 'generation/chat-completions',
    conversation: 'messages',
  },
  messages: { operation: 'messages.create', area: 'generation/messages', conversation: 'messages' },
  generative: {
    operation: 'generative.generate',
    area: 'generation/generative',
    conversation: 'contents',
  },
};

/** A request that says nothing is answered. */
export function conversationOptional(dialect: Chatting): Fault {
  const { operation, area, conversation } = generations[dialect];
  return {
    id: `${dialect}.${conversation}-optional`,
    what: `A request without ${conversation} is answered.`,
    breaks: [`${area}.${conversation}-required`],
    override: forgiving(
      ({ reason, param }, call) =>
        call.operation === operation && reason === 'missing-parameter' && param === conversation,
    ),
  };
}

/** The output limit is not kept. */
export function limitFaults(dialect: Chatting): readonly [ignored: Fault, offByOne: Fault] {
  const breaks = [`${generations[dialect].area}.output-limit`];
  const fits = (call: Call): boolean => call.dialect.name === dialect;
  return [
    {
      id: `${dialect}.limit-ignored`,
      what: limitIgnored,
      breaks,
      override: limited(fits, () => null),
    },
    {
      id: `${dialect}.limit-off-by-one`,
      what: limitOffByOne,
      breaks,
      override: limited(fits, (limit) => limit + 1),
    },
  ];
}

export const limitIgnored = 'The output limit of a request is read and then forgotten.';
export const limitOffByOne = 'An answer may have one token more than its limit.';

/** Another limit, where a request that fits has one. */
export function limited(
  fits: (call: Call) => boolean,
  change: (limit: number) => number | null,
): Defect['override'] {
  return decide('outputLimit', (native) => (asked, call) => {
    const limit = native(asked, call);
    return limit !== null && fits(call) ? change(limit) : limit;
  });
}

/** What a count of input tokens answers, where it fits. */
export function counting(
  fits: (call: Call) => boolean,
  counted: (inputTokens: number) => number,
): Defect['override'] {
  return decide('counted', (original) => (inputTokens, call) => {
    const native = original(inputTokens, call);
    return fits(call) ? counted(native) : native;
  });
}

/** Every count of a protocol is the same. */
export function constantCount(dialect: 'messages' | 'generative'): Fault {
  return {
    id: `${dialect}-count.constant`,
    what: 'A count is 42, whatever is counted.',
    breaks: [`counting/${dialect}.grows-with-input`],
    override: counting(
      (call) => call.dialect.name === dialect,
      () => 42,
    ),
  };
}
