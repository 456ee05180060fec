import type { Call } from '../../reference/call.ts';
import type { Defect } from '../../reference/seams.ts';
import type { Access } from '../../reference/store.ts';
import { relax, tighten } from '../decisions.ts';
import { madeBy } from './creation-modes.ts';
import type { Fault } from './fault.ts';

// How long stored content is kept: too short, or for ever.

const day = 24 * 60 * 60 * 1000;

/** What fits is kept for so many days. */
function keptFor(days: number, fits: (access: Access) => boolean): Defect['override'] {
  return tighten('isWithinRetention', (access) => fits(access) && !isYoungerThan(days, access));
}

function isYoungerThan(days: number, { call, record }: Access): boolean {
  return call.gateway.now() - record.retainedFrom < days * day;
}

const ways: Readonly<Record<string, (created: Call) => boolean>> = {
  stream: ({ body }) => body.stream === true && body.background !== true,
  background: ({ body }) => body.background === true,
  websocket: ({ operation }) => operation === 'responses.websocket',
};

/** Operations and calls that reach a response after its retention, and what that breaks. */
const forEver = [
  ...(['lookup', 'input-items', 'continue', 'continue-websocket', 'recover'] as const).map(
    (operation) => [operation, `storage/responses.gone-after-retention:${operation}`] as const,
  ),
  ...(['compact', 'input-tokens'] as const).map(
    (door) => [door, `storage/responses.expired-indirect-access-denied:${door}`] as const,
  ),
];

export const retentionFaults: readonly Fault[] = [
  {
    id: 'store.kept-a-week',
    what: 'A stored response is kept for seven days.',
    breaks: ['storage/responses.kept-30-days', 'storage/responses.kept-by-creation-mode'],
    override: keptFor(7, () => true),
  },
  {
    id: 'store.kept-four-weeks',
    what: 'A stored response is kept for 28 days: a short month.',
    breaks: ['storage/responses.kept-30-days', 'storage/responses.kept-by-creation-mode'],
    override: keptFor(28, () => true),
  },
  ...(['input-items', 'continue'] as const).map(
    (operation): Fault => ({
      id: `store.kept-a-week-for-${operation}`,
      what: `After seven days the operation ${operation} no longer reaches a stored response.`,
      breaks: ['storage/responses.kept-30-days'],
      override: keptFor(7, (access) => access.operation === operation),
    }),
  ),
  ...Object.entries(ways).map(
    ([way, fits]): Fault => ({
      id: `store.kept-a-week-made-by-${way}`,
      what: `A stored response that was made by ${way} is kept for seven days.`,
      breaks: [`storage/responses.kept-by-creation-mode:${way}`],
      override: madeBy(fits, (isOne) => keptFor(7, ({ record }) => isOne(record))),
    }),
  ),
  ...forEver.map(
    ([operation, row]): Fault => ({
      id: `store.kept-for-ever-${operation}`,
      what: `The operation ${operation} reaches a stored response after its retention has ended.`,
      breaks: [row],
      override: relax('isWithinRetention', (access) => access.operation === operation),
    }),
  ),
];
