import { type Captures, each, eachStream, type Protocol, protocols } from '../../harness/index.ts';
import { baselineStream } from '../scenarios/baseline-streams.ts';
import { baseline } from '../scenarios/baselines.ts';
import { droppedMessages, unlimited } from '../scenarios/generations/unlimited.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import type { GenerationMode } from '../scenarios/metering/generations-sent.ts';
import { polled } from '../scenarios/running/background-runs.ts';
import { cancelledAfterText } from '../scenarios/running/cancelled-runs.ts';
import {
  droppedBody,
  lookedUpAfterInterruption,
} from '../scenarios/running/interrupted-streams.ts';
import { continued } from '../scenarios/stored/served-operations.ts';

// Scenarios that are sent even if nothing else is selected, so that there are exchanges to judge.

/** One generation of each mode. */
export const generated: Readonly<Record<GenerationMode, Captures<unknown>>> = {
  ...each(protocols, (protocol: Protocol) => baseline[mainEndpoint[protocol]]),
  ...eachStream((protocol) => baselineStream[protocol]),
  websocket: baseline.websocket,
  background: polled,
  continuation: continued,
};

/** One run per kind of interruption: at its first text, or in one body before its answer. */
export const interrupted = {
  cancel: cancelledAfterText,
  responses: lookedUpAfterInterruption.foreground,
  'chat-completions': unlimited['chat-completions'],
  messages: droppedMessages,
  generative: unlimited.generative,
  websocket: lookedUpAfterInterruption.websocket,
  'one-body': droppedBody,
} satisfies Readonly<Record<string, Captures<unknown>>>;

export type Interruption = keyof typeof interrupted;
