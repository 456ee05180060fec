import {
  type ClientScenario,
  type ClientSession,
  clientScenario,
  type Script,
} from '../../harness/features/sessions/index.ts';

type Answer = NonNullable<Script['answer']>;

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

/** Starts the client for one generation, with the scripted answer. */
export function met(
  name: string,
  answer: Answer,
  { stream = false } = {},
): ClientScenario<ClientSession> {
  return clientScenario(`client/${name}`, stream ? { streams: true } : {}, (client) =>
    client.start({ stream, script: { answer } }),
  );
}

/** Answers that leave a client uncertain if its request was executed. */
export const uncertain = {
  reset: met('reset', { kind: 'reset' }),
  'no-answer': met('no-answer', { kind: 'no-answer' }),
  'cut-body': met('cut-body', { kind: 'cut-body' }),
  'cut-stream': met('cut-stream', { kind: 'cut-stream', events: 4 }, { stream: true }),
  stall: met('stall', { kind: 'stall', events: 4 }, { stream: true }),
  'ends-early': met('ends-early', { kind: 'ends-early', events: 6 }, { stream: true }),
} as const satisfies Record<string, ClientScenario<ClientSession>>;

/** Streams that tell of a failure, in each way that the protocol has. */
export const errorInStream = clientScenario(
  'client/error-in-stream',
  { streams: true, starts: 2 },
  (client) => {
    const error = { kind: 'error-in-stream', events: 6 } as const;
    const failed = { kind: 'failed-in-stream', events: 6 } as const;
    const answers = client.protocol === 'responses' ? [error, failed] : [error];
    return Promise.all(answers.map((answer) => client.start({ stream: true, script: { answer } })));
  },
);

/** Answers every request with the same status. */
const always = (status: number): Answer => ({ kind: 'status', status, always: true });

const statuses = {
  '400': always(400),
  '401': always(401),
  '404': always(404),
  '429': always(429),
  '500': always(500),
  page: { kind: 'status', status: 502, html: true, always: true },
} as const satisfies Record<string, Answer>;

type Status = keyof typeof statuses;

/** A start for each status that is the answer to everything. */
export const errors = clientScenario(
  'client/errors',
  { starts: Object.keys(statuses).length },
  (client) =>
    Promise.all(Object.values(statuses).map((answer) => client.start({ script: { answer } }))),
);

/** Returns the start that was answered with a status. */
export function answeredWith(sessions: readonly ClientSession[], name: Status): ClientSession {
  const session = sessions[Object.keys(statuses).indexOf(name)];
  if (session === undefined) throw new Error(`No start was answered with ${name}`);
  return session;
}
