import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { adapterVersion } from './adapter-version.ts';

/** A folder in which packages are installed. */
function projectWith(packages: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, version] of Object.entries(packages)) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
    writeFileSync(
      join(folder, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, version }),
    );
  }
  return folder;
}

test('of one package it is its version, whichever adapter uses it', () => {
  const folder = projectWith({ openai: '4.5.6', ai: '1.0.0' });
  expect(adapterVersion('openai', folder)).toBe('4.5.6');
  expect(adapterVersion('openai-stream', folder)).toBe('4.5.6');
});

test('of several it is each with its name', () => {
  const folder = projectWith({ ai: '7.0.0', '@ai-sdk/openai': '3.2.1' });
  expect(adapterVersion('ai-sdk', folder)).toBe('@ai-sdk/openai 3.2.1, ai 7.0.0');
});

test('of none there is none', () => {
  expect(adapterVersion('openai', projectWith({ other: '1.0.0' }))).toBeUndefined();
});
