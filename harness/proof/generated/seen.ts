import type { CreationMode, RequestMode, ResponseState } from '../../kernel/model/index.ts';
import { type Call, type Defect, isArray, type StoredResponse } from '../../reference/index.ts';
import { together } from '../planting.ts';

/** Mode of a request that names no stored response, as a gateway sees it. */
export type Mode = 'plain' | 'stream' | 'background' | 'count' | 'later-turn';

export interface Seen {
  /** Returns the creation mode of a response; null if no creating request made it. */
  creationOf(id: string): CreationMode | null;
  modeOf(call: Call): Mode;
  storedModeOf(call: Call): RequestMode;
}

/** Returns an override that depends on earlier requests to the gateway. */
export function seeing(override: (seen: Seen) => Defect['override']): Defect['override'] {
  return (seams) => {
    const made = new Map<string, CreationMode>();
    /** Body of the first answered message, by the headers of its connection. */
    const answered = new WeakMap<object, object>();
    const watching: Defect['override'] = ({ encode, transport }) => ({
      encode: {
        id: (prefix, call) => {
          const id = encode.id(prefix, call);
          if (prefix === 'resp_') made.set(id, creationBy(call));
          return id;
        },
      },
      transport: {
        frame: (socket, text, context) => {
          const { headers, body } = context.call;
          if (!answered.has(headers)) answered.set(headers, body);
          return transport.frame(socket, text, context);
        },
      },
    });
    const isLater = ({ operation, headers, body }: Call): boolean => {
      const first = operation === 'responses.websocket' ? answered.get(headers) : undefined;
      return first !== undefined && first !== body;
    };
    const seen: Seen = {
      creationOf: (id) => made.get(id) ?? null,
      modeOf: (call) => (isLater(call) ? 'later-turn' : modeOf(call)),
      storedModeOf: (call) => (isLater(call) ? 'later-turn' : storedModeOf(call)),
    };
    return together(watching, override(seen))(seams);
  };
}

export function creationBy({ operation, body }: Call): CreationMode {
  if (operation === 'responses.websocket') return 'websocket';
  if (typeof body.previous_response_id === 'string') return 'continuation';
  if (body.background === true) return body.stream === true ? 'background-stream' : 'background';
  return body.stream === true ? 'stream' : 'one-body';
}

function modeOf({ operation, body, path }: Call): Mode {
  if (operation === 'generative.stream') return 'stream';
  if (operation === 'generative.count-tokens' && path.startsWith('/v1/')) return 'count';
  if (operation.startsWith('generative.') || operation === 'responses.websocket') return 'plain';
  if (body.background === true) return 'background';
  return body.stream === true ? 'stream' : 'plain';
}

/** Returns the mode of an operation, except a later turn, which only the connection knows. */
function storedModeOf({ operation, body, query }: Call): RequestMode {
  switch (operation) {
    case 'responses.lookup':
      return query.has('stream') ? 'unstreamed' : query.size > 0 ? 'include' : 'path';
    case 'responses.input-items':
      return query.size > 0 ? 'page' : 'path';
    case 'responses.recover':
      return query.has('starting_after') ? 'after' : 'whole';
    case 'responses.websocket':
      return 'first-turn';
    case 'responses.create':
      if (body.background === true) return 'background';
      if (body.stream === true) return 'stream';
      return isArray(body.tools) && body.tools.length > 0 ? 'tool' : 'body';
    case 'responses.compact':
    case 'responses.input-tokens':
      return 'body';
    default:
      return 'path';
  }
}

const day = 24 * 60 * 60 * 1000;

/** Returns the state of a response; the most final state takes precedence. */
export function stateOf(record: StoredResponse, { gateway }: Call): ResponseState {
  if (record.deleted) return 'deleted';
  if (gateway.now() - record.retainedFrom >= gateway.retentionDays * day) return 'expired';
  if (record.turn?.status === 'cancelled') return 'cancelled';
  return record.turn?.finished === false ? 'running' : 'finished';
}
