import { at } from '../../core/json-value.ts';
import {
  added,
  all,
  type BrokenCase,
  changed,
  doubled,
  dropped,
  moved,
  renamed,
  replaced,
  retyped,
  set,
  setAll,
  without,
} from './streams.ts';

/** Single edits of a valid Responses stream, by the one rule that each breaks. */

const created = 'response.created';
const completed = 'response.completed';
const itemAdded = 'response.output_item.added';
const itemDone = 'response.output_item.done';
const partAdded = 'response.content_part.added';
const partDone = 'response.content_part.done';
const delta = 'response.output_text.delta';
const textDone = 'response.output_text.done';
const fragment = 'response.function_call_arguments.delta';
const argumentsDone = 'response.function_call_arguments.done';

const finalText = 'response.output[0].content[0].text';
const two = 'two-parts-two-items';
const socket = { transport: 'socket' } as const;
const numbered = { keepNumbers: true } as const;
const novelty = { type: 'novelty', sequence_number: 0 };
const lateDelta = {
  type: delta,
  sequence_number: 0,
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: '!',
};
const error = { type: 'error', sequence_number: 0, code: null, message: 'no', param: null };
const failed = {
  type: 'response.failed',
  sequence_number: 0,
  response: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm-1',
    status: 'failed',
    output: [],
  },
};

const everywhere = (): boolean => true;
const second = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'output_index' in body && body.output_index === 1;
const more = (value: unknown): string => `${value}!`;
const oneLess = (value: unknown): number => Number(value) - 1;

export const numbering: readonly BrokenCase[] = [
  [
    'sequence-increases',
    'the same twice',
    'text',
    changed(5, 'sequence_number', oneLess),
    numbered,
  ],
  ['sequence-increases', 'back to 0', 'text', set(-1, 'sequence_number', 0), numbered],
  ['sequence-increases', 'always 0', 'text', setAll('sequence_number', 0, everywhere), numbered],
  ['sequence-from-zero', 'from 1', 'text', dropped(1), numbered],
  ['sequence-from-zero', 'a gap', 'text', set(-1, 'sequence_number', 90), numbered],
];

export const frames: readonly BrokenCase[] = [
  ['events-typed', 'no type', 'text', without(delta, 'type')],
  ['events-typed', 'no type on the first', 'text', without(created, 'type')],
  ['events-typed', 'no type on an item', 'text', without(itemAdded, 'type')],
  ['events-typed', 'no type in a frame', 'text', without(delta, 'type'), socket],
  ['events-typed', 'no type in the first frame', 'text', without(created, 'type'), socket],
  ['events-typed', 'no type in the last frame', 'text', without(completed, 'type'), socket],
  ['events-typed', 'no type on an item in a frame', 'text', without(itemAdded, 'type'), socket],
  ['events-typed', 'type is a number', 'text', set(delta, 'type', 7)],
  ['events-typed', 'no JSON', 'text', replaced(delta, 'hello')],
  ['events-typed', 'a list', 'text', replaced(delta, [])],
  ['events-typed', 'no JSON at the end', 'text', replaced(completed, '{')],
  ['event-name-is-type', 'another name', 'text', renamed(delta, 'delta')],
  ['event-name-is-type', 'an empty name', 'text', renamed(delta, '')],
  ['event-name-present', 'no name', 'text', renamed(delta, undefined)],
  ['no-foreign-events', 'a chat chunk', 'text', added({ object: 'chat.completion.chunk' }, 5)],
  ['no-foreign-events', 'a message event', 'text', added({ type: 'message_start' }, 5)],
  ['no-foreign-events', 'a candidate', 'text', added({ candidates: [] }, 0)],
  ['no-foreign-events', 'one at the end', 'text', added({ type: 'message_stop' })],
];

export const order: readonly BrokenCase[] = [
  ['created-first', 'dropped', 'text', dropped(created)],
  ['created-first', 'second', 'text', moved('response.in_progress', 0, created)],
  ['created-first', 'twice', 'text', doubled(created)],
  ['created-first', 'in the middle', 'text', moved(created, 0, delta)],
  ['one-terminal-last', 'dropped', 'text', dropped(completed)],
  ['one-terminal-last', 'dropped before [DONE]', 'text-done', dropped(completed)],
  ['one-terminal-last', 'dropped, failed', 'failed', dropped('response.failed')],
  ['one-terminal-last', 'twice', 'text', doubled(completed)],
  ['one-terminal-last', 'a delta after it', 'text', moved(completed, 0, delta, 3)],
  ['one-terminal-last', 'a delta added after it', 'text', added(lateDelta)],
  ['one-terminal-last', 'an unknown event after it', 'text', added(novelty)],
  ['one-terminal-last', '[DONE] twice', 'text-done', doubled('[DONE]')],
  ['one-terminal-last', '[DONE] before it', 'text-done', moved('[DONE]', 0, completed)],
  ['one-terminal-last', 'an event after [DONE]', 'text-done', added(novelty)],
  ['one-terminal-last', 'two different ones', 'text', added(failed)],
  ['one-terminal-last', 'an error in the middle', 'text', added(error, 6)],
  ['terminal-matches-status', 'the other type', 'text', retyped(completed, 'response.incomplete')],
  ['terminal-matches-status', 'incomplete', 'incomplete', retyped(-1, 'response.completed')],
  ['terminal-matches-status', 'in progress', 'text', set(-1, 'response.status', 'in_progress')],
  ['terminal-matches-status', 'cancelled', 'text', set(-1, 'response.status', 'cancelled')],
  [
    'status-while-running',
    'completed at once',
    'text',
    set(created, 'response.status', 'completed'),
  ],
  ['terminal-matches-status', 'failed', 'failed', set(-1, 'response.status', 'incomplete')],
];

export const shapes: readonly BrokenCase[] = [
  ['known-event-shapes', 'a delta without delta', 'text', without(delta, 'delta')],
  ['known-event-shapes', 'a delta without item_id', 'text', without(delta, 'item_id')],
  ['known-event-shapes', 'a delta without output_index', 'text', without(delta, 'output_index')],
  ['known-event-shapes', 'a delta without content_index', 'text', without(delta, 'content_index')],
  ['known-event-shapes', 'an index as text', 'text', set(delta, 'output_index', '0')],
  ['known-event-shapes', 'no number', 'text', without(delta, 'sequence_number'), numbered],
  ['known-event-shapes', 'created without response', 'text', without(created, 'response')],
  ['known-event-shapes', 'completed without response', 'text', without(completed, 'response')],
  ['known-event-shapes', 'no output', 'text', without(completed, 'response.output')],
  ['known-event-shapes', 'no model', 'text', without('response.in_progress', 'response.model')],
  ['known-event-shapes', 'no item', 'text', without(itemAdded, 'item')],
  ['known-event-shapes', 'an item without id', 'text', without(itemAdded, 'item.id')],
  ['known-event-shapes', 'an item without index', 'text', without(itemAdded, 'output_index')],
  ['known-event-shapes', 'no done item', 'text', without(itemDone, 'item')],
  ['known-event-shapes', 'a done item without content', 'text', without(itemDone, 'item.content')],
  ['known-event-shapes', 'no part', 'text', without(partAdded, 'part')],
  ['known-event-shapes', 'a part without index', 'text', without(partAdded, 'content_index')],
  ['known-event-shapes', 'a done part without text', 'text', without(partDone, 'part.text')],
  ['known-event-shapes', 'a done text without text', 'text', without(textDone, 'text')],
  ['known-event-shapes', 'a fragment', 'function-call', without(fragment, 'delta', 1)],
  ['known-event-shapes', 'done arguments', 'function-call', without(argumentsDone, 'arguments')],
  ['known-event-shapes', 'an error without message', 'lone-error', without('error', 'message')],
  ['known-event-shapes', 'no id at first', 'text', without(created, 'response.id')],
  ['known-event-shapes', 'no id later', 'text', without(completed, 'response.id')],
  ['known-event-shapes', 'an empty id', 'text', set(completed, 'response.id', '')],
];

const secondIsFirst = all(
  setAll('item_id', 'msg_1', second),
  setAll('item.id', 'msg_1', second),
  set(-1, 'response.output[1].id', 'msg_1'),
);

export const items: readonly BrokenCase[] = [
  ['ids-constant', 'response id at the end', 'text', set(-1, 'response.id', 'resp_2')],
  ['ids-constant', 'response id at the start', 'text', set(0, 'response.id', 'resp_2')],
  ['ids-constant', 'item_id', 'text', set(delta, 'item_id', 'msg_9', 1)],
  ['ids-constant', 'id when done', 'text', set(itemDone, 'item.id', 'msg_9')],
  ['ids-constant', 'id when added', 'text', set(itemAdded, 'item.id', 'msg_9')],
  ['ids-constant', 'id in the end', 'text', set(-1, 'response.output[0].id', 'msg_9')],
  ['ids-constant', 'type when done', 'function-call', set(itemDone, 'item.type', 'novel_call')],
  ['ids-constant', 'one id for two items', two, secondIsFirst],
  ['ids-constant', 'output_index', two, set(delta, 'output_index', 0, 2)],
  ['items-open-and-close', 'never added', 'text', dropped(itemAdded)],
  ['items-open-and-close', 'the second never added', two, dropped(itemAdded, 1)],
  ['items-open-and-close', 'the first never added', two, dropped(itemAdded)],
  ['items-open-and-close', 'added twice', 'text', doubled(itemAdded)],
  ['items-open-and-close', 'added late', 'text', moved(itemAdded, 0, delta)],
  ['items-open-and-close', 'never done', 'text', dropped(itemDone)],
  ['items-open-and-close', 'never done, incomplete', 'incomplete', dropped(itemDone)],
  ['items-open-and-close', 'a call never done', 'function-call', dropped(itemDone)],
  ['items-open-and-close', 'a call never added', 'function-call', dropped(itemAdded)],
  ['items-open-and-close', 'reasoning never added', 'reasoning-and-calls', dropped(itemAdded)],
  ['items-open-and-close', 'done twice', 'text', doubled(itemDone)],
  ['items-open-and-close', 'a delta after it is done', 'text', moved(delta, 3, completed)],
  ['parts-open-and-close', 'never added', 'text', dropped(partAdded)],
  ['parts-open-and-close', 'the second never added', two, dropped(partAdded, 1)],
  ['parts-open-and-close', 'a refusal never added', 'refusal', dropped(partAdded)],
  ['parts-open-and-close', 'added twice', 'text', doubled(partAdded)],
  ['parts-open-and-close', 'added late', 'text', moved(partAdded, 0, delta, 1)],
  ['parts-open-and-close', 'never done', 'text', dropped(partDone)],
  ['parts-open-and-close', 'done twice', 'text', doubled(partDone)],
  ['parts-open-and-close', 'done after its item', 'text', moved(itemDone, 0, partDone)],
  ['parts-open-and-close', 'a delta after its text', 'text', moved(textDone, 0, delta, 3)],
  ['parts-open-and-close', 'a delta after its part', 'text', moved(delta, 3, itemDone)],
  ['parts-open-and-close', 'the text done twice', 'text', doubled(textDone)],
  ['indexes-append', 'first item added at 1', 'text', set(itemAdded, 'output_index', 1)],
  ['indexes-append', 'first item at 1', 'text', setAll('output_index', 1, everywhere)],
  ['indexes-append', 'second item added at 0', two, set(itemAdded, 'output_index', 0, 1)],
  ['indexes-append', 'second item at 0', two, setAll('output_index', 0, second)],
  ['indexes-append', 'second item at 7', two, setAll('output_index', 7, second)],
  ['indexes-append', 'first part added at 1', 'text', set(partAdded, 'content_index', 1)],
  ['indexes-append', 'first part at 1', 'text', setAll('content_index', 1, everywhere)],
  ['indexes-append', 'second part added at 0', two, set(partAdded, 'content_index', 0, 1)],
];

/** Without fragments, all events with the whole text must agree. */
const noDeltas = all(dropped(delta), dropped(delta), dropped(delta), dropped(delta));
const again = changed(-1, 'response.output', (output) => [
  at(output, '[0]'),
  { ...Object(at(output, '[0]')), id: 'msg_9' },
]);
const noObject = all(
  set(fragment, 'delta', '['),
  set(argumentsDone, 'arguments', '[ty":"Oslo"}'),
  set(itemDone, 'item.arguments', '[ty":"Oslo"}'),
  set(-1, 'response.output[0].arguments', '[ty":"Oslo"}'),
);

export const texts: readonly BrokenCase[] = [
  ['deltas-join-to-text', 'a delta dropped', 'text', dropped(delta)],
  ['deltas-join-to-text', 'a delta twice', 'text', doubled(delta)],
  ['deltas-join-to-text', 'two deltas swapped', 'text', moved(delta, 3, delta)],
  ['deltas-join-to-text', 'another done text', 'text', changed(textDone, 'text', more)],
  ['deltas-join-to-text', 'another part', 'text', changed(partDone, 'part.text', more)],
  ['deltas-join-to-text', 'another item', 'text', changed(itemDone, 'item.content[0].text', more)],
  ['deltas-join-to-text', 'another final response', 'text', changed(-1, finalText, more)],
  ['deltas-join-to-text', 'an empty final response', 'text', set(-1, 'response.output', [])],
  ['deltas-join-to-text', 'an empty item', 'text', set(itemDone, 'item.content', [])],
  ['deltas-join-to-text', 'no done text', 'text', dropped(textDone)],
  ['deltas-join-to-text', 'no deltas', 'text', all(noDeltas, set(textDone, 'text', 'no'))],
  ['deltas-join-to-text', 'incomplete', 'incomplete', dropped(delta)],
  ['deltas-join-to-text', 'a refusal', 'refusal', dropped('response.refusal.delta')],
  ['deltas-join-to-text', 'the second item', two, dropped(delta, 2)],
  ['deltas-join-to-text', 'text that was never streamed', 'text', again],
  ['arguments-join', 'a fragment dropped', 'function-call', dropped(fragment, 1)],
  ['arguments-join', 'no done arguments', 'function-call', dropped(argumentsDone)],
  ['arguments-join', 'done arguments', 'function-call', set(argumentsDone, 'arguments', '{}')],
  ['arguments-join', 'a fragment late', 'function-call', moved(argumentsDone, 0, fragment, 2)],
  ['arguments-join', 'another item', 'function-call', set(itemDone, 'item.arguments', '{}')],
  ['arguments-join', 'no call in the end', 'function-call', set(-1, 'response.output', [])],
  ['arguments-join', 'no object', 'function-call', noObject],
  ['arguments-join', 'the last of several', 'reasoning-and-calls', dropped(fragment, 2)],
];
