import type { ServerResponse } from 'node:http';
import type { Context, Head, Json, JsonObject } from '../../../reference/index.ts';
import { inUs } from '../../decisions.ts';
import { changed, memberAt, set, setting } from '../../editing.ts';
import { bodies, eachData, type Override, seam } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Ids, times, model names, echoes, letters and endings that are wrong in one corner.

const protocols = ['responses', 'chat-completions', 'messages', 'generative', 'systemone'] as const;
const streaming = ['responses', 'chat-completions', 'messages', 'generative'] as const;

/** Gives a constant id to the third and all later objects with a prefix. */
function constantId(prefix: string): Override {
  return ({ encode }) => {
    let made = 0;
    return {
      encode: {
        id: (given, call) =>
          given === prefix && call.dialect.name === 'responses' && ++made >= 3
            ? `${prefix}0123456789abcdef0123456789abcdef`
            : encode.id(given, call),
      },
    };
  };
}

/** Changes lookups of responses that were created in the background. */
function inBackgroundLookups(change: (body: JsonObject) => JsonObject): Override {
  return bodies('responses.response', (body, { call }) =>
    call.operation === 'responses.lookup' && body.background === true ? change(body) : body,
  );
}

const inLookups = (change: (body: JsonObject) => JsonObject): Override =>
  bodies('responses.response', (body, { call }) =>
    call.operation === 'responses.lookup' ? change(body) : body,
  );

const echoes: Readonly<Record<string, (told: JsonObject) => JsonObject>> = {
  store: (body) => set(body, 'store', false),
  background: (body) => set(body, 'background', body.background !== true),
  max_output_tokens: (body) => set(body, 'max_output_tokens', 4096),
  previous_response_id: (body) =>
    changed(body, 'previous_response_id', (id) => (typeof id === 'string' ? `${id}0` : id)),
};

/** Echoed values of a gateway that stores none of these members. */
const lostEchoes: Readonly<Record<string, Json>> = {
  instructions: 'You are a helpful assistant.',
  metadata: {},
  tools: [],
};

function broken(data: JsonObject): JsonObject {
  const text = JSON.stringify(data).replace(/[^\0-\x7f]/gu, '\uFFFD\uFFFD');
  return JSON.parse(text) as JsonObject;
}

function writing(
  protocol: string,
  write: (out: ServerResponse, head: Head, body: string) => void,
): Override {
  return seam('transport', 'send', (native) => async (out, head, body, context: Context) => {
    const fits = context.call.dialect.name === protocol && context.refusal === null;
    if (!fits || !body.endsWith('}')) return native(out, head, body, context);
    write(out, head, body);
  });
}

export const everywhereAnswersFaults: readonly Fault[] = [
  ...planted({
    'answers.constant-item-id': constantId('msg_'),
    'answers.constant-call-id': seam(
      'encode',
      'id',
      (native) => (prefix, call) =>
        prefix === 'call_' && call.dialect.name === 'chat-completions'
          ? 'call_0123456789abcdef'
          : native(prefix, call),
    ),
    'answers.background-times': inBackgroundLookups((body) =>
      changed(body, 'created_at', (time) => Number(time) - 31_536_000),
    ),
    'answers.completed-before-it-was-created': bodies('responses.response', (body) =>
      changed(body, 'completed_at', (time) => (typeof time === 'number' ? time - 60 : time)),
    ),
    'answers.streamed-times': eachData('chat-completions', setting('created', 1_500_000_000)),
    'answers.other-model-in-us': inUs(bodies('responses.response', setting('model', 'channel-7'))),
  }),
  ...each(['chat-completions', 'messages', 'generative'] as const, (protocol) => ({
    'answers.other-model-streamed-{}': eachData(protocol, (data) =>
      ['model', 'modelVersion', 'message.model'].reduce(
        (changing, path) =>
          memberAt(changing, path) === undefined ? changing : set(changing, path, 'channel-7'),
        data,
      ),
    ),
  })),
  ...each(
    Object.entries(echoes).map(([member, change]) => ({
      ...{ member, change },
      named: member.replaceAll('_', '-'),
    })),
    ({ change }) => ({ 'answers.lookup-tells-other-{named}': inLookups(change) }),
  ),
  ...each(Object.entries(lostEchoes), ([member, value]) => ({
    'answers.tells-no-{0}': bodies('responses.response', setting(member, value)),
  })),
  ...each(streaming, (protocol) => ({ 'answers.broken-letters-{}': eachData(protocol, broken) })),
  ...planted({
    'answers.broken-letters-systemone': bodies('systemone.result', (body) => ({
      ...body,
      note: 'd\uFFFDcid\uFFFD',
    })),
  }),
  ...each(protocols, (protocol) => ({
    'answers.latin-1-{}': writing(protocol, (out, head, body) => {
      const bytes = Buffer.from(`${body.slice(0, -1)},"note":"é"}`, 'latin1');
      out.writeHead(head.status, { ...head.headers, 'content-length': String(bytes.length) });
      out.end(bytes);
    }),
  })),
  ...each(protocols, (protocol) => ({
    'answers.open-end-{}': writing(protocol, (out, head, body) => {
      out.writeHead(head.status, head.headers);
      out.write(body, () => setImmediate(() => out.destroy()));
    }),
  })),
  ...each(streaming, (protocol) => ({
    'answers.open-end-streamed-{}': seam(
      'transport',
      'stream',
      (native) => async (out, head, pieces, context) => {
        if (context.call.dialect.name !== protocol) {
          return native(out, head, pieces, context);
        }
        out.writeHead(head.status, head.headers);
        for await (const piece of pieces) out.write(piece);
        out.write('\n', () => setImmediate(() => out.destroy()));
      },
    ),
  })),
];
