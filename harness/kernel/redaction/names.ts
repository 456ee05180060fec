import { readFileSync } from 'node:fs';
import { fixture } from '../core/index.ts';

/**
 * Project-wide rules that decide by the name of a header or query parameter if its value is secret:
 * `fixtures/secret-names.json`.
 */
interface Names {
  readonly secret: string;
  readonly notSecret: string;
  readonly harmlessHeaders: readonly string[];
  readonly harmlessHeaderFamilies: readonly string[];
  readonly harmlessHeaderEndings: readonly string[];
  readonly harmlessParameters: readonly string[];
}

const names: Names = JSON.parse(readFileSync(fixture('secret-names.json'), 'utf8'));
const secret = new RegExp(names.secret, 'i');
const notSecret = new RegExp(names.notSecret, 'i');
const headers = new Set(names.harmlessHeaders);
const parameters = new Set(names.harmlessParameters);

/** True for a name of secrets. The value is never shown, and is masked wherever it occurs. */
export function isSecretName(name: string): boolean {
  return secret.test(name) && !notSecret.test(name);
}

/** True if the value of this header may be shown, regardless of its origin. */
export function isHarmlessHeader(name: string): boolean {
  const lower = name.trim().toLowerCase();
  return (
    headers.has(lower) ||
    names.harmlessHeaderFamilies.some((family) => lower.startsWith(family)) ||
    names.harmlessHeaderEndings.some((ending) => lower.endsWith(ending))
  );
}

/** True if the value of this query parameter may be shown, regardless of its origin. */
export function isHarmlessParameter(name: string): boolean {
  return parameters.has(name.trim().toLowerCase());
}
