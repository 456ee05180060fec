import { capabilities, protocolOfCapability } from '../core/capability.ts';
import { protocolOfEndpoint } from '../core/endpoint.ts';
import { type Protocol, protocols } from '../core/protocol.ts';
import type { CheckResult } from '../core/result.ts';

/** Where a check stands in the matrix of the HTML report. */
export interface Place {
  readonly column: Column;
  /** `storage/deletion`; `storage` where the area only names a protocol, which the column says. */
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

/** A check stands where its area says, or its suite, or else the value of its axis. */
export function placeOf({ id, suite }: CheckResult): Place {
  const [row = '', value = ''] = id.split(':');
  const area = row.slice(suite.length + 1).replace(/\..*/s, '');
  const isProtocol = protocols.some((protocol) => protocol === withoutStream(area));
  const rest = isProtocol ? area.slice(withoutStream(area).length + 1) : area;
  const names = suite === 'models' ? [suite] : [area, suite, value];
  return {
    column: names.map(columnOf).find((column) => column !== undefined) ?? 'other',
    area: rest === '' ? suite : `${suite}/${rest}`,
  };
}

function withoutStream(name: string): string {
  return name.replace(/^stream-|-stream$/, '');
}

/** What ids call protocols, endpoints, capabilities and operations, by the column that they belong to. */
const columnOfWord: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...protocols.map((protocol) => [protocol, protocol] as const),
  ...Object.entries(protocolOfEndpoint),
  ...capabilities.flatMap((capability) => {
    const protocol = protocolOfCapability[capability];
    return protocol === null ? [] : [[capability.toLowerCase(), protocol] as const];
  }),
  // What can be done with what is stored. Only Responses are stored but for `storage/messages`.
  ...['storage', 'recovery', 'recover', 'continue', 'continue-websocket', 'continuation'].map(
    (word) => [word, 'responses'] as const,
  ),
]);

/** @param name of a suite or an area, or the value of an axis: `stream-messages`, `cancel.no-key` */
function columnOf(name: string): Column | undefined {
  return columnOfWord.get(withoutStream(name.replace(/\..*/s, '')));
}
