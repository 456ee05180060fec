import { setTimeout as sleep } from 'node:timers/promises';
import type { Defect } from '../../reference/index.ts';
import { decide } from '../decisions.ts';
import { handlingAll, seam, together } from '../planting.ts';
import { finishedRefused } from './behaviour.ts';
import { planted } from './planted.ts';
import type { Variant } from './variant.ts';

// Gateways on which a run cannot be observed in progress, or only by chance.

/** Delays each request, as a distant gateway does. */
const faraway: Defect['override'] = handlingAll((handle) => async (call, key) => {
  await sleep(60);
  return handle(call, key);
});

/** Simulates a connection on which a long stream takes its time. */
const slowLine: Defect['override'] = seam(
  'transport',
  'stream',
  (native) => (out, head, pieces, context) => native(out, head, slowly(pieces), context),
);

async function* slowly(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let count = 0;
  for await (const piece of pieces) {
    if (count++ > 40) await sleep(2);
    yield piece;
  }
}

export const paceVariants: readonly Variant[] = planted({
  'pace.within-a-round-trip': together(
    faraway,
    decide('pace', () => (usual) => (usual === 'at-once' ? usual : 'soon')),
    finishedRefused,
  ),
  'pace.backlog': together(
    decide('pace', () => (usual) => (usual === 'at-once' ? usual : 'soon')),
    slowLine,
  ),
  'pace.background-at-once': together(
    decide('pace', () => () => 'at-once'),
    finishedRefused,
  ),
});
