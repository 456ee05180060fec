import { keepIn } from '../redaction/index.ts';
import type { Target } from './target.ts';

/** Placeholder of a variable that is not set, where no key is needed, or stand-in of a key in a recording. */
const placeholder = /^(?:not-set-|\$\{|redacted:)/;

/**
 * Masks the keys of a target and the values of its variables in everything that this process writes from now on.
 * Values that the target shows openly are not secret, such as a region's name that comes from a variable.
 *
 * @param more keys derived from the target's keys
 */
export function keepSecrets(
  { name, regions, models, keys, variables, providers }: Target,
  more: Readonly<Record<string, string>> = {},
): void {
  const shown = JSON.stringify([name, regions, models]).toLowerCase();
  const all = [
    ...Object.values({ ...keys }),
    ...Object.values(providers?.keys ?? {}).filter((key) => key !== 'client'),
    ...Object.values(variables),
    ...Object.values(more),
  ];
  keepIn(
    all.filter(
      (secret: string) => !placeholder.test(secret) && !shown.includes(secret.toLowerCase()),
    ),
  );
}
