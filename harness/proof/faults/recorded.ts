import type { Call } from '../../reference/call.ts';
import type { LedgerRecord } from '../../reference/ledger.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Fault } from './fault.ts';
import { waysAsked } from './generation-modes.ts';

// Generations that the ledger does not know, or knows wrongly.

/** What becomes of the records of generations that were asked for so. */
function recordsOf(
  isAsked: (call: Call) => boolean,
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return ({ policy }) => {
    const requests = new Set<string | null>();
    return {
      policy: {
        findModel: (id, call) => {
          if (isAsked(call)) requests.add(call.clientRequestId);
          return policy.findModel(id, call);
        },
        financialRecords: (record, gateway) => {
          const native = policy.financialRecords(record, gateway);
          const fits = record.operation === 'generation' && requests.has(record.clientRequestId);
          return fits ? native.flatMap(change) : native;
        },
      },
    };
  };
}

const protocols = ['responses', 'chat-completions', 'messages', 'generative', 'systemone'] as const;

const inOneBody = protocols.map((protocol) => ({
  asked: protocol,
  isAsked: (call: Call): boolean => isInOneBody(call, protocol),
}));

function isInOneBody(call: Call, protocol: (typeof protocols)[number]): boolean {
  return call.dialect.name === protocol && !waysAsked.some(({ isAsked }) => isAsked(call));
}

/** What becomes of the records of turns whose socket was dropped while they ran. */
function droppedTurns(
  change: (record: LedgerRecord) => readonly LedgerRecord[],
): Defect['override'] {
  return ({ policy }) => {
    const requests = new Set<string | null>();
    return {
      policy: {
        outlivesClient: (execution, call) => {
          if (call.operation === 'responses.websocket') requests.add(call.clientRequestId);
          return policy.outlivesClient(execution, call);
        },
        financialRecords: (record, gateway) => {
          const native = policy.financialRecords(record, gateway);
          return requests.has(record.clientRequestId) ? native.flatMap(change) : native;
        },
      },
    };
  };
}

const generations: readonly Fault[] = [...inOneBody, ...waysAsked].flatMap(
  ({ asked, isAsked }): Fault[] => [
    {
      id: `metering.unrecorded-${asked}`,
      what: `A generation that was asked for by ${asked} leaves no record.`,
      breaks: [`metering/ledger.generation-recorded:${asked}`],
      override: recordsOf(isAsked, () => []),
    },
    ...(asked === 'systemone'
      ? []
      : [
          {
            id: `metering.half-recorded-${asked}`,
            what: `A generation that was asked for by ${asked} is recorded with half of its output.`,
            breaks: [`metering/ledger.record-matches-usage:${asked}`],
            override: recordsOf(isAsked, (record) => [
              { ...record, outputTokens: Math.floor(record.outputTokens / 2) },
            ]),
          },
        ]),
  ],
);

export const recordedFaults: readonly Fault[] = [
  ...generations,
  {
    id: 'metering.half-of-the-input',
    what: 'A response that was asked for in one body is recorded with half of its input.',
    breaks: ['metering/ledger.record-matches-usage:responses'],
    override: recordsOf(
      (call) => isInOneBody(call, 'responses'),
      (record) => [{ ...record, inputTokens: Math.floor(record.inputTokens / 2) }],
    ),
  },
  {
    id: 'metering.dropped-turn-without-usage',
    what: 'A turn that lost its WebSocket is recorded without usage.',
    breaks: ['metering/ledger.interrupted-recorded:websocket'],
    override: droppedTurns((record) => [{ ...record, inputTokens: 0, outputTokens: 0 }]),
  },
];
