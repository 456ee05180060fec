import type { Capability, Exchange } from '../core/index.ts';
import type { CallOptions } from './call.ts';
import type { ResponsesClient } from './responses/client.ts';

/** The axis "stored-op": what can be done with a stored response, by the values of the catalogue. */
export type StoredOperationName =
  | 'lookup'
  | 'input-items'
  | 'continue'
  | 'continue-websocket'
  | 'recover'
  | 'cancel'
  | 'delete';

export interface StoredOperation {
  readonly name: StoredOperationName;
  /** Capabilities that the model of the stored response must have. */
  readonly needs: readonly Capability[];
  /** It is served for a response that was made in the background. */
  readonly background: boolean;
  /** True if the response has to be created with `stream: true`, so that its events are kept. */
  readonly streamed: boolean;
  /** The response is not what it was afterwards. */
  readonly changes: boolean;
  /** Asks the model to generate. */
  readonly generates: boolean;
  /** Does it once. The one exchange that comes of it, whatever the transport. */
  perform(client: ResponsesClient, id: string, options?: CallOptions): Promise<Exchange>;
}

const plain = {
  needs: [],
  background: false,
  streamed: false,
  changes: false,
  generates: false,
} as const;

/** The operations by name. */
export const storedOperations: Readonly<Record<StoredOperationName, StoredOperation>> = {
  lookup: {
    ...plain,
    name: 'lookup',
    perform: (client, id, options) => client.lookup(id, options),
  },
  'input-items': {
    ...plain,
    name: 'input-items',
    perform: (client, id, options) => client.inputItems(id, {}, options),
  },
  continue: {
    ...plain,
    name: 'continue',
    generates: true,
    perform: (client, id, options) => client.create({ previous_response_id: id }, options),
  },
  'continue-websocket': {
    ...plain,
    name: 'continue-websocket',
    needs: ['websocket'],
    generates: true,
    async perform(client, id, options) {
      const session = await client.connect(options);
      await client.turn(session, { previous_response_id: id });
      return session.exchange();
    },
  },
  recover: {
    ...plain,
    name: 'recover',
    needs: ['background', 'stream:responses'],
    background: true,
    streamed: true,
    perform: (client, id, options) => client.recover(id, { startingAfter: 0 }, options),
  },
  cancel: {
    ...plain,
    name: 'cancel',
    needs: ['background'],
    background: true,
    changes: true,
    perform: (client, id, options) => client.cancel(id, options),
  },
  delete: {
    ...plain,
    name: 'delete',
    changes: true,
    perform: (client, id, options) => client.delete(id, options),
  },
};
