import {
  type ClientScenario,
  type ClientSession,
  type ClientStart,
  clientScenario,
} from '../../harness/features/sessions/index.ts';
import { idMadeIn } from './judged.ts';

/** Every start of a client that takes tasks, when none is left. */
export const everyTask = clientScenario(
  'client/every-task',
  { starts: 0, last: true, tasks: true },
  (client) => client.started(),
);

/** Starts the client once for a task. */
function once(name: string, start: Omit<ClientStart, 'protocol'>): ClientScenario<ClientSession> {
  return clientScenario(`client/${name}`, { protocols: ['responses'], tasks: true }, (client) =>
    client.start(start),
  );
}

export const background = once('background', { task: 'background' });

const running = { state: 'in_progress' } as const;

/** Runs in the background, by the answers to their polls. */
export const polled = {
  pace: polledFor('pace', [...Array(8).fill(running), { state: 'completed' }]),
  'retry-after': polledFor('retry-after', [
    { kind: 'status', status: 503, retryAfter: '2' },
    { state: 'completed' },
  ]),
  failed: polledFor('failed', [running, { state: 'failed' }]),
  cancelled: polledFor('cancelled', [running, { state: 'cancelled' }]),
  incomplete: polledFor('incomplete', [running, { state: 'incomplete' }]),
} as const;

type Lookups = NonNullable<NonNullable<ClientStart['script']>['lookups']>;

function polledFor(name: string, lookups: Lookups): ClientScenario<ClientSession> {
  return once(`background-${name}`, { task: 'background', script: { lookups } });
}

/** Cut in the middle of the text. */
const cut = { kind: 'cut-stream', events: 7 } as const;

const recovery = { task: 'recover', stream: true } as const;

export const recovered = once('recovered', { ...recovery, script: { answer: cut } });
export const refused = once('recovery-refused', {
  ...recovery,
  script: { answer: cut, recovery: { kind: 'status', status: 404, always: true } },
});
export const cutAgain = once('recovery-cut', {
  ...recovery,
  script: { answer: cut, recovery: { kind: 'cut-stream', events: 2 } },
});

/** Operations on a response of another region than the client's. */
export const madeElsewhere: ClientScenario<readonly ClientSession[]> = clientScenario(
  'client/made-elsewhere',
  { protocols: ['responses'], tasks: true, starts: 3 },
  async ({ start }) => {
    const stored = await start({ task: 'store', at: 1 });
    const id = idMadeIn([stored]);
    if (id === null) return [stored];
    const tasks = ['lookup', 'continue'] as const;
    return [stored, ...(await Promise.all(tasks.map((task) => start({ task, id, madeAt: 1 }))))];
  },
);

/** Operations on a response whose id has every class of characters that a path encodes. It shows as running where it is to be cancelled. */
export const oddId: ClientScenario<readonly ClientSession[]> = clientScenario(
  'client/odd-id',
  { protocols: ['responses'], tasks: true, starts: 6 },
  async (client) => {
    const sessions = [await client.start({ task: 'store', script: { odd: true } })];
    const id = idMadeIn(sessions);
    if (id === null) return sessions;
    for (const task of ['lookup', 'input-items', 'continue', 'cancel', 'delete'] as const) {
      const script = { lookups: [running, { state: 'cancelled' }] };
      sessions.push(await client.start({ task, id, ...(task === 'cancel' ? { script } : {}) }));
    }
    return sessions;
  },
);

/** All starts of the client, when none is left. */
export const everyStart = clientScenario(
  'client/every-start',
  { starts: 0, last: true },
  (client) => client.started(),
);

/** A count for a model whose id has to be encoded in a path. */
export const counted = clientScenario(
  'client/counted',
  { protocols: ['responses', 'messages', 'generative'], tasks: true },
  async (client) => [await client.start({ task: 'count', script: { odd: true } })],
);

/** A list of the models. */
export const listed: ClientScenario<readonly [ClientSession]> = clientScenario(
  'client/listed',
  { tasks: true },
  async (client) => [await client.start({ task: 'list' })],
);
