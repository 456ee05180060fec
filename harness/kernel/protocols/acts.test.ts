import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { packageRoot } from '../core/package-root.ts';

const rooms = join(import.meta.dirname, '..');

/** A copy of what the table of requests rests on, for the compiler. */

const copy = temporaryFolder();
for (const room of ['core', 'model', 'redaction', 'wire', 'protocols']) {
  cpSync(join(rooms, room), join(copy, room), { recursive: true });
}
cpSync(join(packageRoot, 'package.json'), join(copy, 'package.json'));
symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));
const only = {
  extends: join(packageRoot, 'tsconfig.json'),
  include: [],
  files: ['protocols/acts.ts'],
};
writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(only));

/** Compiles the copy with a change to the model, and returns the lines of errors. */
async function errorsWith(change: (model: string) => string): Promise<readonly string[]> {
  const model = readFileSync(join(rooms, 'model', 'access.ts'), 'utf8');
  writeFileSync(join(copy, 'model', 'access.ts'), change(model));
  const compiler = join(packageRoot, 'node_modules', '.bin', 'tsc');
  const { stdout } = await promisify(execFile)(compiler, ['--noEmit', '-p', copy], {
    cwd: copy,
  }).catch((error: { readonly stdout: string }) => error);
  return stdout.split('\n').filter((line) => line.includes(': error '));
}

test('the model compiles as it stands', async () => {
  expect(await errorsWith((model) => model)).toEqual([]);
});

test.each([
  { what: 'a form of an operation', from: "lookup: ['path',", to: "lookup: ['planted', 'path'," },
  {
    what: 'an operation',
    from: "  'delete',\n] as const;",
    to: "  'delete',\n  'planted',\n] as const;",
    and: { from: "  delete: ['path'],", to: "  delete: ['path'],\n  planted: ['path']," },
  },
  { what: 'a creation mode', from: "  'continuation',\n", to: "  'continuation',\n  'planted',\n" },
])('$what that nobody can send does not compile', async ({ from, to, and }) => {
  const errors = await errorsWith((model) => {
    expect(model).toContain(from);
    const changed = model.replace(from, to);
    return and === undefined ? changed : changed.replace(and.from, and.to);
  });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(/^protocols\/acts\.ts.*'?planted'? is missing/);
});
