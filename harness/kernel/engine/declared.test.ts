import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { type Sources, sourcesOf } from '../../testing.ts';
import { packageRoot } from '../core/package-root.ts';
import { suiteChecks } from './registry.ts';

const engine = relative(packageRoot, import.meta.dirname);
const declaring = ['check', 'everywhere'];
const sending = ['executor', 'capture', 'create-io', 'live-run', 'sent', 'schedule/lanes'];

/** Files of the engine that a file imports for more than types, directly or through others. */
function reachedFrom(path: string, sources: Sources, reached = new Set<string>()): Set<string> {
  for (const [, what = '', to = ''] of (sources.get(path) ?? '').matchAll(
    /^(?:import|export) ([^;]*?) from '(\.[^']+)';/gm,
  )) {
    const file = join(dirname(path), to);
    if (what.startsWith('type ') || !file.startsWith(engine) || reached.has(file)) continue;
    reached.add(file);
    reachedFrom(file, sources, reached);
  }
  return reached;
}

const pathOf = (name: string): string => `${engine}/${name}.ts`;

test.each(declaring)('%s.ts imports nothing that sends', (name) => {
  const reached = reachedFrom(pathOf(name), sourcesOf('harness'));
  expect(sending.filter((one) => reached.has(pathOf(one)))).toEqual([]);
});

test('a file that sends is noticed behind another, and a type of its own is not', () => {
  const sources = new Map([
    [pathOf('check'), "import { a } from './a.ts';\n"],
    [pathOf('a'), "import {\n  b,\n} from './capture.ts';\nimport type { C } from './sent.ts';\n"],
  ]);
  expect([...reachedFrom(pathOf('check'), sources)]).toEqual([pathOf('a'), pathOf('capture')]);
});

test.each(['gateway', 'client'] as const)('each check of a %s is data', async (side) => {
  for (const { definition, on, besides, ...check } of await suiteChecks(side)) {
    const { everywhere = {}, ...members } = check;
    const functions = Object.entries({ ...everywhere, ...members }).flatMap(([name, value]) =>
      typeof value === 'function' ? name : [],
    );
    expect(functions.filter((name) => name !== 'judge' && name !== 'which')).toEqual([]);
  }
});
