import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { renewedActionFile } from './action-file.ts';

const path = join(packageRoot, 'action.yml');

// `npm run docs` runs this with --update, which writes the file.
test('the inputs of the action are the options of the command: `npm run docs` renews them', async () => {
  await expect(renewedActionFile(readFileSync(path, 'utf8'))).toMatchFileSnapshot(path);
});
