import { readFileSync } from 'node:fs';

/**
 * For tests: the first code block of a file's doc comments, as a reader would copy it.
 *
 * @throws {Error} when there is none
 */
export function exampleIn(file: string): string {
  const block = /```ts\n([\s\S]*?)```/.exec(readFileSync(file, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`${file} has no code block`);
  return block.replaceAll(/^ \* ?/gm, '');
}
