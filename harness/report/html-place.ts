import { type Protocol, protocols } from '../core/protocol.ts';
import type { CheckResult } from '../core/result.ts';

/** Where a check stands in the matrix of the HTML report. */
export interface Place {
  readonly column: Column;
  /** `store`, of `storage/responses.false-denies`. */
  readonly area: string;
}

export type Column = Protocol | 'models' | 'other';

/** Columns in the order in which they stand, with their titles. */
export const columns: Readonly<Record<Column, string>> = {
  responses: 'Responses',
  'chat-completions': 'Chat Completions',
  messages: 'Messages',
  generative: 'Generative',
  systemone: 'System One',
  models: 'Models',
  other: 'General',
};

/** The endpoints and capabilities that ids name, by the protocol that they belong to. */
const belongs: Readonly<Record<string, Column>> = {
  'messages-count-tokens': 'messages',
  count_tokens: 'messages',
  'generate-content': 'generative',
  'stream-generate-content': 'generative',
  'count-tokens': 'generative',
  'vendorb-count': 'generative',
  'alternate-path': 'generative',
  lookup: 'responses',
  'input-items': 'responses',
  continue: 'responses',
  'continue-websocket': 'responses',
  recover: 'responses',
  cancel: 'responses',
  delete: 'responses',
  compact: 'responses',
  'input-tokens': 'responses',
  input_tokens: 'responses',
  background: 'responses',
  websocket: 'responses',
  models: 'models',
  catalog: 'models',
};

/** A check of a protocol's suite stands there; of any other, where the value of its axis says. */
export function placeOf({ id, suite }: CheckResult): Place {
  const area = id.slice(suite.length + 1).replace(/[.:].*/s, '');
  const value = id.includes(':') ? id.slice(id.indexOf(':') + 1) : '';
  return { column: columnOf(suite) ?? columnOf(value.replace(/^stream-/, '')) ?? 'other', area };
}

function columnOf(name: string): Column | null {
  const first = name.replace(/\..*/s, '');
  const protocol = protocols.find((known) => known === first);
  return protocol ?? belongs[name] ?? belongs[first] ?? null;
}
