import { type Context, Refusal } from '../../../reference/index.ts';
import { limited } from '../../decisions.ts';
import { changed, dropping, memberAt, replacing, set, setting, without } from '../../editing.ts';
import {
  allThought,
  bodies,
  bodiesOf,
  dataOf,
  eachEvent,
  endpointOf,
  handling,
  lastLeftOpen,
  moreRoutes,
  seam,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';
import { endingWithDone } from './streamed-text.ts';

const inResponses = bodiesOf('generative.response');
const inChunks = dataOf('generative');
const inCounts = bodiesOf('generative.count');

const response = 'generative.response';
const finish = 'candidates.0.finishReason';

const actions = [
  ['generate-content', 'generateContent', 'generative.generate'],
  ['stream-generate-content', 'streamGenerateContent', 'generative.stream'],
  ['count-tokens', 'countTokens', 'generative.count-tokens'],
] as const;

const protocol = 'generative';
const text = 'candidates.0.content.parts.0.text';

/** True for a request under /v1, which has faults that do not apply to /v1beta. */
const along = ({ call }: Context): boolean => endpointOf(call) === 'alternate-path';

export const generationGenerativeFaults: readonly Fault[] = [
  ...each(actions, ([, , operation]) => ({
    'generative.no-alternate-{0}': handling(operation, (handle) => (call, key) => {
      if (!call.path.startsWith('/v1/')) return handle(call, key);
      throw new Refusal('unknown-path', 'Not found.');
    }),
  })),
  ...planted({
    'generative.no-role': inResponses(dropping('candidates.0.content.role')),
    'generative.no-role-when-cut': together(
      limited(
        ({ operation }) => operation === 'generative.generate',
        (limit) => (limit < 64 ? Math.min(limit, 5) : limit),
      ),
      inResponses((body) =>
        memberAt(body, finish) === 'MAX_TOKENS' ? without(body, 'candidates.0.content.role') : body,
      ),
    ),
    'generative.assistant-role': inResponses(setting('candidates.0.content.role', 'assistant')),
    'generative.text-without-parts': inResponses((body) =>
      changed(body, 'candidates.0.content', (content) => ({
        role: 'model',
        text: memberAt(content, 'parts.0.text'),
      })),
    ),
    'generative.no-finish-reason': inResponses(dropping(finish)),
    'generative.empty-finish-reason': inResponses(replacing(finish, 'STOP', '')),
    'generative.thought-to-the-limit-is-stop': inResponses((body) =>
      memberAt(body, finish) === 'MAX_TOKENS' ? set(allThought(body), finish, 'STOP') : body,
    ),
    'generative.cut-short-is-stop': inResponses(replacing(finish, 'MAX_TOKENS', 'STOP')),
    'generative.total-without-candidates': inResponses((body) =>
      set(
        body,
        'usageMetadata.totalTokenCount',
        memberAt(body, 'usageMetadata.promptTokenCount') ?? 0,
      ),
    ),
    'generative.hidden-tokens': inResponses((body) =>
      changed(body, 'usageMetadata.totalTokenCount', (total) => Number(total) + 2),
    ),
    'generative.hidden-tokens-in-stream': inChunks((data) =>
      changed(data, 'usageMetadata.totalTokenCount', (total) =>
        typeof total === 'number' ? total + 2 : total,
      ),
    ),
    'generative.single-turn-only': handling('generative.generate', (handle) => (call, key) => {
      const answered = memberAt(call.body, 'contents.1.parts.0.text');
      if (typeof answered !== 'string') return handle(call, key);
      throw new Refusal('invalid-value', 'Please ensure that there is one content.', 'contents');
    }),
    'generative.any-action': moreRoutes('generative', (routes) =>
      routes
        .filter(({ path }) => path.test('/v1beta/models/x:generateContent'))
        .map((route) => ({
          ...route,
          path: /^\/v1(?:beta)?\/models\/(?<model>[^/]+):(?!generateContent$|streamGenerateContent$|countTokens$)\w+$/,
        })),
    ),
    'generative.alternate-path-openai-style': seam(
      'encode',
      'body',
      (own) => (kind, body, context) => {
        const native = own(kind, body, context);
        if (kind !== response || !context.call.path.startsWith('/v1/')) return native;
        const text = memberAt(native, 'candidates.0.content.parts.0.text') ?? null;
        return {
          id: native.responseId,
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content: text } }],
        };
      },
    ),
    'generative-count.wrong-member': inCounts(({ totalTokens }) => ({ total_tokens: totalTokens })),
    'generative-count.zero': inCounts(setting('totalTokens', 0)),
  }),
  ...planted({
    'generative-stream.parts-no-list': inChunks((chunk) =>
      changed(chunk, 'candidates.0.content.parts', (parts) => memberAt(parts, '0') ?? parts),
    ),
    'generative-stream.counts-as-text': inChunks((chunk) =>
      changed(chunk, 'usageMetadata.promptTokenCount', (count) =>
        count === undefined ? undefined : String(count),
      ),
    ),
    'generative-stream.event-names': eachEvent(protocol, () => ({ data }) => ({
      name: 'message',
      data,
    })),
    'generative-stream.event-ids': seam('frames', 'serialize', (native) => (event, context) => {
      const written = native(event, context);
      return context.call.dialect.name === protocol ? `id: 1\n${written}` : written;
    }),
    'generative-stream.done': endingWithDone(protocol),
    'generative-stream.last-event-open': lastLeftOpen(protocol),
    'generative-stream.no-finish': inChunks(dropping(finish)),
    'generative-stream.finish-not-last': eachEvent(protocol, () => (event) => {
      if (typeof event.data === 'string' || memberAt(event.data, finish) === undefined) {
        return event;
      }
      const empty = changed(without(event.data, finish), text, () => '');
      return [event, { name: null, data: empty }];
    }),
    'generative-stream.finish-on-each': inChunks((chunk) =>
      changed(chunk, finish, (reason) => reason ?? 'STOP'),
    ),
    'generative-stream.id-per-chunk': inChunks((chunk, index) =>
      changed(chunk, 'responseId', (id) => (id === undefined ? id : `${id}${index}`)),
    ),
    'generative-stream.no-usage-at-end': inChunks((chunk) =>
      memberAt(chunk, finish) === undefined ? chunk : without(chunk, 'usageMetadata'),
    ),
  }),
  ...planted({
    'generative.alternate-finish-reason-number': bodies('generative.response', (body, context) =>
      along(context) ? set(body, finish, 1) : body,
    ),
    'generative.alternate-count-as-text': inCounts((body, context) =>
      along(context) ? set(body, 'totalTokens', `${body.totalTokens}`) : body,
    ),
    'generative.alternate-chunk-finish-reason-number': inChunks((data, _index, context) =>
      along(context) ? set(data, finish, 1) : data,
    ),
    'generative.alternate-chunk-names': eachEvent('generative', (context) => ({ name, data }) => ({
      name: along(context) ? 'chunk' : name,
      data,
    })),
    'generative.alternate-finish-not-last': eachEvent('generative', (context) => (event) => {
      if (typeof event.data === 'string' || !along(context)) return event;
      if (memberAt(event.data, finish) === undefined) return event;
      const text = 'candidates.0.content.parts.0.text';
      const empty = changed(without(event.data, finish), text, () => '');
      return [event, { name: null, data: empty }];
    }),
  }),
];
