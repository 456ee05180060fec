import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecording } from '../../../kernel/recordings/recording.ts';
import { referenceTarget } from '../../../kernel/targets/reference.ts';
import { temporaryFolder } from '../../../testing.ts';
import { actsOf } from '../history.ts';
import { historyIn } from '../history-recorder.ts';
import { exploreAndRecord } from './explore-and-record.ts';

const folder = temporaryFolder();

test('the same seed draws the same again, with other ids: a ledger has the requests of both', async () => {
  const { target, close } = await referenceTarget();
  const bounds = { generations: 1, requests: 20, minutes: 1 };
  const { signal } = new AbortController();
  const drawn: string[] = [];
  const ids: string[] = [];
  for (const name of ['once', 'again']) {
    const file = join(folder, name);
    await exploreAndRecord({ target, seed: 3, signal }, bounds, file);
    for (const part of openRecording(file).parts) {
      const history = part.kind === 'line' ? historyIn(part.text) : null;
      if (history !== null) drawn.push(JSON.stringify(actsOf(history)));
      if (part.kind !== 'exchange') continue;
      ids.push(
        ...part.exchange.request.headers.flatMap(([header, value]) =>
          header.toLowerCase() === 'x-client-request-id' ? [value] : [],
        ),
      );
    }
  }
  await close();
  expect(new Set(drawn).size).toBe(drawn.length / 2);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
});
