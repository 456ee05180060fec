import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../features.ts';
import { commandTable } from '../../kernel/cli/index.ts';
import { buildCatalogue, codeFile, packageRoot, sides } from '../../kernel/core/index.ts';
import { processTerminal } from '../../kernel/terminal/terminal.ts';
import { keepDeclarations } from './types.ts';

// Run by the build, in `dist/`: writes what is the same for every run.

for (const { file, rows } of [buildCatalogue(), await commandTable(processTerminal())]) {
  writeFileSync(file, JSON.stringify(rows));
}
// `npx` in a clone calls it by its path.
chmodSync(codeFile('harness/main', '.js'), 0o755);

/** One module for all checks of a side: `suites/gateway.js`, `suites/client.js` and `suites/both-sides.js`. */
const suites = codeFile('suites', '');
const checks = readdirSync(suites, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.check.js'))
  .sort();
const folders = { client: 'client/', 'both-sides': 'provider/' } as const;
for (const side of sides) {
  const own = checks.filter((path) =>
    side === 'gateway'
      ? !Object.values(folders).some((folder) => path.startsWith(folder))
      : path.startsWith(folders[side]),
  );
  writeFileSync(join(suites, `${side}.js`), own.map((path) => `import './${path}';\n`).join(''));
}

const { exports: doors } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
const types = Object.values<{ types?: string }>(doors).flatMap(
  ({ types }) => types?.replace('./dist/', '') ?? [],
);
keepDeclarations(codeFile('', ''), types);
