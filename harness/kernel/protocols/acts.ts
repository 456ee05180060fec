import { type Capability, type Exchange, over } from '../core/index.ts';
import {
  type CreationMode,
  type Operation,
  type RequestMode,
  requestModes,
} from '../model/index.ts';
import type { CallOptions } from './call.ts';
import type { Fields } from './defaults.ts';
import type { ResponsesClient, Turn } from './responses/client.ts';
import { tools } from './responses/tools.ts';

interface CreationRequest {
  readonly needs: readonly Capability[];
  /** @param next body of a second turn on the same connection, if any */
  send(
    client: ResponsesClient,
    body: Fields,
    as?: CallOptions,
    next?: (first: Turn) => Fields | null,
  ): Promise<Exchange>;
}

const streaming = [over('stream', 'responses')] as const;

/** The request of each creation mode. The body of a continuation names the previous response. */
export const creations: { readonly [Mode in CreationMode]: CreationRequest } = {
  'one-body': { needs: [], send: (client, body, as) => client.create(body, as) },
  stream: { needs: streaming, send: (client, body, as) => client.stream(body, as) },
  background: {
    needs: ['background'],
    send: (client, body, as) => client.create({ ...body, background: true }, as),
  },
  'background-stream': {
    needs: ['background', ...streaming],
    send: (client, body, as) => client.stream({ ...body, background: true }, as),
  },
  websocket: {
    needs: ['websocket'],
    async send(client, body, as, next = () => null) {
      const session = await client.connect(as);
      const second = next(await client.turn(session, body));
      if (second !== null) await client.turn(session, second);
      return session.exchange();
    },
  },
  continuation: { needs: [], send: (client, body, as) => client.create(body, as) },
};

/** Client of the sender, and its random questions. Every scenario provides both. */
interface Sender {
  readonly responses: ResponsesClient;
  callQuestion(): string;
}

/** The response that an act targets, and further content of its request. */
interface ActedOn {
  /** Null if a call that takes the id in its body sends none. */
  readonly id: string | null;
  /** Id of an output item, for an act that refers to one. */
  readonly item?: string | null;
  /** Model that the request names. Default: that of the client. */
  readonly model?: string;
  /** Model of the valid turn that precedes a later one. */
  readonly goodModel?: string;
  readonly input?: string;
  readonly after?: string;
}

interface ActRequest {
  readonly needs: readonly Capability[];
  readonly generates: boolean;
  /** True if the act only refers to the response and has its own input. */
  readonly isIndirect: boolean;
  send(sender: Sender, on: ActedOn, as?: CallOptions): Promise<Exchange>;
}

function byPath(
  send: (client: ResponsesClient, id: string, as?: CallOptions) => Promise<Exchange>,
  needs: readonly Capability[] = [],
): ActRequest {
  return {
    ...{ needs, generates: false, isIndirect: false },
    send: ({ responses }, { id }, as) => send(responses, id ?? '', as),
  };
}

function continuation(needs: readonly Capability[], send: ActRequest['send']): ActRequest {
  return { needs, generates: true, isIndirect: false, send };
}

/** A continuation creates a response, in any creation mode. */
function continuationIn(mode: CreationMode, more: Fields = {}): ActRequest {
  const { needs, send } = creations[mode];
  return continuation(needs, ({ responses }, on, as) =>
    send(responses, { ...naming(on), ...more }, as),
  );
}

function indirect(
  needs: readonly Capability[],
  send: ActRequest['send'],
  generates = true,
): ActRequest {
  return { needs, generates, isIndirect: true, send };
}

function ofModel({ model }: ActedOn): Fields {
  return model === undefined ? {} : { model };
}

function naming(on: ActedOn): Fields {
  return { ...ofModel(on), ...(on.id === null ? {} : { previous_response_id: on.id }) };
}

/** The request of each operation in each of its request modes. */
const acts: {
  readonly [Name in Operation]: {
    readonly [Form in (typeof requestModes)[Name][number]]: ActRequest;
  };
} = {
  lookup: {
    path: byPath((client, id, as) => client.lookup(id, as)),
    include: byPath((client, id, as) =>
      client.lookup(id, as, { 'include[]': 'message.output_text.logprobs' }),
    ),
    unstreamed: byPath((client, id, as) => client.lookup(id, as, { stream: 'false' })),
  },
  'input-items': {
    path: byPath((client, id, as) => client.inputItems(id, {}, as)),
    page: {
      ...{ needs: [], generates: false, isIndirect: false },
      send: ({ responses }, { id, after }, as) =>
        responses.inputItems(id ?? '', { limit: '1', order: 'asc', ...(after && { after }) }, as),
    },
  },
  recover: {
    after: byPath((client, id, as) => client.recover(id, { startingAfter: 0 }, as), streaming),
    whole: byPath((client, id, as) => client.recover(id, {}, as), streaming),
  },
  continue: {
    body: continuationIn('continuation'),
    stream: continuationIn('stream'),
    background: continuationIn('background', { store: true }),
    tool: continuation(['tools'], ({ responses, callQuestion }, on, as) =>
      responses.create({ ...tools.forcedCall(undefined, callQuestion()), ...naming(on) }, as),
    ),
  },
  'continue-websocket': {
    'first-turn': continuationIn('websocket'),
    'later-turn': continuation(creations.websocket.needs, ({ responses }, on, as) => {
      const good = on.goodModel === undefined ? {} : { model: on.goodModel };
      const next = ({ ended }: Turn) => (ended === null ? null : naming(on));
      return creations.websocket.send(responses, good, as, next);
    }),
  },
  cancel: { path: byPath((client, id, as) => client.cancel(id, as)) },
  delete: { path: byPath((client, id, as) => client.delete(id, as)) },
  compact: {
    body: indirect(['compact'], ({ responses }, on, as) =>
      responses.compact({ input: on.input, ...naming(on) }, as),
    ),
  },
  'input-tokens': {
    body: indirect(
      ['input_tokens'],
      ({ responses }, on, as) => responses.inputTokens({ input: on.input, ...naming(on) }, as),
      false,
    ),
  },
  'item-reference': {
    body: indirect([], ({ responses }, on, as) => {
      const message = { role: 'user', content: on.input };
      const reference = on.item == null ? [] : [{ type: 'item_reference', id: on.item }];
      return responses.create({ ...ofModel(on), input: [...reference, message] }, as);
    }),
  },
};

/** @param requestMode defaults to the operation's plain form */
export function actRequest({
  operation,
  requestMode = requestModes[operation][0],
}: {
  readonly operation: Operation;
  readonly requestMode?: RequestMode;
}): ActRequest {
  const forms: Readonly<Partial<Record<RequestMode, ActRequest>>> = acts[operation];
  const found = forms[requestMode];
  if (found === undefined) throw new Error(`${operation} has no form ${requestMode}`);
  return found;
}
