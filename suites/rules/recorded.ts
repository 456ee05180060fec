import {
  type Exchange,
  each,
  type Protocol,
  protocols,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import type { OtherwiseAsked } from '../generation/otherwise-asked.ts';
import { ordinary } from '../ordinary.ts';
import { ordinaryStream } from '../ordinary-streams.ts';
import { lastOf, polled } from '../responses/background-runs.ts';
import { continued } from '../served-operations.ts';
import { type Entry, generationRecorded, looks, meteredEntryOf } from './ledger.ts';

/** A way to ask for a generation. */
export type Asked = Protocol | OtherwiseAsked;

/** What the ledger says of a generation, beside the answer that has its usage. */
export interface Recorded {
  readonly entry: Entry;
  readonly answer: Exchange;
}

interface Generated {
  readonly request: Exchange;
  readonly answer: Exchange;
}

/** Generations that other checks have asked for anyway. */
const otherwiseGenerated: Readonly<Record<OtherwiseAsked, Scenario<Generated>>> = {
  'responses-stream': streamOf('responses'),
  'chat-completions-stream': streamOf('chat-completions'),
  'messages-stream': streamOf('messages'),
  'generative-stream': streamOf('generative'),
  websocket: generatedBy('websocket', ordinary.websocket, ({ ordinary }) => alone(ordinary)),
  background: generatedBy('background', polled, ({ created, lookups }) => ({
    request: created,
    answer: lastOf(lookups),
  })),
  continuation: generatedBy('continuation', continued, ({ second }) => alone(second)),
};

function streamOf(protocol: keyof typeof ordinaryStream): Scenario<Generated> {
  const by = ordinaryStream[protocol];
  return generatedBy(`${protocol}-stream`, by, ({ streamed }) => alone(streamed));
}

function generatedBy<Captured>(
  name: string,
  by: Scenario<Captured>,
  generated: (captured: Captured) => Generated,
): Scenario<Generated> {
  return scenario(
    `rules/metering/generated/${name}`,
    { after: { it: by }, cost: { requests: 0, generations: 0 } },
    async (_, { it }) => generated(it),
  );
}

function alone(answer: Exchange): Generated {
  return { request: answer, answer };
}

const inOneBody = each(protocols, (protocol: Protocol) =>
  scenario(
    `rules/metering/recorded/${protocol}`,
    { after: { entry: generationRecorded[protocol] }, cost: { requests: 0, generations: 0 } },
    async (_, { entry }): Promise<Recorded> => ({ entry, answer: entry.request }),
  ),
);

const otherwise = each(
  Object.keys(otherwiseGenerated) as OtherwiseAsked[],
  (asked: OtherwiseAsked) =>
    scenario(
      `rules/metering/recorded/${asked}`,
      {
        needs: { probes: ['ledger'] },
        after: { it: otherwiseGenerated[asked] },
        cost: looks({ until: 1 }),
      },
      async (io, { it: { request, answer } }): Promise<Recorded> => ({
        entry: await meteredEntryOf(io, request),
        answer,
      }),
    ),
);

/** What the ledger says of a generation, however it was asked for. */
export const recorded: Readonly<Record<Asked, Scenario<Recorded>>> = { ...inOneBody, ...otherwise };
