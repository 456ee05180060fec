import { callsIn, outputWith, type Prompt, Refusal, silence } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { memberAt, set, without } from '../editing.ts';
import { eachEvent, type Override, streams, together } from '../planting.ts';
import type { HonestGateway } from './honest-gateway.ts';

/** Adds zero to three input tokens in rotation, as if requests went to four channels with different templates. */
function differingCounts(): Override {
  return ({ policy }) => {
    let channel = 0;
    const more = (): number => channel++ % 4;
    return {
      policy: {
        read: (tokens, call) => policy.read(tokens, call) + more(),
        counted: (tokens, call) => policy.counted(tokens, call) + more(),
      },
    };
  };
}

const forcedRefused: Override = decide('generate', (native) => (prompt, call) => {
  if (prompt.callRequired !== null && prompt.callRequired !== 'auto') {
    throw new Refusal(
      'invalid-value',
      'This model thinks before it answers, and takes no tool choice but auto and none.',
      'tool_choice',
    );
  }
  return native(prompt, call);
});

/** Makes the model write a text in place of a forced call of this kind. */
function proseInstead(of: (required: Prompt['callRequired']) => boolean): Override {
  return decide(
    'generate',
    (native) => (prompt, call) =>
      native(of(prompt.callRequired) ? { ...prompt, callRequired: null } : prompt, call),
  );
}

/** Adds hidden thought tokens before the answer. They count as output. */
function thinking(tokens: number): Override {
  return decide('generate', (native) => (prompt, call) => {
    const { limit } = prompt;
    const thoughts = limit === null ? tokens : Math.min(tokens, limit);
    const answer = native({ ...prompt, limit: limit === null ? null : limit - thoughts }, call);
    return { ...answer, thoughts };
  });
}

/** Sends a first chunk with only the filter results of the input. */
const filterFirst: Override = streams('chat-completions', async function* (events) {
  yield {
    name: null,
    data: {
      choices: [],
      created: 0,
      id: '',
      model: '',
      object: '',
      prompt_filter_results: [
        {
          prompt_index: 0,
          content_filter_results: { hate: { filtered: false, severity: 'safe' } },
        },
      ],
    },
  };
  yield* events;
});

const endsWithoutParts: Override = eachEvent('generative', () => (event) => {
  const { data } = event;
  if (typeof data === 'string') return event;
  const isText = typeof memberAt(data, 'candidates.0.content.parts.0.text') === 'string';
  if (!isText || memberAt(data, 'candidates.0.finishReason') !== 'STOP') return event;
  return [
    { ...event, data: without(data, 'candidates.0.finishReason') },
    { ...event, data: set(data, 'candidates.0.content', { role: 'model' }) },
  ];
});

/** Returns no text for every sixth plain request on one protocol. */
const sometimesSilent: Override = ({ policy }) => {
  let count = 0;
  return {
    policy: {
      generate: (prompt, call) => {
        const answer = policy.generate(prompt, call);
        const isPlain =
          callsIn(answer).length === 0 && answer.stopped === null && prompt.limit !== null;
        const { schema, candidates } = prompt.asked;
        if (call.dialect.name !== 'generative' || !isPlain) return answer;
        if (schema !== null || candidates > 1 || count++ % 6 < 5) return answer;
        return { ...answer, blocks: [silence], finish: 'stop' };
      },
    },
  };
};

/** Returns no text for the first answer to each stream with letters of other scripts in its prompt. */
const silentOnce: Override = ({ policy }) => {
  const asked = new Set<string>();
  return {
    policy: {
      generate: (prompt, call) => {
        const answer = policy.generate(prompt, call);
        const input = prompt.turns.at(-1)?.text ?? '';
        if (!input.includes('東') || asked.has(input)) return answer;
        asked.add(input);
        return { ...answer, blocks: [silence], finish: 'stop' };
      },
    },
  };
};

/** Returns these words for any request without a required form of the answer. */
function saying(words: readonly string[]): Override {
  return decide('generate', (native) => (prompt, call) => {
    const answer = native(prompt, call);
    const { stop, schema, candidates, logprobs, thinks } = prompt.asked;
    const isFree = stop.length === 0 && schema === null && candidates === 1 && logprobs === null;
    if (!isFree || thinks !== null || callsIn(answer).length > 0) return answer;
    return { ...answer, ...outputWith([{ kind: 'text', pieces: words }], null, prompt.limit) };
  });
}

/** Declares that the model's answers to equal requests vary. */
const notDeterministic: HonestGateway['described'] = (target) => ({
  ...target,
  models: target.models.map((model) => ({ ...model, deterministic: false })),
});

export const honestModels: readonly HonestGateway[] = [
  {
    id: 'content.filter-chunk-first',
    what: 'A stream of Chat Completions begins with a chunk that has only what a content filter found.',
    override: filterFirst,
  },
  {
    id: 'content.stop-without-parts',
    what: 'On generative-content, `STOP` comes without parts: at the end of a stream, and where the model wrote nothing.',
    override: together(endsWithoutParts, sometimesSilent),
    described: notDeterministic,
  },
  {
    id: 'content.six-words',
    what: 'The model says the same six words to everything, and comes to no output limit.',
    override: saying(['I', ' have', ' nothing', ' more', ' to', ' say.']),
  },
  {
    id: 'content.one-token',
    what: 'The model answers with one token, whatever it is asked for.',
    override: saying(['Yes.']),
  },
  {
    id: 'counts.differ-by-3',
    what: 'What is read is counted with up to 3 tokens more, by the channel that a request comes to.',
    override: differingCounts(),
  },
  {
    id: 'declines.forced-refused',
    what: 'A forced call is refused with 400; with `auto`, calls are made.',
    override: forcedRefused,
  },
  {
    id: 'declines.forced-prose',
    what: 'A forced call is answered in prose; with `auto`, calls are made.',
    override: proseInstead((required) => required !== 'auto'),
  },
  {
    id: 'declines.always-prose',
    what: 'The model reads the tools, and never makes a call.',
    override: proseInstead(() => true),
  },
  {
    id: 'thinking.six-tokens',
    what: 'Six tokens of thinking are counted as output, and not shown.',
    override: thinking(6),
  },
  {
    id: 'thinking.and-silent-once',
    what: 'Six tokens of thinking are counted as output, and not shown; a model may say nothing after them.',
    override: together(silentOnce, thinking(6)),
    described: notDeterministic,
  },
  {
    id: 'thinking.more-than-the-limit',
    what: 'A hundred tokens of thinking are counted as output, and not shown; short limits leave no text.',
    override: thinking(100),
  },
];
