import { keepIn } from '../redaction/index.ts';
import type { Target } from './target.ts';

/** Stands for a variable that nobody has set, where no key is needed. */
const placeholder = /^(?:not-set-|\$\{)/;

/**
 * From now on nothing that this process writes shows the keys of a target, nor what its variables stand for.
 * What the target shows openly anyway, as the name of a region may be a variable, too, is no secret.
 *
 * @param more that were made of its keys
 */
export function keepSecrets(
  { name, regions, models, keys, variables }: Target,
  more: Readonly<Record<string, string>> = {},
): void {
  const shown = JSON.stringify([name, regions, models]).toLowerCase();
  const all = [...Object.values({ ...keys }), ...Object.values(variables), ...Object.values(more)];
  keepIn(
    all.filter(
      (secret: string) => !placeholder.test(secret) && !shown.includes(secret.toLowerCase()),
    ),
  );
}
