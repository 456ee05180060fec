import type { RunResult } from '../../core/result.ts';
import { sampleCheck, sampleChecks, sampleRun } from '../../core/samples/run.ts';
import type { ExchangeViews } from '../exchange-view.ts';
import { sampleBody, sampleExchange, sampleStream, sampleViews } from './exchange.ts';

/** Text of a gateway that tries to inject markup into the page that shows it. */
export const hostile = `</script></template></textarea><script>window.taken=1</script><img src=x onerror="window.taken=2">'"&`;

/** A run with a check for each state, and hostile text wherever a gateway's text can occur. */
export function hostileRun(): RunResult {
  const evidence = {
    exchange: 'responses/streamed#main/0',
    request: `POST /${hostile}`,
    outcome: hostile,
    received: hostile,
    curl: `curl ${hostile}`,
  };
  const checks = [
    ...sampleChecks,
    sampleCheck('generation/responses-stream.hostile', {
      state: 'fail',
      expected: hostile,
      actual: hostile,
      evidence,
    }),
    sampleCheck('access/regions.hostile', {
      state: 'inconclusive',
      cause: 'prerequisite',
      reason: hostile,
      evidence: null,
    }),
  ];
  const knownFailures = {
    file: hostile,
    entries: ['generation/responses-stream.hostile', 'generation/responses.shape'],
    excused: ['generation/responses-stream.hostile'],
    stale: ['generation/responses.shape'],
  };
  return sampleRun(checks, { knownFailures });
}

/** Exchanges of the hostile run. */
export function hostileViews(): ExchangeViews {
  const stream = sampleStream(3);
  const attacked = sampleStream(3, {
    request: {
      method: 'POST',
      url: `https://eu.example/${hostile}`,
      headers: [[hostile, hostile]],
      body: sampleBody(JSON.stringify({ [hostile]: hostile })),
    },
    answer: {
      status: 200,
      headers: [['x-echo', hostile]],
      body: sampleBody(hostile),
      decodedFrom: hostile,
      complete: false,
      headersAfter: 1,
    },
    stream: {
      over: 'sse',
      frames: [
        ...(stream.stream?.frames ?? []),
        { at: 55, from: 'gateway', name: hostile, data: sampleBody(hostile) },
      ],
      close: hostile,
    },
    failure: hostile,
    echoed: [hostile],
  });
  const step = { key: 'responses/stored#main/0', at: 1, took: 9, outcome: '200' };
  const lookup = sampleExchange({
    scenario: [
      { ...step, request: 'POST /v1/responses' },
      { ...step, key: 'responses/stored#main/1', request: hostile, at: 12 },
    ],
  });
  return sampleViews(hostileRun(), lookup, attacked);
}
