import type { Gateway } from '../call.ts';
import type { RequestJournal } from './requests.ts';

/** Returns the metrics of a gateway in Prometheus format. @param gateways one per region */
export function metrics(gateways: readonly Gateway[], journal: RequestJournal): string {
  const [first] = gateways;
  const memory = process.memoryUsage();
  const open = [...journal.open];
  const streams = open.filter(({ call, out }) => out === null || call.note.streamed);
  return [
    ...metric('touchstone_requests_total', 'counter', 'Requests whose answer has ended.', [
      ...journal.ended.map(({ status, count, ...labels }): Sample => {
        return [{ ...labels, status: String(status) }, count];
      }),
    ]),
    ...metric('touchstone_requests_in_flight', 'gauge', 'Requests whose answer has not ended.', [
      [{}, open.length],
    ]),
    ...metric('touchstone_streams_in_flight', 'gauge', 'Event streams and WebSocket turns.', [
      [{}, streams.length],
    ]),
    ...metric(
      'touchstone_tokens_total',
      'counter',
      'Tokens that were read and written.',
      gateways.flatMap(({ region, ledger }) =>
        [...ledger.tokens()].flatMap(([protocol, { input, output }]): Sample[] => [
          [{ region, protocol, direction: 'input' }, input],
          [{ region, protocol, direction: 'output' }, output],
        ]),
      ),
    ),
    ...metric('touchstone_stored_responses', 'gauge', 'Responses that the gateway remembers.', [
      [{}, first?.store.size ?? 0],
    ]),
    ...metric('touchstone_journal_requests', 'gauge', 'Requests that the journal keeps.', [
      [{}, journal.size],
    ]),
    ...metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', [[{}, memory.rss]]),
    ...metric('nodejs_heap_size_used_bytes', 'gauge', 'Heap in use.', [[{}, memory.heapUsed]]),
    '',
  ].join('\n');
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string[] {
  const lines = samples.map(([labels, value]) => {
    const told = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${name}${told.length === 0 ? '' : `{${told.join(',')}}`} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
