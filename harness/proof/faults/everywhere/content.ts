import type { BodyKind, Context, Json, JsonObject } from '../../../reference/index.ts';
import { admit, inUs } from '../../decisions.ts';
import { changed, set } from '../../editing.ts';
import { wrong } from '../../generated/index.ts';
import { eachData, errorBodies, type Override, servedHeaders } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Content of another request: its input in an answer, an error or a list, or its output in a denial.

/** Remembers the body of the previous request by any client. `of` returns '' for the first request. */
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

/** Shows the input of the previous request in matching bodies. */
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

/** Shows in a denial what the response says, in these parts. */
function denialQuoting(operation: string, inParts: (text: string) => readonly string[]): Override {
  return errorBodies(
    ({ call, refusal }) => call.operation === operation && refusal.reason === 'unknown-response',
    (body, { call }) => {
      const { turn } = call.gateway.store.peek(Object.values(call.params)[0] ?? '') ?? {};
      return set(body, 'error.seen', [...inParts(turn?.written ?? '')]);
    },
  );
}

export const everywhereContentFaults: readonly Fault[] = [
  ...planted({
    'content.cached-for-everybody': servedHeaders((_kind, { call }) => call.method === 'GET', {
      'cache-control': 'public, max-age=300',
    }),
    'content.refusals-name-the-channel': errorBodies(
      ({ refusal }) => refusal.reason === 'unknown-model',
      (body) => {
        const channel = 'POST http://10.2.0.17:8000/v1/chat/completions: ';
        return changed(body, 'error.message', (message) => channel + String(message));
      },
    ),
  }),
  ...each(
    ['responses', 'chat-completions', 'messages', 'generative', 'systemone', 'models'] as const,
    (protocol) => ({
      'content.request-before-{}': showsRequestBefore(
        (kind, { refusal }) =>
          refusal === null && kind.startsWith(protocol === 'models' ? 'models.list' : protocol),
        (body, debug) => ({ ...body, debug }),
      ),
    }),
  ),
  ...each(
    [
      ['percent', '%$&'],
      ['json', '\\u00$&'],
      ['entities', '&#x$&;'],
    ] as const,
    ([, byte]) => ({
      'content.denial-quotes-output-in-{0}': denialQuoting('responses.lookup', (text) => [
        Buffer.from(text).toString('hex').replace(/../g, byte),
      ]),
    }),
  ),
  ...planted({
    'content.recovered-without-key': admit(
      (_secret, { operation }) => operation === 'responses.recover',
    ),
    'content.recovered-by-any-model': wrong('isModelPermitted', { operation: 'recover' }),
    'content.stream-before': (seams) => {
      const before = new Before();
      return eachData('responses', (data, _index, { call, over }) => {
        const other = before.of(call.body);
        const isEnd = data.type === 'response.completed' || data.type === 'response.incomplete';
        const fits = over === 'sse' && isEnd && other !== '';
        return fits ? set(data, 'response.instructions', other) : data;
      })(seams);
    },
    'content.denial-quotes-output': denialQuoting('responses.lookup', (text) => [text.slice(-32)]),
    'content.denial-quotes-output-in-base64': denialQuoting('responses.lookup', (text) => [
      Buffer.from(text).toString('base64'),
    ]),
    'content.denial-quotes-output-in-parts': denialQuoting(
      'responses.lookup',
      (text) => text.match(/.{1,9}/gs) ?? [],
    ),
    'content.denial-quotes-items-in-us': inUs(
      denialQuoting('responses.input-items', (text) => [text]),
    ),
    'content.error-before-in-us': inUs(
      showsRequestBefore(
        (kind) => kind === 'messages.error',
        (body, other) => set(body, 'error.message', `Not valid after ${other}`),
      ),
    ),
  }),
];
