import { endpoints, isArray, type JsonObject } from '../../../reference/index.ts';
import { inUs } from '../../decisions.ts';
import { changed, dropping, without } from '../../editing.ts';
import {
  bodies,
  eachData,
  eachEvent,
  endpointOf,
  errorBodies,
  type Override,
  seam,
  together,
} from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Answers with defects in a corner that no check of a single flow examines.

const protocols = ['responses', 'chat-completions', 'messages', 'generative', 'systemone'] as const;

function inEnvelope(body: JsonObject, requestId: string): JsonObject {
  return { data: null, requestId, ...body };
}

/** Changes the events of a protocol from the third matching stream on, because flows examine the first ones. */
function fromThirdStream(
  dialect: StreamingDialect,
  change: (data: JsonObject, index: number) => JsonObject,
): Override {
  return (seams) => {
    let streams = 0;
    return eachEvent(dialect, (context) => {
      const isChanged = context.refusal === null && context.over === 'sse' && ++streams >= 3;
      return ({ name, data }, index) => ({
        name,
        data: isChanged && typeof data !== 'string' ? change(data, index) : data,
      });
    })(seams);
  };
}

type StreamingDialect = 'responses' | 'chat-completions' | 'messages' | 'generative';

const streamFaults: readonly Fault[] = [
  ...planted({
    'corners.third-stream-numbers-responses': fromThirdStream(
      'responses',
      dropping('sequence_number'),
    ),
    'corners.third-stream-object-chat-completions': fromThirdStream(
      'chat-completions',
      dropping('object'),
    ),
    'corners.third-stream-index-messages': fromThirdStream('messages', dropping('index')),
    'corners.third-stream-finish-generative': fromThirdStream('generative', (data) =>
      changed(data, 'candidates', (list) => (isArray(list) ? (list[0] ?? null) : list)),
    ),
    'corners.recovered-without-items': eachData('responses', (data, _index, { call }) =>
      call.operation === 'responses.recover' && data.type === 'response.output_text.delta'
        ? without(data, 'item_id')
        : data,
    ),
    'corners.socket-without-numbers-in-us': inUs(
      eachData('responses', (data, _index, { over, refusal }) =>
        over === 'websocket' && refusal === null ? without(data, 'sequence_number') : data,
      ),
    ),
    'corners.background-lookup-without-time': bodies('responses.response', (body, { call }) =>
      call.operation === 'responses.lookup' && body.background === true
        ? without(body, 'created_at')
        : body,
    ),
    'corners.count-as-text-in-us': inUs(
      together(
        bodies('messages.count', (body) => changed(body, 'input_tokens', String)),
        bodies('responses.input-tokens', (body) => changed(body, 'input_tokens', String)),
        bodies('generative.count', (body) => changed(body, 'totalTokens', String)),
      ),
    ),
  }),
];

export const everywhereCornerFaults: readonly Fault[] = [
  ...streamFaults,
  ...each(endpoints, (endpoint) => ({
    'corners.enveloped-refusals-{}': errorBodies(
      ({ call }) => endpointOf(call) === endpoint,
      (body, { call }) => inEnvelope(body, call.requestId),
    ),
  })),
  ...planted({
    'corners.enveloped-denials-in-us': inUs(
      errorBodies(
        ({ refusal }) => refusal.reason === 'unpermitted-model',
        (body, { call }) => ({ data: body, requestId: call.requestId }),
      ),
    ),
  }),
  ...each(protocols, (protocol) => ({
    'corners.refusals-as-text-{}': seam(
      'encode',
      'headers',
      (native) => (kind, headers, context) => ({
        ...native(kind, headers, context),
        ...(context.refusal !== null && context.call.dialect.name === protocol
          ? { 'content-type': 'text/html; charset=utf-8' }
          : {}),
      }),
    ),
  })),
];
