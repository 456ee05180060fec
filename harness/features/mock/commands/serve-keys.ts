import type { Terminal } from '../../../kernel/terminal/index.ts';
import { type FixtureKeys, keyRoles, keyVariable } from '../../../reference/index.ts';

/** The keys that stand in the environment, by their roles; an empty one does not. */
export function keysFrom(environment: Terminal['environment']): Partial<FixtureKeys> {
  return chosen((role) => environment[keyVariable(role)] || undefined);
}

/**
 * Returns references to variables in place of the given keys.
 *
 * @param written how a variable is referred to there
 */
export function inPlaceOf(
  keys: Partial<FixtureKeys>,
  written: (variable: string) => string,
): Partial<FixtureKeys> {
  return chosen((role) => (keys[role] === undefined ? undefined : written(keyVariable(role))));
}

function chosen(of: (role: keyof FixtureKeys) => string | undefined): Partial<FixtureKeys> {
  return Object.fromEntries(
    keyRoles.flatMap((role) => {
      const value = of(role);
      return value === undefined ? [] : [[role, value]];
    }),
  );
}
