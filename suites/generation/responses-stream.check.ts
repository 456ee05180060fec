import { assumeServed, check, expect } from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';

const rules = [
  'events-typed',
  'deltas-join-to-text',
  'created-first',
  'one-terminal-last',
  'terminal-matches-status',
  'event-name-is-type',
  'known-event-shapes',
  'sequence-increases',
  'ids-constant',
  'items-open-and-close',
  'parts-open-and-close',
  'indexes-append',
  'event-name-present',
  'sequence-from-zero',
  'status-while-running',
] as const;

for (const rule of rules) {
  check(`generation/responses-stream.${rule}`, baselineStream.responses, ({ streamed }) => {
    expect(streamed).toFollow(rule);
  });
}

check(
  'generation/responses-stream.not-buffered',
  baselineStream.responses,
  ({ streamed }, { note }) => {
    assumeServed(streamed);
    const times = (streamed.response?.chunks ?? []).map(({ at }) => at - streamed.times.started);
    note(
      `the first event came after ${Math.round(Math.min(...times))} ms, and the last one after ` +
        `${Math.round(Math.max(...times))} ms, in ${times.length} pieces`,
      streamed,
    );
  },
);
