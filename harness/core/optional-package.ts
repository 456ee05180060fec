import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** Something needs a package that is not installed with Touchstone. The command exits with 3. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';

  /** @param what what needs it: the subject of a sentence */
  constructor(what: string, name: string) {
    super(`${what} needs ${name}, which is not installed: npm install ${name}@${wanted(name)}`);
  }
}

/**
 * Loads a package that users install only for what needs it: an optional peer in `package.json`.
 *
 * @param load imports the package, and nothing else
 * @throws {MissingPackage}
 */
export async function optionalPackage<T>(
  what: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Only what cannot be found is missing: a package that breaks while it loads says why itself.
    const missing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (missing && error.message.includes(`'${name}'`)) throw new MissingPackage(what, name);
    throw error;
  }
}

/** The major version of the package that Touchstone was tested with. */
function wanted(name: string): string {
  const manifest: { readonly peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  );
  return /\d+/.exec(manifest.peerDependencies[name] ?? '')?.[0] ?? 'latest';
}
