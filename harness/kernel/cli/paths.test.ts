import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { forgetPaths, usePath } from '../redaction/used-paths.ts';
import { memoryTerminal } from '../terminal/testing-terminal.ts';
import { isOfFiles } from './options/paths-of.ts';
import { commandLine } from './program.ts';
import { call, inProcess } from './testing.ts';

const folder = realpathSync(temporaryFolder());
const at = (name: string): string => join(folder, name);
writeFileSync(at('there.json'), '{}');
mkdirSync(at('reports'));
linkSync(at('there.json'), at('hard.json'));
symlinkSync(at('later.json'), at('dangling.json'));
// REPORTS stands for a file system that takes other letters for the same.
for (const name of ['link', 'REPORTS']) symlinkSync(at('reports'), at(name));

/** Two names, of which a command may write at most one. */
const clashes: readonly (readonly [string, string])[] = [
  [at('new.json'), at('new.json')],
  [at('new.json'), relative(process.cwd(), at('reports/../new.json'))],
  [at('new.json'), `${folder}//./new.json`],
  [at('reports/new.json'), at('link/new.json')],
  [at('later.json'), at('dangling.json')],
  [at('there.json'), at('hard.json')],
  [at('reports/new.json'), at('reports/NEW.json')],
  [at('new.json'), at('new.json/within')],
  ['/dev/stdout', '/dev/stdout'],
  ['/dev/fd/1', '/proc/self/fd/1'],
];

const everything = (): string =>
  readdirSync(folder, { recursive: true }).sort().join() + readFileSync(at('there.json'));

const reads =
  '--har --key --known-failures --policy --public-key --recordings --rerun-failed --target --with';
const { commands } = await commandLine(memoryTerminal(), () => {});
const writing = commands.flatMap((command) => {
  const options = command.options.flatMap(({ flags, long }) =>
    isOfFiles(flags) ? (long ?? '') : [],
  );
  const outputs = options.filter((long) => !reads.split(' ').includes(long));
  const words = command.registeredArguments.map((one) => (isOfFiles(one.name()) ? null : 'x'));
  return outputs.length === 0 ? [] : [{ name: command.name(), options, outputs, words }];
});

test.each(writing)('$name writes no file twice, and none that it reads', async (one) => {
  const { name, options, outputs, words } = one;
  const before = everything();
  const lines = outputs.flatMap((output) => {
    const others = options.filter((other) => other !== output);
    const named = (path: string) => words.map((word) => word ?? path);
    return clashes.flatMap(([path, same], index) => [
      ...others.slice(0, index === 0 ? others.length : 1).map((other) => {
        return [name, ...named(at('no')), output, path, other, same];
      }),
      ...(words.includes(null) && !same.endsWith('within')
        ? [[name, ...named(path), output, same]]
        : []),
    ]);
  });
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const { code, out, err } = await inProcess([
      ...line,
      ...(name === 'certify' ? ['--out', at('o')] : []),
    ]);
    expect(err, line.join(' ')).toMatch(/are the same file|lies within|It is given twice/);
    expect([code, out]).toEqual([3, '']);
  }
  expect(everything()).toBe(before);
});

test('what is read shows late, too: the usual target file, a certificate that it names', async () => {
  const home = at('reports');
  writeFileSync(join(home, 'touchstone.yaml'), 'keys: none\n');
  const usual = await inProcess(['run', '--json', join(home, 'touchstone.yaml')], {}, home);
  expect([usual.code, usual.err]).toEqual([3, expect.stringContaining('are the same file')]);
  const tls = `singleRegion: true\nregions: [{ name: eu, baseUrl: https://a.example }]\nkeys: none\nmodels: [{ id: m, protocols: [responses] }]\ntls: { ca: ../there.json }\n`;
  writeFileSync(join(home, 'tls.yaml'), tls);
  const named = ['run', '--target', join(home, 'tls.yaml'), '--json', at('hard.json')];
  expect((await inProcess(named)).err).toContain('../there.json of the target file');
  const client = ['client', '--json', at('there.json'), '--', 'node', at('hard.json')];
  expect((await inProcess(client)).err).toContain('are the same file');
  expect(readFileSync(at('there.json'), 'utf8')).toBe('{}');
});

test('what is apart may be used: another file, the null device, a page among reports', () => {
  forgetPaths();
  usePath('read', at('reports'), 'reports');
  writeFileSync(at('reports/page.html'), '');
  for (const name of ['a.json', 'b.json', 'reports/page.html', 'reports/a.json', 'A.json']) {
    expect(usePath('written', at(name), name)).toBeNull();
  }
  for (const name of ['one', 'two']) expect(usePath('written', '/dev/null', name)).toBeNull();
  writeFileSync(at('reports/kept.json'), '');
  expect(usePath('written', at('reports/kept.json'), 'c')).toContain('which is read');
  writeFileSync(at('reports/attestation.json'), '');
  expect(usePath('written', at('reports/d.html'), 'd')).toContain('a file outside of it');
  forgetPaths();
});

test('what is written is for its owner alone; a file that is there keeps its mode', async () => {
  const named = ['badge', 'ctrf', 'html', 'json', 'junit', 'markdown', 'record'];
  const home = at('modes');
  mkdirSync(home);
  const file = (name: string): string => join(home, `${name}.json`);
  writeFileSync(file('json'), '', { mode: 0o644 });
  writeFileSync(file('record'), '', { mode: 0o640 });
  const files = named.map((name) => `--${name} ${file(name)}`).join(' ');
  await call(`run generation/limits.limit-omitted --reference embedded ${files}`);
  await call(`recheck ${file('record')} --html ${file('again')}`);
  const modes = readdirSync(home).map((name) => [name, statSync(join(home, name)).mode & 0o777]);
  const own = [...named, 'again'].map((name) => [`${name}.json`, 0o600]);
  const kept = { 'json.json': 0o644, 'record.json': 0o640 };
  expect(Object.fromEntries(modes)).toEqual({ ...Object.fromEntries(own), ...kept });
  expect(readFileSync(file('html'), 'utf8')).toContain(' id="exchange-0">');
});
