import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/core/package-root.ts';
import { run } from '../../kernel/engine/run.ts';
import { causeSection, plainLines } from '../../kernel/report/finding.ts';
import { summaryOf } from '../../kernel/report/summary.ts';
import { startSubject } from '../../proof/subject.ts';
import { readPage } from './pages.ts';

/** The fault of the gateway in the README: one that a reader understands at a glance. */
const gateway = { kind: 'fault', id: 'owners.any-user-lookup' } as const;
const id = 'access/owners.other-user-denied:lookup';

const block = /(?<=^```text\n)✗ access[\s\S]*?(?=^```$)/m;

// `npm run docs` runs this with --update, which renews the block.
test('the README shows what a run says of a gateway that gives any user what another has stored', async () => {
  const { target, close } = await startSubject({ id: 'one', gateway, selected: [id] });
  try {
    const result = await run({ target, seed: 1, filters: [id] });
    const [found] = summaryOf(result).broken;
    if (found === undefined) throw new Error(`${id} does not fail any more: show another.`);
    const cause = { root: found, failed: [found], waiting: [] };
    const section = causeSection(cause, result, { short: true });
    const now = `${withoutTheMoment(plainLines(section))}\n`;
    await expect(readPage('README.md').replace(block, () => now)).toMatchFileSnapshot(
      join(packageRoot, 'README.md'),
    );
  } finally {
    await close();
  }
}, 120_000);

/** A finding without addresses and ids of the moment. */
function withoutTheMoment(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'gateway.example')
    .replaceAll(/(?<=resp_)[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');
}
