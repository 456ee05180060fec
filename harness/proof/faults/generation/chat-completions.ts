import { type JsonObject, Refusal, type StreamEvent } from '../../../reference/index.ts';
import { decide } from '../../decisions.ts';
import { changed, memberAt, set, without } from '../../editing.ts';
import { bodies, eachData, eachEvent, handling, streams } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { conversationOptional, limitFaults } from './across-protocols.ts';
import { endingWithDone, streamedTextFaults } from './streamed-text.ts';

const protocol = 'chat-completions';
const completion = 'chat-completions.completion';
const content = 'choices.0.delta.content';
const finish = 'choices.0.finish_reason';

export const chatCompletionsFaults: readonly Fault[] = [
  {
    id: 'chat-completions.older-limit-ignored',
    what: 'An output limit in `max_tokens` is ignored.',
    breaks: ['generation/chat-completions.older-limit-kept'],
    override: decide('outputLimit', (native) => (asked, call) => {
      const isOlder = call.dialect.name === protocol && call.body.max_tokens !== undefined;
      return native(isOlder ? null : asked, call);
    }),
  },
  {
    id: 'chat-completions.no-created',
    what: 'A completion does not say when it was created.',
    breaks: ['generation/chat-completions.shape'],
    override: bodies(completion, (body) => without(body, 'created')),
  },
  {
    id: 'chat-completions.wrong-object',
    what: 'A completion calls itself a `text_completion`, as the older protocol does.',
    breaks: ['generation/chat-completions.shape'],
    override: bodies(completion, (body) => set(body, 'object', 'text_completion')),
  },
  {
    id: 'chat-completions.no-choice-index',
    what: 'The choices of a completion have no index.',
    breaks: ['generation/chat-completions.shape'],
    override: bodies(completion, (body) => without(body, 'choices.0.index')),
  },
  {
    id: 'chat-completions.foreign-finish-reason',
    what: 'A completion ends with `end_turn`, as in Messages.',
    breaks: ['everywhere/native.ending-fits-request:chat-completions'],
    override: bodies(completion, (body) =>
      changed(body, finish, (reason) => (reason === 'stop' ? 'end_turn' : reason)),
    ),
  },
  {
    id: 'chat-completions.null-finish-reason',
    what: 'A completion that has ended has no finish reason.',
    breaks: ['everywhere/native.ending-fits-request:chat-completions'],
    override: bodies(completion, (body) => set(body, finish, null)),
  },
  {
    id: 'chat-completions.total-without-prompt',
    what: 'The total of the usage leaves the prompt out.',
    breaks: ['generation/chat-completions.usage-adds-up'],
    override: bodies(completion, (body) =>
      set(body, 'usage.total_tokens', memberAt(body, 'usage.completion_tokens') ?? 0),
    ),
  },
  {
    id: 'chat-completions.cut-short-is-stop',
    what: 'An answer that was cut at its limit ends with `stop`.',
    breaks: ['generation/chat-completions.truncated-is-length'],
    override: bodies(completion, (body) =>
      changed(body, finish, (reason) => (reason === 'length' ? 'stop' : reason)),
    ),
  },
  conversationOptional(protocol),
  {
    id: 'chat-completions.single-turn-only',
    what: "A conversation is refused when the assistant's own turn is in it.",
    breaks: ['generation/chat-completions.conversation-served'],
    override: handling('chat-completions.create', (handle) => (call, key) => {
      const last = memberAt(call.body, 'messages.1.content');
      if (memberAt(call.body, 'messages.1.role') !== 'assistant' || typeof last !== 'string') {
        return handle(call, key);
      }
      throw new Refusal('invalid-value', "'messages[1].role' has to be 'user'.", 'messages');
    }),
  },
  ...limitFaults(protocol),
  {
    id: 'chat-completions-stream.nameless-chunk',
    what: 'Behind the first chunk of a stream stands one without an id and without choices.',
    breaks: ['generation/chat-completions-stream.filter-chunk-shape'],
    override: eachEvent(protocol, () => (event, index) => {
      const nameless = { id: '', object: '', created: 0, model: '', choices: [] };
      return index === 0 ? [event, { name: null, data: nameless }] : event;
    }),
  },
  {
    id: 'chat-completions-stream.no-model',
    what: 'The chunks of a stream do not name the model.',
    breaks: ['generation/chat-completions-stream.chunk-shape'],
    override: eachData(protocol, (chunk) => without(chunk, 'model')),
  },
  {
    id: 'chat-completions-stream.whole-object',
    what: 'Chunks call themselves `chat.completion`, like the unstreamed body.',
    breaks: ['generation/chat-completions-stream.chunk-shape'],
    override: eachData(protocol, (chunk) => set(chunk, 'object', 'chat.completion')),
  },
  {
    id: 'chat-completions-stream.id-per-chunk',
    what: 'Each chunk gets an id of its own.',
    breaks: ['generation/chat-completions-stream.one-id'],
    override: eachData(protocol, (chunk, index) => set(chunk, 'id', `${chunk.id}-${index}`)),
  },
  {
    id: 'chat-completions-stream.created-per-chunk',
    what: 'Each chunk says when it was written, not when the completion was created.',
    breaks: ['generation/chat-completions-stream.one-id'],
    override: eachData(protocol, (chunk, index) =>
      set(chunk, 'created', Number(chunk.created) + index),
    ),
  },
  {
    id: 'chat-completions-stream.foreign-finish-reason',
    what: 'A stream ends with `end_turn`, as in Messages.',
    breaks: ['everywhere/native.ending-fits-request:chat-completions'],
    override: eachData(protocol, (chunk) =>
      changed(chunk, finish, (reason) => (reason === 'stop' ? 'end_turn' : reason)),
    ),
  },
  {
    id: 'chat-completions-stream.finish-twice',
    what: 'The chunk with the finish reason is sent twice.',
    breaks: ['generation/chat-completions-stream.one-finish'],
    override: eachEvent(protocol, () => (event) => {
      const ends = memberAt(event.data, finish);
      return typeof ends === 'string' ? [event, event] : event;
    }),
  },
  {
    id: 'chat-completions-stream.no-finish',
    what: 'A stream ends with [DONE] and never has a finish reason.',
    breaks: ['generation/chat-completions-stream.one-finish'],
    override: eachData(protocol, (chunk) => changed(chunk, finish, () => null)),
  },
  {
    id: 'chat-completions-stream.late-content',
    what: 'The last piece of the text comes after the finish reason.',
    breaks: ['generation/chat-completions-stream.nothing-after-finish'],
    override: streams(protocol, async function* (events) {
      let held: StreamEvent | null = null;
      for await (const event of events) {
        const ends = typeof memberAt(event.data, finish) === 'string';
        if (ends) yield event;
        if (held !== null) yield held;
        held = typeof memberAt(event.data, content) === 'string' ? event : null;
        if (held === null && !ends) yield event;
      }
    }),
  },
  {
    id: 'chat-completions-stream.no-done',
    what: 'A stream just ends, without [DONE].',
    breaks: ['generation/chat-completions-stream.done-is-last'],
    override: eachEvent(protocol, () => (event) => (event.data === '[DONE]' ? [] : event)),
  },
  {
    id: 'chat-completions-stream.done-twice',
    what: 'The gateway adds its own [DONE] to that of the channel.',
    breaks: ['generation/chat-completions-stream.done-is-last'],
    override: endingWithDone(protocol),
  },
  ...streamedTextFaults(protocol, content),
  {
    id: 'chat-completions-stream.usage-withheld',
    what: '`stream_options.include_usage` is ignored.',
    breaks: ['generation/chat-completions-stream.usage-chunk'],
    override: eachEvent(protocol, () => (event) => {
      const choices = memberAt(event.data, 'choices');
      return Array.isArray(choices) && choices.length === 0 ? [] : event;
    }),
  },
  {
    id: 'chat-completions-stream.usage-with-finish',
    what: 'The usage comes with the finish reason, and not in a chunk of its own.',
    breaks: ['generation/chat-completions-stream.usage-chunk'],
    override: streams(protocol, async function* (events) {
      let ended: JsonObject | null = null;
      for await (const event of events) {
        const ends = typeof memberAt(event.data, finish) === 'string';
        const usage = memberAt(event.data, 'usage');
        if (ends && typeof event.data !== 'string') ended = event.data;
        else if (ended === null) yield event;
        else {
          yield { name: null, data: usage ? set(ended, 'usage', usage) : ended };
          if (!usage) yield event;
          ended = null;
        }
      }
    }),
  },
  {
    id: 'chat-completions-stream.event-names',
    what: 'Events have an `event:` line.',
    breaks: ['generation/chat-completions-stream.data-only'],
    override: eachEvent(protocol, () => ({ data }) => ({ name: 'message', data })),
  },
  {
    id: 'chat-completions-stream.no-role',
    what: 'No delta has the role.',
    breaks: ['generation/chat-completions-stream.role-first'],
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, 'choices.0.delta.role') === undefined
        ? chunk
        : without(chunk, 'choices.0.delta.role'),
    ),
  },
];
