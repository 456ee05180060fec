import { askedFaults, type Fault } from './testing-asked-faults.ts';
import type { Answer, Context, Event, Protocol } from './testing-exchange.ts';
import type { Seams } from './testing-proxy.ts';

/** Changes pieces of text, on both kinds of routes. */
function told(edit: (text: string) => string): Partial<Seams> {
  return {
    pass: edit,
    event: (event) => [event.type === 'text' ? { ...event, text: edit(event.text) } : event],
  };
}

function withEnd(reason: string): Partial<Seams> {
  const [chat, messages] =
    { end: ['stop', 'end_turn'], limit: ['length', 'max_tokens'] }[reason] ?? [];
  return {
    event: (event) => [event.type === 'end' ? { ...event, reason } : event],
    pass: (text) =>
      text
        .replace(/"finish_reason":"\w+"/g, `"finish_reason":"${chat}"`)
        .replace(/"stop_reason":"\w+"/g, `"stop_reason":"${messages}"`),
  };
}

function usage(
  edit: (counts: Extract<Event, { type: 'usage' }>) => Event,
  names: RegExp,
): Partial<Seams> {
  return {
    event: (event) => [event.type === 'usage' ? edit(event) : event],
    pass: (text) => text.replace(names, '"$1":3'),
  };
}

function emptyAnswer(protocol: Protocol): string {
  return protocol === 'chat'
    ? '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}'
    : '{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}';
}

const ends: Readonly<Record<Protocol, string>> = {
  chat: 'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  messages:
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":1}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
};

/** Reads no event that looks like this. */
function blindTo(form: RegExp, isAllAfter = false): Partial<Seams> {
  const lost = new WeakSet<Context>();
  const isLost = (block: string, context: Context): boolean => {
    const found = form.test(block) || lost.has(context);
    if (found && isAllAfter) lost.add(context);
    return found;
  };
  return {
    read: (block, context) => (isLost(block, context) ? null : block),
    pass: (block, context) =>
      context.asked.stream === true && isLost(block, context) ? '' : block,
  };
}

const answered = (status: number, body: string, told: Answer): Answer => ({
  ...told,
  status,
  body,
});

const framing = ['stream.framing'];

/** Defects, in the order of the rows. */
export const faults: readonly Fault[] = [
  ...askedFaults,
  {
    id: 'tells-other-letters',
    what: 'It composes the letters of an answer.',
    breaks: ['told.text'],
    also: ['stream.framing'],
    seams: () => told((text) => text.normalize('NFC')),
  },
  {
    id: 'always-ends-naturally',
    what: 'It tells the natural end, whatever ended the answer.',
    breaks: ['told.finish', 'told.no-false-end'],
    seams: () => withEnd('end'),
  },
  {
    id: 'always-ends-at-the-limit',
    what: 'It tells the end at the limit, whatever ended the answer.',
    breaks: ['told.finish'],
    seams: () => withEnd('limit'),
  },
  {
    id: 'changes-arguments',
    what: 'It changes a number in the arguments of a call.',
    breaks: ['told.arguments'],
    also: ['told.digits'],
    seams: () => ({
      pass: (text) => text.replaceAll('12345678}', '1}').replaceAll('12345678,', '1,'),
      event: (event) => [
        event.type === 'args' ? { ...event, text: event.text.replace('8', '9') } : event,
      ],
    }),
  },
  {
    id: 'rounds-arguments',
    what: 'It rounds a long number in the arguments of a call.',
    breaks: ['told.digits'],
    seams: () => ({
      pass: (text) => text.replaceAll('4567890', '4567000'),
      event: (event) => [
        event.type === 'args'
          ? { ...event, text: event.text.replace('4567890', '4567000') }
          : event,
      ],
    }),
  },
  {
    id: 'tells-null-arguments',
    what: 'It tells a call without arguments with null.',
    breaks: ['told.no-arguments'],
    also: ['told.finish'],
    seams: () => ({
      pass: (text, { asked }) =>
        asked.stream === true
          ? text
          : text
              .replace('"arguments":""', '"arguments":"null"')
              .replace('"input":{}', '"input":null'),
      event: (event) =>
        event.type === 'call' && event.name === 'now'
          ? [event, { type: 'args', index: event.index, text: 'null' }]
          : [event],
    }),
  },
  {
    id: 'calls-another-function',
    what: 'It gives the second of two parallel calls the name of the first.',
    breaks: ['told.parallel'],
    seams: () => ({
      pass: (text) => text.replaceAll('"name":"count_letters"', '"name":"look_up"'),
      event: (event) => [
        event.type === 'call'
          ? { ...event, name: event.name.replace('count_letters', 'look_up') }
          : event,
      ],
    }),
  },
  {
    id: 'loses-the-ids-of-calls',
    what: 'It passes results on under the ids that it made up.',
    breaks: ['told.call-ids'],
    seams: () => ({
      ask: (body) => JSON.parse(JSON.stringify(body).replaceAll('"call_', '"own_')),
    }),
  },
  {
    id: 'counts-input-anew',
    what: 'It estimates the input tokens.',
    breaks: ['usage.input'],
    also: ['usage.total', 'usage.cached'],
    seams: () =>
      usage(
        (event) => (event.input === undefined ? event : { ...event, input: 3, cached: 0 }),
        /"(prompt_tokens|input_tokens)":\d+/g,
      ),
  },
  {
    id: 'counts-output-anew',
    what: 'It estimates the output tokens.',
    breaks: ['usage.output'],
    also: ['usage.total'],
    seams: () =>
      usage(
        (event) => (event.output === undefined ? event : { ...event, output: 3 }),
        /"(completion_tokens|output_tokens)":\d+/g,
      ),
  },
  {
    id: 'tells-no-cached-tokens',
    what: 'It tells cached tokens as others.',
    breaks: ['usage.cached'],
    also: ['usage.input'],
    seams: () =>
      usage(
        (event) => (event.cached === undefined ? event : { ...event, cached: 0 }),
        /"(cached_tokens|cache_read_input_tokens)":\d+/g,
      ),
  },
  {
    id: 'totals-wrongly',
    what: 'Its total is no sum.',
    breaks: ['usage.total'],
    seams: () => {
      const wrong = (text: string): string =>
        text.replace(/"total_tokens":\d+/g, '"total_tokens":1290');
      return { pass: wrong, body: wrong };
    },
  },
  {
    id: 'serves-errors',
    what: 'It tells a refusal of its provider as an empty answer.',
    breaks: ['errors.no-2xx'],
    also: ['errors.class', 'errors.before-stream'],
    seams: () => ({
      refused: (own, _provider, { front }) => answered(200, emptyAnswer(front), own),
    }),
  },
  {
    id: 'swaps-the-class-of-errors',
    what: 'It tells mistakes of the client as its own, and its own as those of the client.',
    breaks: ['errors.class'],
    seams: () => ({ refused: (own) => ({ ...own, status: own.status < 500 ? 500 : 400 }) }),
  },
  {
    id: 'drops-retry-after',
    what: 'It leaves `Retry-After` out.',
    breaks: ['errors.retry-after'],
    seams: () => ({ refused: (own) => ({ ...own, headers: {} }) }),
  },
  {
    id: 'retry-after-is-over',
    what: 'Its `Retry-After` is a date in the past.',
    breaks: ['errors.retry-after'],
    seams: () => ({
      refused: (own) => ({ ...own, headers: { 'retry-after': new Date(0).toUTCString() } }),
    }),
  },
  {
    id: 'blames-the-key-of-its-client',
    what: 'It passes on that its provider refuses its key, as if it were the one of the client.',
    breaks: ['errors.own-key'],
    seams: () => ({ refused: (own, { status }) => ({ ...own, status }) }),
  },
  {
    id: 'takes-anything-for-an-answer',
    what: 'It tells a body that is no answer as an empty one.',
    breaks: ['errors.false-200', 'errors.cut-not-whole'],
    also: ['errors.cut-told'],
    seams: () => ({
      isAnswer: () => true,
      pass: (text, { front, asked }) =>
        asked.stream === true || /"(?:choices|content)":.*"usage"/s.test(text)
          ? text
          : emptyAnswer(front),
      broken: ({ asked }) => (asked.stream === true ? 'break' : 'finish'),
    }),
  },
  {
    id: 'refuses-in-the-stream',
    what: 'It begins a stream where its provider refuses, and tells the error there.',
    breaks: ['errors.before-stream'],
    also: ['errors.class'],
    seams: () => ({
      refused: (own, _provider, { front, asked }) =>
        asked.stream === true
          ? {
              status: 200,
              headers: { 'content-type': 'text/event-stream' },
              body: `${front === 'messages' ? 'event: error\n' : ''}data: ${own.body}\n\n`,
            }
          : own,
    }),
  },
  {
    id: 'ends-behind-an-error',
    what: 'It ends a stream as if it were whole, where its provider fails in it.',
    breaks: ['errors.in-stream'],
    seams: () => ({
      event: (event) =>
        event.type === 'error'
          ? [{ type: 'end', reason: 'end', stop: null }, { type: 'done' }]
          : [event],
      pass: (text, { front }) =>
        /"type":"error"|^data: \{"error"/.test(text) ? ends[front] : text,
    }),
  },
  {
    id: 'finishes-what-broke-off',
    what: 'It writes the end of an answer that its provider cut.',
    breaks: ['errors.cut-not-whole'],
    also: ['errors.cut-told', 'errors.false-200'],
    seams: () => ({ broken: () => 'finish' }),
  },
  {
    id: 'just-ends',
    what: 'It ends its stream without a word, where its provider cut the stream.',
    breaks: ['errors.cut-told'],
    seams: () => ({ broken: () => 'end' }),
  },
  {
    id: 'decodes-each-read',
    what: 'It decodes each read by itself, so that letters between two of them are lost.',
    breaks: framing,
    also: ['told.text'],
    seams: () => ({ decode: (_decoder, bytes) => new TextDecoder().decode(bytes) }),
  },
  {
    id: 'takes-one-event-of-a-read',
    what: 'It takes the first and the last event of each read.',
    breaks: framing,
    also: ['told', 'usage', 'errors', 'stream'],
    seams: () => ({
      inOneRead: (blocks) =>
        blocks.length < 3 ? blocks : [...blocks.slice(0, 1), ...blocks.slice(-1)],
    }),
  },
  {
    id: 'knows-line-feeds-only',
    what: 'It skips events whose lines end with CR LF.',
    breaks: framing,
    seams: () => blindTo(/\r\n/),
  },
  {
    id: 'wants-a-blank',
    what: 'It skips events without a blank after the colon.',
    breaks: framing,
    seams: () => blindTo(/^(data|event):\S/m),
  },
  {
    id: 'ends-at-a-comment',
    what: 'It takes a comment for the end of the stream.',
    breaks: framing,
    seams: () => blindTo(/^:/, true),
  },
  {
    id: 'ends-at-an-unknown-event',
    what: 'It takes an unknown event for the end of the stream.',
    breaks: framing,
    seams: () => blindTo(/some_news/, true),
  },
  {
    id: 'skips-big-events',
    what: 'It skips events of more than 64 KiB.',
    breaks: framing,
    seams: () => ({
      read: (block) => (block.length > 65_536 ? null : block),
      pass: (block, { asked }) => (asked.stream === true && block.length > 65_536 ? '' : block),
    }),
  },
  {
    id: 'stays-when-its-client-leaves',
    what: 'It reads the stream of its provider to the end, although its client has left.',
    breaks: ['stream.left'],
    seams: () => ({ leaves: () => false }),
  },
  {
    id: 'passes-errors-on',
    what: 'It passes the error of its provider on, with the key that it quotes.',
    breaks: ['secrets.provider-key'],
    seams: () => ({ refused: (own, { body }) => ({ ...own, body }) }),
  },
  {
    id: 'forwards-the-key-of-its-client',
    what: 'It shows its provider the key of its client in another header.',
    breaks: ['secrets.client-key'],
    seams: () => ({ askHeaders: (headers, { key }) => ({ ...headers, 'x-forwarded-key': key }) }),
  },
  {
    id: 'passes-cookies-back',
    what: 'It passes the cookies and internal headers of its provider on.',
    breaks: ['secrets.headers'],
    seams: () => ({
      answerHeaders: (own, { 'set-cookie': cookie, 'x-internal-host': host }) => ({
        ...own,
        ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
        ...(host === undefined ? {} : { 'x-internal-host': `${host}` }),
      }),
    }),
  },
  {
    id: 'passes-cookies-on',
    what: 'It passes the cookies of its client on.',
    breaks: ['secrets.headers'],
    seams: () => ({
      askHeaders: (headers, { headers: own }) => ({
        ...headers,
        ...(own.cookie === undefined ? {} : { cookie: own.cookie }),
      }),
    }),
  },
];
