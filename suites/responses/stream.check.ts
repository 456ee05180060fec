import { check, expect, mustBeServed } from '../../harness/index.ts';
import { ordinaryStream } from '../ordinary-streams.ts';

const rules = [
  'events-typed',
  'deltas-make-the-text',
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
  check(`responses/stream.${rule}`, ordinaryStream.responses, ({ streamed }) => {
    expect(streamed).toFollow(rule);
  });
}

check('responses/stream.not-buffered', ordinaryStream.responses, ({ streamed }, { note }) => {
  mustBeServed(streamed);
  const { chunks = [] } = streamed.response ?? {};
  const [first, last] = [chunks[0], chunks.at(-1)].map((chunk) => chunk?.at ?? 0);
  if (first === undefined || last === undefined) return;
  const begun = Math.round(first - streamed.times.started);
  note(
    `the first event came after ${begun} ms, the last one ${Math.round(last - first)} ms later, ` +
      `in ${chunks.length} pieces`,
    streamed,
  );
});
