import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, textAt } from '../core/json-value.ts';
import type { StreamingProtocol } from '../core/protocol.ts';
import { streamingProtocols } from '../core/protocol.ts';
import { type EventStream, type Findings, isDone } from './grammar.ts';
import { protocolModules } from './modules.ts';
import { assembled, type Editable, editable, goodStream, streamNames } from './samples/streams.ts';

/** Judges a stream as strictly as can be: with its text known, and its usage asked for. */
function judge(protocol: StreamingProtocol, stream: EventStream, of: EventStream): Findings {
  const { content, stream: own } = protocolModules[protocol];
  const { text } = content.fromEvents(of);
  const hasUsage = of.events.some(({ json }) => at(json, 'usage') !== undefined);
  return own.judge(stream, { text }, hasUsage ? own.askingForUsage : {});
}

function bare(protocol: StreamingProtocol, stream: EventStream): Findings {
  return protocolModules[protocol].stream.judge(stream, {}, {});
}

const all = streamingProtocols.flatMap((protocol) =>
  streamNames(protocol).map((name) => [protocol, name] as const),
);

/** Returns the reason why an event may be lost, repeated or moved without breaking a rule; null if it may not. */
function mayVary(protocol: StreamingProtocol, name: string, event: Editable): string | null {
  const type = textAt(event.body, 'type') ?? '';
  const delta = at(event.body, 'delta') ?? at(event.body, 'choices[0].delta');
  // Fragments that no later event repeats, in a stream that does not come to its normal stop.
  if (/failed|cancelled|error/.test(name)) return 'interrupted';
  if (delta === '' || at(delta, 'text') === '' || at(delta, 'partial_json') === '') return 'empty';
  switch (protocol) {
    case 'responses':
      if (/^response\.(queued|in_progress|reasoning_summary.*)$/.test(type)) return 'only informs';
      if (/^(response\.novelty\.delta|keepalive|surprise)$/.test(type)) return 'unknown';
      return event.body === '[DONE]' ? 'optional' : null;
    case 'chat-completions':
      if (name === 'length' || name === 'refusal') return 'text that nothing repeats';
      if (JSON.stringify(delta) === '{}' && at(event.body, 'choices[0].finish_reason') === null)
        return 'empty';
      if (textAt(delta, 'role') !== null) return 'a role may stand in each delta';
      return at(delta, 'tool_calls') !== undefined
        ? 'the end of a call, and where it stands among others'
        : null;
    case 'messages':
      if (/^(ping|novelty)$/.test(type)) return 'anywhere';
      if (type === 'message_delta') return 'one or more';
      // Only a normal stop says that there is text, and only text is known beforehand.
      if (/max-tokens|tool-use/.test(name) && type === 'content_block_delta') return 'not known';
      return /^(thinking|signature|novelty)_delta$/.test(textAt(delta, 'type') ?? '')
        ? 'not known'
        : null;
    case 'generative':
      if (/blocked|max-tokens/.test(name)) return 'a single event';
      if (at(event.body, 'candidates[0].content.parts[0].thought') === true) return 'not known';
      if (at(event.body, 'candidates[0].content.parts[0].functionCall') !== undefined)
        return 'each a call';
      return at(event.body, 'candidates') === undefined ? 'usage may come again' : null;
  }
}

function edited(stream: EventStream, edit: (events: Editable[]) => void): EventStream {
  const events = structuredClone(editable(stream));
  edit(events);
  return assembled(events);
}

describe('losing, repeating or moving any event of a good stream is noticed, or legal', () => {
  test.each(all)('%s: %s', (protocol, name) => {
    const good = goodStream(protocol, name);
    const unnoticed: string[] = [];
    const look = (what: string, n: number, events: Editable[], stream: EventStream): void => {
      if (judge(protocol, stream, good).violations.length > 0) return;
      if (events.every((event) => mayVary(protocol, name, event) === null))
        unnoticed.push(`${what} ${n}`);
    };
    const events = editable(good);
    for (const [n, event] of events.entries()) {
      look(
        'lost',
        n,
        [event],
        edited(good, (all) => all.splice(n, 1)),
      );
      const again = edited(good, (all) => all.splice(n, 0, structuredClone(event)));
      look('twice', n, [event], again);
      const next = events[n + 1];
      if (next === undefined || JSON.stringify(next) === JSON.stringify(event)) continue;
      look(
        'swapped',
        n,
        [event, next],
        edited(good, (all) => all.splice(n, 2, next, event)),
      );
    }
    expect(unnoticed).toEqual(excused[`${protocol}/${name}`] ?? []);
  });
});

/** Beside those: legal for what the sources do not say. */
const excused: Readonly<Record<string, readonly string[]>> = {
  // The sources do not say if items and parts may overlap, nor how often arguments are done.
  'responses/two-parts-two-items': ['swapped 6', 'swapped 11'],
  'responses/reasoning-and-calls': [
    'swapped 7',
    'swapped 16',
    'lost 18',
    'twice 19',
    'swapped 20',
    'twice 24',
  ],
  'responses/function-call': ['twice 6'],
  // The usage comes before [DONE]; whether after the finish reason, only an example shows.
  'chat-completions/usage': ['swapped 4'],
};

const strangers: Readonly<Record<StreamingProtocol, readonly Editable[]>> = {
  responses: [
    {
      name: 'response.surprise',
      body: { type: 'response.surprise', sequence_number: 0, item_id: 'x' },
    },
    { name: 'keepalive', body: { type: 'keepalive' } },
    { name: 'ping', body: { type: 'ping' } },
  ],
  'chat-completions': [
    {
      name: undefined,
      body: {
        id: 'chatcmpl_1',
        object: 'chat.completion.chunk',
        created: 1750000000,
        model: 'm-1',
        choices: [{ index: 0, delta: {}, finish_reason: null, logprobs: null }],
        obfuscation: 'x',
      },
    },
  ],
  messages: [
    { name: 'ping', body: { type: 'ping' } },
    { name: 'surprise', body: { type: 'surprise', index: 9 } },
  ],
  generative: [],
};

test('events that nobody knows, and empty ones, are legal anywhere before the end', () => {
  const cases = all.filter(([protocol]) => strangers[protocol].length > 0);
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
      ([protocol, name], places) => {
        const good = goodStream(protocol, name);
        const stream = edited(good, (events) => {
          // After the first event, which alone a chunk without a role may not precede.
          for (const [place, which] of places) {
            const stranger = strangers[protocol][which % strangers[protocol].length];
            const terminator = events.findIndex(isEnd);
            const end = terminator < 0 ? events.length : terminator;
            const start = Math.min(1, end);
            const at = start + (place % (end - start + 1));
            if (stranger !== undefined) events.splice(at, 0, structuredClone(stranger));
          }
        });
        const before = judge(protocol, good, good).violations;
        expect(judge(protocol, stream, good).violations).toEqual(before);
      },
    ),
    { numRuns: 150 },
  );
});

/** True for an event that only a terminator may follow. */
function isEnd({ body }: Editable): boolean {
  const type = textAt(body, 'type') ?? '';
  if (body === '[DONE]' || type === 'error' || type === 'message_stop') return true;
  return /^response\.(completed|incomplete|failed)$/.test(type);
}

test.each([
  ['[DONE]', true],
  [' [DONE] ', true],
  ['[done]', false],
  ['"[DONE]"', false],
  ['', false],
])('data %j ends a stream: %s', (data, is) => {
  const [event] = assembled([{ name: undefined, body: data }]).events;
  expect(event !== undefined && isDone(event)).toBe(is);
});

test('nonsense is never taken for good, nor makes a grammar throw', () => {
  const bodies = all.flatMap(([protocol, name]) => editable(goodStream(protocol, name)));
  fc.assert(
    fc.property(
      fc.constantFrom(...streamingProtocols),
      fc.array(
        fc.oneof(
          fc.constantFrom(...bodies),
          fc.json().map((body) => ({ name: undefined, body })),
        ),
        { maxLength: 12 },
      ),
      (protocol, events) => {
        const stream = assembled(events, { keepNumbers: true });
        const { violations, ownEvents } = bare(protocol, stream);
        if (events.length > 0 && ownEvents === 0) expect(violations).not.toEqual([]);
        for (const { index } of violations) expect(index).toBeLessThanOrEqual(events.length);
      },
    ),
    { numRuns: 300 },
  );
});
