import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { defineConfig } from 'rolldown';
import { packageRoot } from '../../kernel/core/index.ts';
import { bundledPackages, packageNameOf } from './bundled.ts';

/*
 * Bundles the sources and all packages that a run needs into `dist/`. A module that no other imports, such as a
 * command, a thread or a check file, keeps its path; what they share goes into `dist/chunks/`.
 */

/** Sources that are only tested with, or only read. */
const unbuilt =
  /\.test\.ts$|\/testing(-[\w-]+)?\.ts$|\/samples\/|^harness\/lab\/(docs|mutation)\/|\.config\.ts$/;
const importsOf = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.ts)'/g;

const modules = ['harness', 'suites']
  .flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      posix.join(folder, path.replaceAll('\\', '/')),
    ),
  )
  .filter((path) => path.endsWith('.ts') && !unbuilt.test(path));

const { exports: doors } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

const sources = modules.map(
  (path) => [path, readFileSync(join(packageRoot, path), 'utf8')] as const,
);
const imported = new Set(
  sources.flatMap(([path, source]) =>
    [...source.matchAll(importsOf)].map(([, to = '']) => posix.join(posix.dirname(path), to)),
  ),
);
/** Modules that are loaded or started by their path. */
for (const [, source] of sources) {
  for (const [, path] of source.matchAll(/\bcodeFile\(\s*'([^']+)'(?:, '\.js')?\)/g))
    imported.delete(`${path}.ts`);
}
for (const { default: path = '' } of Object.values<{ default?: string }>(doors)) {
  imported.delete(path.replace('./dist/', '').replace(/\.js$/, '.ts'));
}

const entries = modules.filter((path) => !imported.has(path));

/** Modules that are loaded together, by the name of their chunk: each file takes time to find and to open. */
const together: Readonly<Record<string, RegExp>> = {
  core: /^harness\/kernel\/core\//,
  scenarios: /^suites\/(?!.*\.check\.ts$)/,
  reference: /^harness\/reference\//,
  judging: /^harness\/kernel\/(judge|model|protocols)\//,
  engine: /^harness\/kernel\/(engine|drawn|recordings)\//,
  wire: /^harness\/kernel\/wire\//,
  'terminal-text': /^node_modules\/[\w-]*(ansi|width|picocolors)/,
  printed: /^harness\/kernel\/report\/(document\/(terminal|tree)|wrap|basis)\.ts$/,
  pages: /^harness\/kernel\/report\/(html|document|comparison)\//,
  start:
    /^harness\/(features\.ts|kernel\/(redaction|terminal\/(failure|terminal)|cli\/(program|feature|options\/paths-of)))/,
  registered: /^harness\/.*\/feature\.ts$/,
  proof: /^harness\/proof\//,
};

/** Files that the code reads at their own path. */
const data = [
  'harness/kernel/report/document/page.css',
  'harness/proof/faults.txt',
  'harness/proof/variants.txt',
];

/** The chunk of a module, or null where the bundler decides. Each feature and each package has one. */
function chunkOf(id: string): string | null {
  const [, dependency] = id.split('/node_modules/');
  const path = relative(packageRoot, id).replaceAll('\\', '/');
  if (entries.includes(path)) return null;
  const [named] = Object.entries(together).find(([, files]) => files.test(path)) ?? [];
  if (dependency !== undefined) return named ?? packageNameOf(dependency).replace('/', '-');
  return named ?? /^harness\/features\/(\w+)\//.exec(path)?.[1] ?? null;
}

/** The licence of a bundled package, under its name and version. */
function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${folder} has no licence that its bundle could show`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

export default defineConfig({
  cwd: packageRoot,
  platform: 'node',
  // A bundled package brings all that it needs itself.
  external: (id, importer = '') =>
    /^[a-z@]/.test(id) &&
    importer !== '' &&
    !importer.includes('/node_modules/') &&
    !id.startsWith('@oxc-project/') &&
    !bundledPackages.some((name) => name === packageNameOf(id)),
  resolve: { alias: { undici$: join(packageRoot, 'harness/lab/build/undici.mjs') } },
  input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ''), path])),
  // An importer of one name through the index of a room loads the module of that name, and not the room.
  treeshake: {
    moduleSideEffects: [
      { test: /\/harness\/(kernel|features\/|reference|proof)/, sideEffects: false },
    ],
  },
  plugins: [
    {
      name: 'data',
      buildStart() {
        for (const fileName of data) {
          const source = readFileSync(join(packageRoot, fileName), 'utf8');
          this.emitFile({ type: 'asset', fileName, source });
        }
      },
      generateBundle(_options, bundle) {
        for (const [file, output] of Object.entries(bundle)) {
          const isOurs = (id: string): boolean => !id.includes('/node_modules/');
          // Users debug Touchstone, if anything, and not what it is made of.
          if (output.type === 'chunk' && !output.moduleIds.some(isOurs))
            delete bundle[`${file}.map`];
        }
        const folders = new Set(
          [...this.getModuleIds()].flatMap(
            (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [],
          ),
        );
        this.emitFile({
          type: 'asset',
          fileName: 'licences.txt',
          source: [...folders].sort().map(licenceOf).join('\n\n'),
        });
      },
    },
  ],
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.length > 0 && moduleIds.every((id) => id.includes('/harness/lab/'))
        ? 'harness/lab/chunks/[name].js'
        : 'chunks/[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkOf, debugName: 'rooms' }],
    },
    comments: { legal: true, annotation: true, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // Stack traces name the lines of the sources, which lie in a clone.
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
});
