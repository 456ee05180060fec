import type { Exploration } from './exploration.ts';

/** Output of `explore --json`, described by `fixtures/exploration.schema.json`. */
interface JsonExploration extends Exploration {
  readonly format: 'gateway-touchstone/exploration';
  /** Incremented when a member is removed or changes its meaning. */
  readonly version: 1;
}

export function renderExplorationJson(exploration: Exploration): string {
  const value: JsonExploration = {
    format: 'gateway-touchstone/exploration',
    version: 1,
    ...exploration,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
