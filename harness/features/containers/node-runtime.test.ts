import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { librariesOf, nodeRuntime } from './node-runtime.ts';

test('reads what ldd of glibc prints', () => {
  const printed = [
    '\tlinux-vdso.so.1 (0x00007f8be754c000)',
    '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f8be7456000)',
    '\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f8be701e000)',
    '\t/lib64/ld-linux-x86-64.so.2 (0x00007f8be754e000)',
  ].join('\n');
  expect(librariesOf(printed)).toEqual([
    '/lib/x86_64-linux-gnu/libm.so.6',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ]);
});

test('reads what ldd of musl prints, where the loader is the C library', () => {
  const printed = [
    '\t/lib/ld-musl-x86_64.so.1 (0x7f5c9c1d5000)',
    '\tlibstdc++.so.6 => /usr/lib/libstdc++.so.6 (0x7f5c9be00000)',
    '\tlibc.musl-x86_64.so.1 => /lib/ld-musl-x86_64.so.1 (0x7f5c9c1d5000)',
  ].join('\n');
  expect(librariesOf(printed)).toEqual(['/lib/ld-musl-x86_64.so.1', '/usr/lib/libstdc++.so.6']);
});

test('names the library that is missing', () => {
  expect(() => librariesOf('\tlibatomic.so.1 => not found')).toThrow(/libatomic\.so\.1/);
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('finds the files of the running Node', async () => {
    const { binary, libraries } = await nodeRuntime();
    expect(binary).toBe(process.execPath);
    expect([binary, ...libraries].filter((path) => !existsSync(path))).toEqual([]);
  });
});
