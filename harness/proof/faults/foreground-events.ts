import type { StreamEvent } from '../../reference/dialect.ts';
import type { Json, JsonObject } from '../../reference/json.ts';
import type { Defect, StreamContext } from '../../reference/seams.ts';
import { changed } from '../editing.ts';
import { eachEvent } from '../planting.ts';

// The events of a stream that was asked for in the foreground. Those of a background run and of a
// WebSocket stay as they are, so that what is built on them is still judged.

type Change = (
  event: { readonly name: string | null; readonly data: JsonObject },
  index: number,
) => StreamEvent | readonly StreamEvent[];

function isForeground({ call, record, over, refusal }: StreamContext): boolean {
  if (over !== 'sse' || refusal !== null || record === null) return false;
  return call.operation === 'responses.create' && !record.background;
}

/** Replaces events, and leaves their numbers to `change`. */
export function events(change: () => Change): Defect['override'] {
  return eachEvent('responses', (context) => {
    const replaced = change();
    return (event, index) => {
      const { name, data } = event;
      if (typeof data === 'string' || !isForeground(context)) return event;
      return replaced({ name, data }, index);
    };
  });
}

/** Replaces events, and numbers what comes of it as if nothing were wrong. */
export function renumbered(change: () => Change): Defect['override'] {
  return events(() => {
    const replaced = change();
    let next = 0;
    return (event, index) => {
      const result = replaced(event, index);
      return ('data' in result ? [result] : result).map(({ name, data }) => ({
        name,
        data: typeof data === 'string' ? data : { ...data, sequence_number: next++ },
      }));
    };
  });
}

/** Leaves all events of one type out. */
export function missing(type: string): Defect['override'] {
  return renumbered(() => (event) => (event.name === type ? [] : event));
}

/** Changes the data of the events of one type. */
export function data(type: string, change: (data: JsonObject) => JsonObject): Defect['override'] {
  return events(
    () => (event) => (event.name === type ? { name: type, data: change(event.data) } : event),
  );
}

/** Changes a member of every event that has it. */
export function member(name: string, change: (value: Json) => Json): Defect['override'] {
  return events(() => ({ name: type, data }) => ({
    name: type,
    data: data[name] === undefined ? data : changed(data, name, (old) => change(old ?? null)),
  }));
}
