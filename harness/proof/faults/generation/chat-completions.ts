import { type JsonObject, Refusal, type StreamEvent } from '../../../reference/index.ts';
import { decide } from '../../decisions.ts';
import { dropping, memberAt, replacing, set, setting, without } from '../../editing.ts';
import { bodiesOf, dataOf, eachEvent, handling, streams } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';
import { endingWithDone } from './streamed-text.ts';

const protocol = 'chat-completions';
const content = 'choices.0.delta.content';
const finish = 'choices.0.finish_reason';

const inCompletions = bodiesOf('chat-completions.completion');
const inChunks = dataOf(protocol);

export const chatCompletionsFaults: readonly Fault[] = [
  ...planted({
    'chat-completions.older-limit-ignored': decide('outputLimit', (native) => (asked, call) => {
      const isOlder = call.dialect.name === protocol && call.body.max_tokens !== undefined;
      return native(isOlder ? null : asked, call);
    }),
    'chat-completions.no-created': inCompletions(dropping('created')),
    'chat-completions.no-refusal': inCompletions(dropping('choices.0.message.refusal')),
    'chat-completions.no-logprobs': inCompletions(dropping('choices.0.logprobs')),
    'chat-completions.wrong-object': inCompletions(setting('object', 'text_completion')),
    'chat-completions.no-choice-index': inCompletions(dropping('choices.0.index')),
    'chat-completions.foreign-finish-reason': inCompletions(replacing(finish, 'stop', 'end_turn')),
    'chat-completions.null-finish-reason': inCompletions(setting(finish, null)),
    'chat-completions.total-without-prompt': inCompletions((body) =>
      set(body, 'usage.total_tokens', memberAt(body, 'usage.completion_tokens') ?? 0),
    ),
    'chat-completions.cut-short-is-stop': inCompletions(replacing(finish, 'length', 'stop')),
    'chat-completions.single-turn-only': handling(
      'chat-completions.create',
      (handle) => (call, key) => {
        const last = memberAt(call.body, 'messages.1.content');
        if (memberAt(call.body, 'messages.1.role') !== 'assistant' || typeof last !== 'string') {
          return handle(call, key);
        }
        throw new Refusal('invalid-value', "'messages[1].role' has to be 'user'.", 'messages');
      },
    ),
    'chat-completions-stream.nameless-chunk': eachEvent(protocol, () => (event, index) => {
      const nameless = { id: '', object: '', created: 0, model: '', choices: [] };
      return index === 0 ? [event, { name: null, data: nameless }] : event;
    }),
    'chat-completions-stream.no-model': inChunks(dropping('model')),
    'chat-completions-stream.whole-object': inChunks(setting('object', 'chat.completion')),
    'chat-completions-stream.id-per-chunk': inChunks((chunk, index) =>
      set(chunk, 'id', `${chunk.id}-${index}`),
    ),
    'chat-completions-stream.created-per-chunk': inChunks((chunk, index) =>
      set(chunk, 'created', Number(chunk.created) + index),
    ),
    'chat-completions-stream.foreign-finish-reason': inChunks(
      replacing(finish, 'stop', 'end_turn'),
    ),
    'chat-completions-stream.finish-twice': eachEvent(protocol, () => (event) => {
      const ends = memberAt(event.data, finish);
      return typeof ends === 'string' ? [event, event] : event;
    }),
    'chat-completions-stream.no-finish': inChunks(setting(finish, null)),
    'chat-completions-stream.late-content': streams(protocol, async function* (events) {
      let held: StreamEvent | null = null;
      for await (const event of events) {
        const ends = typeof memberAt(event.data, finish) === 'string';
        if (ends) yield event;
        if (held !== null) yield held;
        held = typeof memberAt(event.data, content) === 'string' ? event : null;
        if (held === null && !ends) yield event;
      }
    }),
    'chat-completions-stream.no-done': eachEvent(
      protocol,
      () => (event) => (event.data === '[DONE]' ? [] : event),
    ),
    'chat-completions-stream.done-twice': endingWithDone(protocol),
    'chat-completions-stream.usage-withheld': eachEvent(protocol, () => (event) => {
      const choices = memberAt(event.data, 'choices');
      return Array.isArray(choices) && choices.length === 0 ? [] : event;
    }),
    'chat-completions-stream.usage-with-finish': streams(protocol, async function* (events) {
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
    'chat-completions-stream.event-names': eachEvent(protocol, () => ({ data }) => ({
      name: 'message',
      data,
    })),
    'chat-completions-stream.no-role': inChunks((chunk) =>
      memberAt(chunk, 'choices.0.delta.role') === undefined
        ? chunk
        : without(chunk, 'choices.0.delta.role'),
    ),
  }),
];
