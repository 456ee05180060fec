import type { StreamEvent } from '../../reference/dialect.ts';
import { isArray, isObject, type Json } from '../../reference/json.ts';
import type { Defect, StreamContext } from '../../reference/seams.ts';
import { decide, tighten } from '../decisions.ts';
import { memberAt, set } from '../editing.ts';
import { eachData, eachEvent } from '../planting.ts';
import type { Fault } from './fault.ts';
import { originOf } from './response-bodies.ts';

// Taking up a broken stream of a background response.

/** Where a recovery begins, as an index into the kept events; `last` is that of the last one. */
function beginning(
  from: (startingAfter: number | null, last: number, native: number) => number,
): Defect['override'] {
  return decide('recoversFrom', (original) => (startingAfter, record, call) => {
    const native = original(startingAfter, record, call);
    const { turn } = record;
    if (turn === null || originOf(turn) !== 'background') return native;
    // While it runs, its last event is still to come.
    const last = turn.finished ? turn.events.entries.length - 1 : Number.POSITIVE_INFINITY;
    return from(startingAfter, last, native);
  });
}

/** The stream of a background response, taken up behind some event. */
function isRecovery({ record, startingAfter }: StreamContext): boolean {
  return startingAfter !== null && record?.background === true;
}

/** Leaves the events of one type out of what is recovered; the others keep their numbers. */
function recoveredWithout(type: string): Defect['override'] {
  return eachEvent(
    'responses',
    (context) => (event: StreamEvent) => (isRecovery(context) && event.name === type ? [] : event),
  );
}

/** Other ids at these paths of what is recovered. */
function recoveredUnder(...paths: readonly string[]): Defect['override'] {
  return eachData('responses', (data, _index, context) => {
    if (!isRecovery(context)) return data;
    return paths.reduce((changing, path) => {
      const id = memberAt(changing, path);
      return typeof id === 'string' ? set(changing, path, `${id}_2`) : changing;
    }, data);
  });
}

/** All text in an event, of fragments and of what repeats them. */
function shouted(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((item) => shouted(item) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isText = (name === 'text' || name === 'delta') && typeof member === 'string';
      return [name, isText ? member.toUpperCase() : shouted(member)];
    }),
  );
}

export const recoverFaults: readonly Fault[] = [
  {
    id: 'recover.inclusive',
    what: 'A recovered stream begins with the event that the client has seen last.',
    breaks: ['interruption/recovery.only-later-events'],
    override: beginning((startingAfter, last, native) =>
      startingAfter === null || startingAfter >= last ? native : startingAfter,
    ),
  },
  {
    id: 'recover.skips-one',
    what: 'A recovered stream leaves out the first event that the client has not seen.',
    breaks: ['interruption/recovery.only-later-events'],
    override: beginning((startingAfter, _last, native) =>
      startingAfter === null ? native : native + 1,
    ),
  },
  {
    id: 'recover.whole-stream',
    what: 'A recovered stream begins from its start, whatever `starting_after` says.',
    breaks: ['interruption/recovery.only-later-events'],
    override: beginning((startingAfter, last, native) =>
      startingAfter !== null && startingAfter >= last ? native : 0,
    ),
  },
  {
    id: 'recover.numbers-restart',
    what: 'The sequence numbers of a recovered stream start at 0 again.',
    breaks: ['interruption/recovery.only-later-events'],
    override: eachData('responses', (data, index, context) =>
      isRecovery(context) ? { ...data, sequence_number: index } : data,
    ),
  },
  {
    id: 'recover.each-twice',
    what: 'A recovered stream has each event twice.',
    breaks: ['interruption/recovery.only-later-events'],
    override: eachEvent(
      'responses',
      (context) => (event: StreamEvent) => (isRecovery(context) ? [event, event] : event),
    ),
  },
  {
    id: 'recover.text-not-done',
    what: 'A recovered stream never says that the text is done.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredWithout('response.output_text.done'),
  },
  {
    id: 'recover.part-not-done',
    what: 'A recovered stream leaves the part open that it goes on with.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredWithout('response.content_part.done'),
  },
  {
    id: 'recover.item-not-done',
    what: 'A recovered stream leaves the output item open that it goes on with.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredWithout('response.output_item.done'),
  },
  {
    id: 'recover.another-response',
    what: 'A recovered stream goes on under the id of another response.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredUnder('response.id'),
  },
  {
    id: 'recover.other-items',
    what: 'In a recovered stream the output items have other ids than before the break.',
    breaks: ['interruption/recovery.only-later-events'],
    override: recoveredUnder('item_id', 'item.id', 'response.output.0.id'),
  },
  {
    id: 'recover.generates-again',
    what: 'A recovered stream has the events of another generation.',
    breaks: ['interruption/recovery.completes-text'],
    override: eachData('responses', (data, _index, context) => {
      if (!isRecovery(context)) return data;
      const again = shouted(data);
      return isObject(again) ? again : data;
    }),
  },
  {
    id: 'recover.nothing-left-refused',
    what: 'A stream that has nothing left is not found.',
    breaks: ['interruption/recovery.past-the-end'],
    override: tighten('isStored', ({ operation, call, record }) => {
      const after = Number(call.query.get('starting_after') ?? Number.NaN);
      const last = (record.turn?.events.entries.length ?? 0) - 1;
      const nothingLeft = record.turn?.finished === true && after >= last;
      return operation === 'recover' && nothingLeft;
    }),
  },
  {
    id: 'recover.wraps-around',
    what: 'Behind its last event a stream begins from its start again.',
    breaks: ['interruption/recovery.past-the-end'],
    override: beginning((startingAfter, last, native) =>
      startingAfter !== null && startingAfter >= last ? 0 : native,
    ),
  },
  {
    id: 'recover.first-event-lost',
    what: 'A stream that is asked for from its start begins with its second event.',
    breaks: ['interruption/recovery.from-the-start'],
    override: beginning((startingAfter, _last, native) => (startingAfter === null ? 1 : native)),
  },
  {
    id: 'recover.from-now-on',
    what: 'A stream that is asked for from its start has no event that was sent before.',
    breaks: ['interruption/recovery.from-the-start'],
    override: beginning((startingAfter, _last, native) =>
      startingAfter === null ? Number.MAX_SAFE_INTEGER : native,
    ),
  },
  {
    id: 'recover.bad-value-ignored',
    what: 'A `starting_after` that is no number is ignored.',
    breaks: ['interruption/recovery.bad-value-refused'],
    override: tighten('insists', (refusal) => refusal.param === 'starting_after'),
  },
  {
    id: 'recover.background-only',
    what: 'The stream of a response that did not run in the background cannot be recovered.',
    breaks: ['interruption/recovery.foreground'],
    override: tighten(
      'isStored',
      (access) => access.operation === 'recover' && !access.record.background,
    ),
  },
  {
    id: 'recover.foreground-whole-only',
    what: 'The stream of a response that did not run in the background is recovered from its start only.',
    breaks: ['interruption/recovery.foreground'],
    override: tighten(
      'isStored',
      ({ operation, call, record }) =>
        operation === 'recover' && call.query.has('starting_after') && !record.background,
    ),
  },
];
