import {
  type ClientScenario,
  type ClientSession,
  clientScenario,
} from '../../harness/features/sessions/index.ts';

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
