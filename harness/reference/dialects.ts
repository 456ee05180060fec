import type { Dialect } from './dialect.ts';
import { responsesDialect } from './responses/dialect.ts';

/** Every protocol that the gateway speaks. The first refuses what no other dialect owns. */
export const dialects: readonly [Dialect, ...Dialect[]] = [responsesDialect];
