import { capabilities, protocolOfCapability } from './capability.ts';
import { protocolOfEndpoint } from './endpoint.ts';
import { type Protocol, protocols } from './protocol.ts';

/** Subject of a check: a protocol, the model lists, or neither. */
export type Subject = Protocol | 'models' | 'other';

interface Place {
  readonly subject: Subject;
  /** `storage/deletion`; `storage` if the area only names a protocol. */
  readonly area: string;
}

/** Returns the place of a check. Its subject follows from the area, the suite or the value. */
export function placeOf(id: string): Place {
  const known = places.get(id) ?? placed(id);
  places.set(id, known);
  return known;
}

/** Cache: callers ask for all ids repeatedly. */
const places = new Map<string, Place>();

function placed(id: string): Place {
  const [row = '', value = ''] = id.split(':');
  const [suite = '', name = ''] = row.split('/');
  const area = name.replace(/\..*/s, '');
  const isProtocol = protocols.some((protocol) => protocol === withoutStream(area));
  const rest = isProtocol ? area.slice(withoutStream(area).length + 1) : area;
  const names = suite === 'models' ? [suite] : [area, suite, value];
  return {
    subject: names.map(subjectOf).find((subject) => subject !== undefined) ?? 'other',
    area: rest === '' ? suite : `${suite}/${rest}`,
  };
}

function withoutStream(name: string): string {
  return name.replace(/^stream-|-stream$/, '');
}

/** Subjects by the words that ids use for protocols, endpoints, capabilities and operations. */
const subjectOfWord: ReadonlyMap<string, Subject> = new Map<string, Subject>([
  ...protocols.map((protocol) => [protocol, protocol] as const),
  ...Object.entries(protocolOfEndpoint),
  ...capabilities.flatMap((capability) => {
    const protocol = protocolOfCapability[capability];
    return protocol === null ? [] : [[capability.toLowerCase(), protocol] as const];
  }),
  // Members of a request in the names of the definition of the protocol.
  ['snake-case', 'generative'],
  // Operations on stored resources. Only Responses are stored, except for `storage/messages`.
  ...['storage', 'recovery', 'recover', 'continue', 'continue-websocket', 'continuation'].map(
    (word) => [word, 'responses'] as const,
  ),
]);

/** @param name of a suite or an area, or the value of an axis: `stream-messages`, `cancel.no-key` */
function subjectOf(name: string): Subject | undefined {
  return subjectOfWord.get(withoutStream(name.replace(/\..*/s, '')));
}

/**
 * True if a filter selects a check. A filter is an id prefix, such as `storage/responses`, or `@messages` for all
 * checks of one protocol, or `@models` for the model lists.
 */
export function isAskedFor(id: string, filter: string): boolean {
  return filter.startsWith('@') ? placeOf(id).subject === filter.slice(1) : id.startsWith(filter);
}

export const subjectFilters: readonly string[] = [...protocols, 'models'].map((name) => `@${name}`);

/**
 * True if one of the ids covers a check: the id of the check, of its row, of its area or of its suite.
 * `input/requests.empty-body:messages` does not cover `input/requests.empty-body:messages-count-tokens`.
 */
export function covers(ids: readonly string[], check: string): boolean {
  return ids.some(
    (id) =>
      check.startsWith(id) &&
      (id === check || /[/.:]$/.test(id) || /^[/.:]/.test(check.slice(id.length))),
  );
}
