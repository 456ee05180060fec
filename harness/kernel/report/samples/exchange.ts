import type { RunResult } from '../../core/result.ts';
import type { BodyView, ExchangeView, ExchangeViews, FrameView } from '../exchange-view.ts';

/** A body that is shown in full, for the tests of reports. */
export function sampleBody(text: string): BodyView {
  const bytes = Buffer.byteLength(text);
  return { text, bytes, shown: bytes, binary: false };
}

/** An exchange for the tests of reports: a lookup that returned 404. */
export function sampleExchange(fields: Partial<ExchangeView> = {}): ExchangeView {
  return {
    key: 'responses/stored#main/1',
    operation: 'responses.lookup',
    region: 'eu',
    credential: 'owner',
    request: {
      method: 'GET',
      url: 'https://eu.example/v1/responses/resp_1',
      headers: [
        ['Authorization', 'Bearer ********'],
        ['User-Agent', 'sdk'],
      ],
      body: null,
    },
    answer: {
      status: 404,
      headers: [['content-type', 'application/json']],
      body: sampleBody('{"error":{"message":"no such response","code":null}}'),
      decodedFrom: null,
      complete: true,
      headersAfter: 11.5,
    },
    stream: null,
    failure: null,
    took: 12.25,
    echoed: [],
    scenario: [],
    ...fields,
  };
}

/** Streamed answer with `count` events, 10 ms apart. */
export function sampleStream(count: number, fields: Partial<ExchangeView> = {}): ExchangeView {
  const frames = Array.from(
    { length: count },
    (_, index): FrameView => ({
      at: 20 + index * 10,
      from: 'gateway',
      name: 'response.output_text.delta',
      data: sampleBody(`{"type":"response.output_text.delta","sequence_number":${index}}`),
    }),
  );
  return sampleExchange({
    key: 'responses/streamed#main/0',
    operation: 'responses.stream',
    request: {
      method: 'POST',
      url: 'https://eu.example/v1/responses',
      headers: [['Content-Type', 'application/json']],
      body: sampleBody('{"model":"m","stream":true}'),
    },
    answer: {
      status: 200,
      headers: [['content-type', 'text/event-stream']],
      body: sampleBody(frames.map(({ data }) => `data: ${data.text}\n\n`).join('')),
      decodedFrom: null,
      complete: true,
      headersAfter: 9,
    },
    stream: { over: 'sse', frames, close: null },
    took: 30 + count * 10,
    ...fields,
  });
}

/** Views of these exchanges, for the checks of a run whose evidence names them. */
export function sampleViews({ checks }: RunResult, ...views: ExchangeView[]): ExchangeViews {
  return new Map(
    checks.flatMap(({ id, verdict }) => {
      const evidence = 'evidence' in verdict ? verdict.evidence : null;
      const view = views.find(({ key }) => key === evidence?.exchange);
      return view === undefined ? [] : [[id, view] as const];
    }),
  );
}
