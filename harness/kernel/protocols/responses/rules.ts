/** The rules of the grammar of this protocol's streams. */
export const rules = [
  'events-typed',
  'created-first',
  'one-terminal-last',
  'terminal-matches-status',
  'event-name-is-type',
  'event-name-present',
  'known-event-shapes',
  'sequence-increases',
  'sequence-from-zero',
  'status-while-running',
  'ids-constant',
  'items-open-and-close',
  'parts-open-and-close',
  'indexes-append',
  'deltas-join-to-text',
  'arguments-join',
  'no-foreign-events',
] as const;

export type Rule = (typeof rules)[number];

/** Rules that the sources only recommend. */
export const softRules = [
  'event-name-present',
  'sequence-from-zero',
  'status-while-running',
] as const satisfies readonly Rule[];
