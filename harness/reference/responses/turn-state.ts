import type { Generation } from '../engine.ts';
import type { JsonObject } from '../json.ts';
import type { LedgerRecord } from '../ledger.ts';
import type { Written } from '../prepared.ts';
import type { Run } from '../run.ts';
import type { Progress, ResponseStatus } from './progress.ts';
import type { ResponseRequest } from './request.ts';

/** Ids of an output item, and of its call if it is one. */
export interface BlockIds {
  readonly item: string;
  readonly call: string;
}

export interface TurnParts {
  readonly id: string;
  readonly ids: readonly BlockIds[];
  readonly request: ResponseRequest;
  /** Items of the earlier turns, oldest first. */
  readonly history: readonly JsonObject[];
  readonly generation: Generation;
  readonly financial: LedgerRecord;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  now(): number;
}

/** State of a turn that its events and its response object are derived from. */
export interface TurnState {
  readonly parts: TurnParts;
  readonly run: Run;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly status: ResponseStatus;
  readonly now: Progress;
  /** Progress at the moment when the turn began. */
  readonly begun: Progress;
  response(): Written;
}
