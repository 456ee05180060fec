import { bodies, changed, eachData, handling, set, together, without } from '../../proof/index.ts';
import {
  type Defect,
  isArray,
  isObject,
  type Json,
  type JsonObject,
} from '../../reference/index.ts';

const generated = [
  'responses.response',
  'chat-completions.completion',
  'messages.message',
  'generative.response',
] as const;

const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

const generating = [
  'responses.create',
  'chat-completions.create',
  'messages.create',
  'generative.generate',
  'generative.stream',
] as const;

/** Gateways whose answers lack what a check compares: it has to say that there is nothing to compare. */
export const answerTroubles: readonly Defect[] = [
  {
    id: 'says-nothing',
    what: 'No answer has any text, and none is counted.',
    override: everyAnswer((value) => Object(withoutText(value))),
  },
  {
    id: 'counts-nothing',
    what: 'No answer says how many tokens it has.',
    override: everyAnswer((value) => without(value, 'usage', 'usageMetadata', 'response.usage')),
  },
  {
    id: 'counts-zero',
    what: 'Answers have a text, and none of their tokens is counted.',
    override: everyAnswer((value) => Object(uncounted(value))),
  },
  {
    id: 'ends-for-no-reason',
    what: 'No answer says why it ended.',
    override: everyAnswer((value) =>
      without(
        value,
        'choices.0.finish_reason',
        'stop_reason',
        'delta.stop_reason',
        'candidates.0.finishReason',
      ),
    ),
  },
  {
    id: 'stops-short',
    what: 'In one body the model says less than as a stream, and that its limit was reached.',
    override: together(
      bodies('chat-completions.completion', (body) =>
        set(
          changed(body, 'choices.0.message.content', inHalf),
          'choices.0.finish_reason',
          'length',
        ),
      ),
      bodies('messages.message', (body) =>
        set(changed(body, 'content.0.text', inHalf), 'stop_reason', 'max_tokens'),
      ),
      bodies('generative.response', (body) =>
        set(
          changed(body, 'candidates.0.content.parts.0.text', inHalf),
          'candidates.0.finishReason',
          'MAX_TOKENS',
        ),
      ),
    ),
  },
  {
    id: 'decides-without-probabilities',
    what: 'An answer of System One tells its type, and no number.',
    override: bodies('systemone.result', (body) =>
      changed(body, 'answers', (answers) => mapped(answers ?? null, typeAlone)),
    ),
  },
  {
    id: 'calls-nothing',
    what: 'The model answers in words, though a call was forced.',
    override: together(
      ...generating.map((operation) =>
        handling(operation, (handle) => (call, key) => {
          const body = without(call.body, 'tools', 'tool_choice', 'toolConfig');
          return handle({ ...call, body }, key);
        }),
      ),
    ),
  },
  {
    id: 'calls-astray',
    what: 'A call does not name its function, and is accepted all the same when it comes back.',
    override: together(
      bodies('responses.response', (body) => without(body, 'output.0.name')),
      bodies('messages.message', (body) => without(body, 'content.0.name')),
    ),
  },
];

/** Says the same in other words each time: in one body in capitals, streamed as ever. */
export const otherWords: Defect = {
  id: 'other-words',
  what: 'What is said in one body is said in capitals, and what is streamed is not.',
  override: together(
    bodies('chat-completions.completion', (body) =>
      changed(body, 'choices.0.message.content', inCapitals),
    ),
    bodies('messages.message', (body) => changed(body, 'content.0.text', inCapitals)),
    bodies('generative.response', (body) =>
      changed(body, 'candidates.0.content.parts.0.text', inCapitals),
    ),
  ),
};

function typeAlone(_: string, answer: Json): Json | undefined {
  return isObject(answer) && answer.type !== undefined ? { type: answer.type } : undefined;
}

function inHalf(text: Json | undefined): Json | undefined {
  return typeof text === 'string' ? text.slice(0, text.length >> 1) : text;
}

function inCapitals(text: Json | undefined): Json | undefined {
  return typeof text === 'string' ? text.toUpperCase() : text;
}

/** Applies a change to each generation, and to the data of each event of one. */
function everyAnswer(change: (value: JsonObject) => JsonObject): Defect['override'] {
  return together(
    ...generated.map((kind) => bodies(kind, change)),
    ...streaming.map((dialect) => eachData(dialect, change)),
  );
}

/** With no token in its usage. */
function uncounted(value: Json): Json {
  return mapped(value, (name, member) =>
    typeof member === 'number' && /_tokens$|TokenCount$/.test(name) ? 0 : undefined,
  );
}

/** Without its texts, and with nothing in its usage. */
function withoutText(value: Json): Json {
  return mapped(uncounted(value), (name, member) =>
    typeof member === 'string' && /^(text|delta|content)$/.test(name) ? '' : undefined,
  );
}

/** @param change what a member becomes, however deep it lies; undefined: what its own members make of it */
function mapped(value: Json, change: (name: string, member: Json) => Json | undefined): Json {
  if (isArray(value)) return value.map((one) => mapped(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, change(name, member) ?? mapped(member, change)]],
    ),
  );
}
