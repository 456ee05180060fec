import type { Terminal } from '../../../kernel/terminal/index.ts';
import { type FixtureKeys, keyRoles, keyVariable } from '../../../reference/index.ts';

/** The keys in the environment, by role. Empty ones are ignored. */
export function keysFrom(environment: Terminal['environment']): Partial<FixtureKeys> {
  return chosen((role) => environment[keyVariable(role)] || undefined);
}

/**
 * Returns references to variables in place of the given keys.
 *
 * @param written the notation of a reference to a variable
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
