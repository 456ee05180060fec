import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** File with the patterns of secret names, which the whole project shares. */
const file = join('fixtures', 'secret-names.json');

let patterns: { readonly secret: RegExp; readonly notSecret: RegExp } | undefined;

/** True if the name of a header or a query parameter indicates a secret. */
export function isSecretName(name: string): boolean {
  patterns ??= read();
  return patterns.secret.test(name) && !patterns.notSecret.test(name);
}

function read() {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, file)) && dirname(folder) !== folder) folder = dirname(folder);
  const names: { readonly secret: string; readonly notSecret: string } = JSON.parse(
    readFileSync(join(folder, file), 'utf8'),
  );
  return { secret: new RegExp(names.secret, 'i'), notSecret: new RegExp(names.notSecret, 'i') };
}
