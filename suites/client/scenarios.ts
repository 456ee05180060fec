import {
  type ClientScenario,
  type ClientSession,
  clientScenario,
  type Script,
} from '../../harness/features/sessions/index.ts';
import { streamingProtocols } from '../../harness/index.ts';

/** Serves everything in one JSON body. */
export const whole = clientScenario('client/whole', {}, (client) => client.start());

/** Serves everything as a stream. */
export const streamed = clientScenario(
  'client/streamed',
  { protocols: streamingProtocols },
  (client) => client.start({ stream: true }),
);

/** Starts the client for one generation, with the scripted answer. */
export function met(
  name: string,
  answer: NonNullable<Script['answer']>,
  { stream = false } = {},
): ClientScenario<ClientSession> {
  return clientScenario(
    `client/${name}`,
    stream ? { protocols: streamingProtocols } : {},
    (client) => client.start({ stream, script: { answer } }),
  );
}
