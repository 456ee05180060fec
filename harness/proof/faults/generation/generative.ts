import { type Context, type Defect, Refusal } from '../../../reference/index.ts';
import { limited } from '../../decisions.ts';
import { changed, memberAt, set, without } from '../../editing.ts';
import {
  allThought,
  bodies,
  eachData,
  eachEvent,
  endpointOf,
  handling,
  lastLeftOpen,
  moreRoutes,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { constantCount, conversationOptional, limitFaults } from './across-protocols.ts';
import { endingWithDone, streamedTextFaults } from './streamed-text.ts';

const response = 'generative.response';
const finish = 'candidates.0.finishReason';

const actions = [
  ['generate-content', 'generateContent', 'generative.generate'],
  ['stream-generate-content', 'streamGenerateContent', 'generative.stream'],
  ['count-tokens', 'countTokens', 'generative.count-tokens'],
] as const;

const generativeFaults: readonly Fault[] = [
  {
    id: 'generative.no-role',
    what: 'The content of a candidate has no role.',
    breaks: ['generation/generative.shape'],
    override: bodies(response, (body) => without(body, 'candidates.0.content.role')),
  },
  {
    id: 'generative.no-role-when-cut',
    what: 'A model stops at five tokens, and the content of what it cut has no role.',
    breaks: ['generation/generative.shape'],
    override: together(
      limited(
        ({ operation }) => operation === 'generative.generate',
        (limit) => (limit < 64 ? Math.min(limit, 5) : limit),
      ),
      bodies(response, (body) =>
        memberAt(body, finish) === 'MAX_TOKENS' ? without(body, 'candidates.0.content.role') : body,
      ),
    ),
  },
  {
    id: 'generative.assistant-role',
    what: 'The content of a candidate has the role `assistant`, as in the other protocols.',
    breaks: ['generation/generative.shape'],
    override: bodies(response, (body) => set(body, 'candidates.0.content.role', 'assistant')),
  },
  {
    id: 'generative.text-without-parts',
    what: 'The content of a candidate has its text directly, and no parts.',
    breaks: ['generation/generative.shape'],
    override: bodies(response, (body) =>
      changed(body, 'candidates.0.content', (content) => ({
        role: 'model',
        text: memberAt(content, 'parts.0.text'),
      })),
    ),
  },
  {
    id: 'generative.no-finish-reason',
    what: 'A candidate that has ended has no finish reason.',
    breaks: ['generation/generative.finish-reason'],
    override: bodies(response, (body) => without(body, finish)),
  },
  {
    id: 'generative.empty-finish-reason',
    what: 'A candidate that has come to its end has an empty finish reason.',
    breaks: ['generation/generative.finish-reason'],
    override: bodies(response, (body) =>
      changed(body, finish, (reason) => (reason === 'STOP' ? '' : reason)),
    ),
  },
  {
    id: 'generative.thought-to-the-limit-is-stop',
    what: 'Where thoughts use up the limit, nothing is shown, and the finish reason is `STOP`.',
    breaks: ['generation/generative.truncated-is-max-tokens'],
    override: bodies(response, (body) =>
      memberAt(body, finish) === 'MAX_TOKENS' ? set(allThought(body), finish, 'STOP') : body,
    ),
  },
  {
    id: 'generative.cut-short-is-stop',
    what: 'A candidate that was cut at its limit ends with `STOP`.',
    breaks: ['generation/generative.truncated-is-max-tokens'],
    override: bodies(response, (body) =>
      changed(body, finish, (reason) => (reason === 'MAX_TOKENS' ? 'STOP' : reason)),
    ),
  },
  {
    id: 'generative.total-without-candidates',
    what: 'The total of the usage leaves the candidates out.',
    breaks: ['generation/generative.usage-adds-up'],
    override: bodies(response, (body) =>
      set(
        body,
        'usageMetadata.totalTokenCount',
        memberAt(body, 'usageMetadata.promptTokenCount') ?? 0,
      ),
    ),
  },
  {
    id: 'generative.hidden-tokens',
    what: 'The total of the usage has two tokens more than are told.',
    breaks: ['generation/generative.hidden-tokens-shown'],
    override: bodies(response, (body) =>
      changed(body, 'usageMetadata.totalTokenCount', (total) => Number(total) + 2),
    ),
  },
  {
    id: 'generative.hidden-tokens-in-stream',
    what: 'The total of the usage of a stream has two tokens more than are told.',
    breaks: ['generation/generative.hidden-tokens-shown'],
    override: eachData('generative', (data) =>
      changed(data, 'usageMetadata.totalTokenCount', (total) =>
        typeof total === 'number' ? total + 2 : total,
      ),
    ),
  },
  conversationOptional('generative'),
  {
    id: 'generative.single-turn-only',
    what: "A conversation is refused when the model's own turn is in it.",
    breaks: ['generation/generative.conversation-served'],
    override: handling('generative.generate', (handle) => (call, key) => {
      const answered = memberAt(call.body, 'contents.1.parts.0.text');
      if (typeof answered !== 'string') return handle(call, key);
      throw new Refusal('invalid-value', 'Please ensure that there is one content.', 'contents');
    }),
  },
  ...limitFaults('generative'),
  {
    id: 'generative.any-action',
    what: 'An action that does not exist is served as `generateContent`.',
    breaks: ['generation/generative.unknown-action-refused'],
    override: moreRoutes('generative', (routes) =>
      routes
        .filter(({ path }) => path.test('/v1beta/models/x:generateContent'))
        .map((route) => ({
          ...route,
          path: /^\/v1(?:beta)?\/models\/(?<model>[^/]+):(?!generateContent$|streamGenerateContent$|countTokens$)\w+$/,
        })),
    ),
  },
  ...actions.map(
    ([value, action, operation]): Fault => ({
      id: `generative.no-alternate-${value}`,
      what: `\`${action}\` is served under /v1beta only.`,
      breaks: [`generation/paths.same-actions:${value}`],
      override: handling(operation, (handle) => (call, key) => {
        if (!call.path.startsWith('/v1/')) return handle(call, key);
        throw new Refusal('unknown-path', 'Not found.');
      }),
    }),
  ),
  {
    id: 'generative.alternate-path-openai-style',
    what: 'The alternate path answers `generateContent` with a chat completion.',
    breaks: ['generation/paths.same-actions:generate-content'],
    override: ({ encode }) => ({
      encode: {
        body: (kind, body, context) => {
          const native = encode.body(kind, body, context);
          if (kind !== response || !context.call.path.startsWith('/v1/')) return native;
          const text = memberAt(native, 'candidates.0.content.parts.0.text') ?? null;
          return {
            id: native.responseId,
            object: 'chat.completion',
            choices: [{ index: 0, message: { role: 'assistant', content: text } }],
          };
        },
      },
    }),
  },
  {
    id: 'generative-count.wrong-member',
    what: 'A count is answered as `total_tokens`.',
    breaks: ['counting/generative.shape'],
    override: bodies('generative.count', ({ totalTokens }) => ({ total_tokens: totalTokens })),
  },
  {
    id: 'generative-count.zero',
    what: 'Every count is 0.',
    breaks: ['counting/generative.shape'],
    override: bodies('generative.count', (body) => set(body, 'totalTokens', 0)),
  },
  constantCount('generative'),
];

const protocol = 'generative';
const text = 'candidates.0.content.parts.0.text';

const generativeStreamFaults: readonly Fault[] = [
  {
    id: 'generative-stream.parts-no-list',
    what: 'The parts of a chunk are one object instead of a list.',
    breaks: ['generation/generative-stream.chunk-shape'],
    override: eachData(protocol, (chunk) =>
      changed(chunk, 'candidates.0.content.parts', (parts) => memberAt(parts, '0') ?? parts),
    ),
  },
  {
    id: 'generative-stream.counts-as-text',
    what: 'The counts of the usage are strings of digits, as 64-bit numbers are in protobuf JSON.',
    breaks: ['generation/generative-stream.chunk-shape'],
    override: eachData(protocol, (chunk) =>
      changed(chunk, 'usageMetadata.promptTokenCount', (count) =>
        count === undefined ? undefined : String(count),
      ),
    ),
  },
  {
    id: 'generative-stream.event-names',
    what: 'Events have an `event:` line.',
    breaks: ['generation/generative-stream.data-only'],
    override: eachEvent(protocol, () => ({ data }) => ({ name: 'message', data })),
  },
  {
    id: 'generative-stream.event-ids',
    what: 'Events have an `id:` line before their data.',
    breaks: ['generation/generative-stream.data-only'],
    override: ({ frames }) => ({
      frames: {
        serialize: (event, context) => {
          const written = frames.serialize(event, context);
          return context.call.dialect.name === protocol ? `id: 1\n${written}` : written;
        },
      },
    }),
  },
  {
    id: 'generative-stream.done',
    what: 'A stream ends with [DONE], as in Chat Completions.',
    breaks: ['generation/generative-stream.no-done'],
    override: endingWithDone(protocol),
  },
  {
    id: 'generative-stream.last-event-open',
    what: 'The last event of a stream is not closed by a blank line.',
    breaks: ['generation/generative-stream.ends-with-blank-line'],
    override: lastLeftOpen(protocol),
  },
  {
    id: 'generative-stream.no-finish',
    what: 'No chunk has a finish reason.',
    breaks: ['generation/generative-stream.finish-last'],
    override: eachData(protocol, (chunk) => without(chunk, finish)),
  },
  {
    id: 'generative-stream.finish-not-last',
    what: 'An empty candidate follows the one with the finish reason.',
    breaks: ['generation/generative-stream.finish-last'],
    override: eachEvent(protocol, () => (event) => {
      if (typeof event.data === 'string' || memberAt(event.data, finish) === undefined) {
        return event;
      }
      const empty = changed(without(event.data, finish), text, () => '');
      return [event, { name: null, data: empty }];
    }),
  },
  {
    id: 'generative-stream.finish-on-each',
    what: 'Every chunk has the finish reason STOP.',
    breaks: ['generation/generative-stream.one-finish'],
    override: eachData(protocol, (chunk) => changed(chunk, finish, (reason) => reason ?? 'STOP')),
  },
  ...streamedTextFaults(protocol, text),
  {
    id: 'generative-stream.id-per-chunk',
    what: 'Each chunk has a `responseId` of its own.',
    breaks: ['generation/generative-stream.response-id-constant'],
    override: eachData(protocol, (chunk, index) =>
      changed(chunk, 'responseId', (id) => (id === undefined ? id : `${id}${index}`)),
    ),
  },
  {
    id: 'generative-stream.no-usage-at-end',
    what: 'The last chunk has no usage, the ones before it have.',
    breaks: ['generation/generative-stream.usage-on-last'],
    override: eachData(protocol, (chunk) =>
      memberAt(chunk, finish) === undefined ? chunk : without(chunk, 'usageMetadata'),
    ),
  },
];

// Generative-content under /v1: faults that /v1beta does not have.

const along = ({ call }: Context): boolean => endpointOf(call) === 'alternate-path';

/** A fault of the streams on the alternate path. */
function streamed(id: string, what: string, override: Defect['override']): Fault {
  return {
    id: `generative.alternate-${id}`,
    what,
    breaks: ['generation/paths.same-actions:stream-generate-content'],
    override,
  };
}

const alternatePathFaults: readonly Fault[] = [
  {
    id: 'generative.alternate-finish-reason-number',
    what: 'The alternate path names a finish reason by a number.',
    breaks: ['generation/paths.same-actions:generate-content'],
    override: bodies('generative.response', (body, context) =>
      along(context) ? set(body, finish, 1) : body,
    ),
  },
  {
    id: 'generative.alternate-count-as-text',
    what: 'The alternate path writes a count as a text.',
    breaks: ['generation/paths.same-actions:count-tokens'],
    override: bodies('generative.count', (body, context) =>
      along(context) ? set(body, 'totalTokens', `${body.totalTokens}`) : body,
    ),
  },
  streamed(
    'chunk-finish-reason-number',
    'The alternate path streams a finish reason as a number.',
    eachData('generative', (data, _index, context) =>
      along(context) ? set(data, finish, 1) : data,
    ),
  ),
  streamed(
    'chunk-names',
    'The alternate path gives the events of a stream a name.',
    eachEvent('generative', (context) => ({ name, data }) => ({
      name: along(context) ? 'chunk' : name,
      data,
    })),
  ),
  streamed(
    'finish-not-last',
    'On the alternate path an empty candidate follows the one with the finish reason.',
    eachEvent('generative', (context) => (event) => {
      if (typeof event.data === 'string' || !along(context)) return event;
      if (memberAt(event.data, finish) === undefined) return event;
      const text = 'candidates.0.content.parts.0.text';
      const empty = changed(without(event.data, finish), text, () => '');
      return [event, { name: null, data: empty }];
    }),
  ),
];

export const generationGenerativeFaults: readonly Fault[] = [
  ...generativeFaults,
  ...generativeStreamFaults,
  ...alternatePathFaults,
];
