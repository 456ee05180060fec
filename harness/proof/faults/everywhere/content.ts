import type { BodyKind, Context, Json, JsonObject } from '../../../reference/index.ts';
import { inOneRegion } from '../../decisions.ts';
import { changed, memberAt, set } from '../../editing.ts';
import { eachData, errorBodies, type Override, servedHeaders } from '../../planting.ts';
import type { Fault } from '../fault.ts';

// Content of another request: its input in an answer, an error or a list, or its output in a denial.

/** Rows that send requests of several protocols, each with an input of its own. */
const shownBy = ['generation/usage.counts-output', 'access/credentials.own-header-served'];

/** Remembers the body of the previous request, whoever sent it. `of` returns '' for the first request. */
class Before {
  #last: JsonObject = {};
  #before: JsonObject = {};

  of(body: JsonObject): string {
    if (body !== this.#last && Object.keys(body).length > 0) {
      this.#before = this.#last;
      this.#last = body;
    }
    const { input, messages, contents, state } = this.#before;
    return textOf(input ?? messages ?? contents ?? state ?? '');
  }
}

/** Returns the text of a value; '' if the value is nested too deeply to be serialized. */
function textOf(value: Json): string {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return '';
  }
}

/** Bodies that fit show what the request before was asked. */
function showsRequestBefore(
  fits: (kind: BodyKind, context: Context) => boolean,
  change: (body: JsonObject, other: string) => JsonObject,
): Override {
  return ({ encode }) => {
    const before = new Before();
    return {
      encode: {
        body: (kind, body, context) => {
          const native = encode.body(kind, body, context);
          const other = before.of(context.call.body);
          return fits(kind, context) && other !== '' ? change(native, other) : native;
        },
      },
    };
  };
}

export const everywhereContentFaults: readonly Fault[] = [
  {
    id: 'content.cached-for-everybody',
    what: 'Lists and lookups may be kept by a cache that many share.',
    breaks: ['everywhere/content.not-for-shared-caches'],
    override: servedHeaders((_kind, { call }) => call.method === 'GET', {
      'cache-control': 'public, max-age=300',
    }),
  },
  {
    id: 'content.refusals-name-the-channel',
    what: 'The refusal of an unknown model tells where the gateway has asked for it.',
    breaks: ['everywhere/content.no-inner-addresses'],
    override: errorBodies(
      ({ refusal }) => refusal.reason === 'unknown-model',
      (body) => {
        const channel = 'POST http://10.2.0.17:8000/v1/chat/completions: ';
        return changed(body, 'error.message', (message) => channel + String(message));
      },
    ),
  },
  ...(
    ['responses', 'chat-completions', 'messages', 'generative', 'systemone', 'models'] as const
  ).map(
    (protocol): Fault => ({
      id: `content.request-before-${protocol}`,
      what: `Answers of ${protocol} show the body of the request before, in a member for debugging.`,
      breaks: [`everywhere/content.own-words-only:${protocol}`],
      shownBy,
      override: showsRequestBefore(
        (kind, { refusal }) =>
          refusal === null && kind.startsWith(protocol === 'models' ? 'models.list' : protocol),
        (body, debug) => ({ ...body, debug }),
      ),
    }),
  ),
  inOneRegion('us', {
    id: 'content.error-before',
    what: 'The errors of Messages quote the input of the request before.',
    breaks: ['everywhere/content.own-words-only:messages'],
    shownBy: ['access/credentials.key-required'],
    override: showsRequestBefore(
      (kind) => kind === 'messages.error',
      (body, other) => set(body, 'error.message', `Not valid after ${other}`),
    ),
  }),
  {
    id: 'content.stream-before',
    what: 'A stream of Responses says at its end what the one before was asked.',
    breaks: ['everywhere/content.own-words-only:responses'],
    shownBy: [
      'generation/tools-stream.arguments-join',
      'generation/usage.adds-up-by-creation-mode',
    ],
    override: (seams) => {
      const before = new Before();
      return eachData('responses', (data, _index, { call, over }) => {
        const other = before.of(call.body);
        const isEnd = data.type === 'response.completed' || data.type === 'response.incomplete';
        const fits = over === 'sse' && isEnd && other !== '';
        return fits ? set(data, 'response.instructions', other) : data;
      })(seams);
    },
  },
  {
    id: 'content.denial-quotes-output',
    what: 'Whoever is denied a lookup is told how the answer begins.',
    breaks: ['everywhere/content.denials-show-no-output'],
    shownBy: ['access/owners.other-user-denied'],
    override: errorBodies(
      ({ call, refusal }) =>
        call.operation === 'responses.lookup' && refusal.reason === 'unknown-response',
      (body, { call }) => {
        const { turn } = call.gateway.store.peek(Object.values(call.params)[0] ?? '') ?? {};
        const message = memberAt(body, 'error.message');
        return set(body, 'error.message', `${String(message)} (${turn?.written.slice(-32)})`);
      },
    ),
  },
  inOneRegion('us', {
    id: 'content.denial-quotes-items',
    what: 'Whoever is denied the input items is told what the answer was.',
    breaks: ['everywhere/content.denials-show-no-output'],
    shownBy: ['access/regions.other-region-denied'],
    override: errorBodies(
      ({ call, refusal }) =>
        call.operation === 'responses.input-items' && refusal.reason === 'unknown-response',
      (body, { call }) => {
        const { turn } = call.gateway.store.peek(Object.values(call.params)[0] ?? '') ?? {};
        return set(body, 'error.param', turn?.written ?? null);
      },
    ),
  }),
];
