import { readdirSync, readFileSync } from 'node:fs';
import { at, isObject, textAt } from '../../core/json-value.ts';
import { fixture } from '../../core/package-root.ts';
import type { StreamingProtocol } from '../../core/protocol.ts';
import { answerOf } from '../answer.ts';
import type { EventStream, Findings, StreamEvent } from '../grammar.ts';
import { sampleStream } from './exchange.ts';

/** The valid streams of `fixtures/streams/<protocol>/*.txt`, and single edits of them. */

/** An editable event. A string body is sent unchanged. */
export interface Editable {
  name: string | undefined;
  hasId?: boolean;
  body: Record<string, unknown> | unknown[] | string;
}

/** Changes the events of a valid stream in place. */
export type Edit = (events: Editable[]) => void;

export function streamNames(protocol: StreamingProtocol): readonly string[] {
  return readdirSync(fixture('streams', protocol)).map((file) => file.replace('.txt', ''));
}

export function streamText(protocol: StreamingProtocol, name: string): string {
  return readFileSync(fixture('streams', protocol, `${name}.txt`), 'utf8');
}

export function goodStream(protocol: StreamingProtocol, name: string): EventStream {
  return streamOf(streamText(protocol, name));
}

/** Reads a text as the event stream that the transport would deliver. */
function streamOf(text: string): EventStream {
  const answer = answerOf(sampleStream(text));
  if (answer.form !== 'events') throw new Error('no event stream');
  return answer.stream;
}

export function editable({ events }: EventStream): Editable[] {
  return events.map(({ name, json, data }) => ({
    name,
    body: isObject(json) ? { ...json } : data,
  }));
}

export interface Assembled {
  readonly transport?: 'sse' | 'socket';
  readonly closed?: boolean;
  readonly cut?: boolean;
  /** True to keep the sequence numbers. By default they are renumbered from 0. */
  readonly keepNumbers?: boolean;
}

/** Joins events to a stream. Sequence numbers are renumbered, so that only the edit shows. */
export function assembled(
  events: readonly Editable[],
  { transport = 'sse', closed = true, cut = false, keepNumbers = false }: Assembled = {},
): EventStream {
  let next = 0;
  const read = (event: Editable): StreamEvent => {
    let body = event.body;
    if (!keepNumbers && isObject(body) && 'sequence_number' in body) {
      body = { ...body, sequence_number: next++ };
    }
    const name = transport === 'socket' ? undefined : event.name;
    const json = typeof body === 'string' ? undefined : structuredClone(body);
    const data = typeof body === 'string' ? body : JSON.stringify(body);
    return { name, hasId: event.hasId ?? false, data, json, binary: false };
  };
  return { transport, events: events.map(read), closed, cut };
}

/** The events of a valid stream after an edit. */
export function mutated(
  protocol: StreamingProtocol,
  name: string,
  edit: Edit,
  how: Assembled = {},
): EventStream {
  const events = structuredClone(editable(goodStream(protocol, name)));
  edit(events);
  return assembled(events, how);
}

/** A stream, and the only rule that its edit breaks. */
export type BrokenCase = readonly [
  rule: string,
  what: string,
  stream: string,
  edit: Edit,
  how?: Assembled,
];

function isA(type: string): (event: Editable) => boolean {
  return type === '[DONE]'
    ? ({ body }) => body === type
    : ({ body, name }) => (textAt(body, 'type') ?? name) === type;
}

/** The `n`th event of a type, or by position if `type` is a number. -1 is the last. */
function pick(events: readonly Editable[], type: string | number, n = 0): Editable {
  const found = typeof type === 'number' ? events.at(type) : events.filter(isA(type))[n];
  if (found === undefined) throw new Error(`no event ${type} (${n})`);
  return found;
}

/** Replaces the value at a path by the result of `change`. */
export function changed(
  type: string | number,
  path: string,
  change: (value: unknown) => unknown,
  n = 0,
): Edit {
  return (events) => changeAt(pick(events, type, n).body, path, change);
}

function changeAt(body: unknown, path: string, change: (value: unknown) => unknown): void {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  const last = steps.pop() ?? '';
  const holder = at(body, steps.join('.'));
  if (Array.isArray(holder)) holder[Number(last)] = change(holder[Number(last)]);
  else if (isObject(holder)) Object.assign(holder, { [last]: change(holder[last]) });
  else throw new Error(`nothing at ${path}`);
}

export function set(type: string | number, path: string, value: unknown, n = 0): Edit {
  return changed(type, path, () => value, n);
}

/** Sets a member of all events that have it. */
export function setAll(path: string, value: unknown, where: (body: unknown) => boolean): Edit {
  return (events) => {
    for (const { body } of events) {
      if (at(body, path) !== undefined && where(body)) changeAt(body, path, () => value);
    }
  };
}

/** Removes a member. */
export function without(type: string | number, path: string, n = 0): Edit {
  return set(type, path, undefined, n);
}

export function renamed(type: string | number, name: string | undefined, n = 0): Edit {
  return (events) => {
    pick(events, type, n).name = name;
  };
}

export function retyped(type: string | number, other: string): Edit {
  return (events) => {
    const event = pick(events, type);
    event.name = other;
    changeAt(event.body, 'type', () => other);
  };
}

export function replaced(type: string | number, body: Editable['body'], n = 0): Edit {
  return (events) => {
    pick(events, type, n).body = body;
  };
}

export function dropped(type: string | number, n = 0): Edit {
  return (events) => {
    events.splice(events.indexOf(pick(events, type, n)), 1);
  };
}

export function doubled(type: string | number, n = 0): Edit {
  return (events) => {
    const event = pick(events, type, n);
    events.splice(events.indexOf(event), 0, structuredClone(event));
  };
}

/** Moves an event to the position before another one. */
export function moved(type: string | number, n: number, before: string | number, m = 0): Edit {
  return (events) => {
    const event = pick(events, type, n);
    const other = pick(events, before, m);
    events.splice(events.indexOf(event), 1);
    events.splice(events.indexOf(other), 0, event);
  };
}

/** Inserts a new event. Default position: the end. */
export function added(
  body: Editable['body'],
  place = Number.POSITIVE_INFINITY,
  name?: string,
): Edit {
  const own = name ?? textAt(body, 'type') ?? undefined;
  return (events) => {
    events.splice(place, 0, { name: own, body: structuredClone(body) });
  };
}

export function all(...edits: readonly Edit[]): Edit {
  return (events) => {
    for (const edit of edits) edit(events);
  };
}

export function brokenRules({ violations }: Findings): readonly string[] {
  return violations.map(({ rule }) => rule).sort();
}

/** `message-stop-last at 7`, in the order of the events. */
export function brokenAt({ violations }: Findings): readonly string[] {
  return violations.map(({ rule, index }) => `${rule} at ${index}`);
}
