import {
  type Exchange,
  each,
  type Protocol,
  protocols,
  type Scenario,
  scenario,
} from '../../harness/index.ts';
import { lastOf, polled } from '../scenarios/background-runs.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import type { CreationMode } from '../scenarios/generation-modes.ts';
import { type Entry, generationRecorded, looks, meteredEntryOf } from '../scenarios/ledger.ts';
import { continued } from '../scenarios/served-operations.ts';

/** A way to ask for a generation. */
export type Asked = Protocol | CreationMode;

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
const generatedByMode: Readonly<Record<CreationMode, Scenario<Generated>>> = {
  'responses-stream': streamOf('responses'),
  'chat-completions-stream': streamOf('chat-completions'),
  'messages-stream': streamOf('messages'),
  'generative-stream': streamOf('generative'),
  websocket: generatedBy('websocket', baseline.websocket, ({ baseline }) => alone(baseline)),
  background: generatedBy('background', polled, ({ created, lookups }) => ({
    request: created,
    answer: lastOf(lookups),
  })),
  continuation: generatedBy('continuation', continued, ({ second }) => alone(second)),
};

function streamOf(protocol: keyof typeof baselineStream): Scenario<Generated> {
  const by = baselineStream[protocol];
  return generatedBy(`${protocol}-stream`, by, ({ streamed }) => alone(streamed));
}

function generatedBy<Captured>(
  name: string,
  by: Scenario<Captured>,
  generated: (captured: Captured) => Generated,
): Scenario<Generated> {
  return scenario(
    `metering/ledger/generated/${name}`,
    { after: { it: by }, cost: { requests: 0, generations: 0 } },
    async (_, { it }) => generated(it),
  );
}

function alone(answer: Exchange): Generated {
  return { request: answer, answer };
}

const inOneBody = each(protocols, (protocol: Protocol) =>
  scenario(
    `metering/ledger/recorded/${protocol}`,
    { after: { entry: generationRecorded[protocol] }, cost: { requests: 0, generations: 0 } },
    async (_, { entry }): Promise<Recorded> => ({ entry, answer: entry.request }),
  ),
);

const otherwise = each(Object.keys(generatedByMode) as CreationMode[], (asked: CreationMode) =>
  scenario(
    `metering/ledger/recorded/${asked}`,
    {
      needs: { probes: ['ledger'] },
      after: { it: generatedByMode[asked] },
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
