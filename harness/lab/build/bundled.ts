/** Packages that the bundle contains, so that users need not install them. Peers are optional. */
export const bundledPackages = [
  '@faker-js/faker',
  'ajv',
  'ajv-formats',
  'chokidar',
  'commander',
  'eventsource-parser',
  'js-yaml',
  'p-queue',
  'picocolors',
  'string-width',
  'undici',
  'wrap-ansi',
  'ws',
  'yaml',
] as const;

export function packageNameOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
