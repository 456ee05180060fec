import {
  type CallOptions,
  type Exchange,
  each,
  type Fields,
  fieldsAt,
  type Io,
  protocolModules,
  type StreamingProtocol,
  streamingProtocols,
} from '../../../harness/index.ts';

/** A generation over one protocol, in one body or as a stream. */
interface Generation {
  create(io: Io, body: Fields, as?: CallOptions): Promise<Exchange>;
  stream(io: Io, body: Fields, as?: CallOptions): Promise<Exchange>;
  /** Returns body members with one user turn and an output limit. */
  asking(input: string, limit: number): Fields;
}

/** Returns body members that request storage, if the protocol stores responses. */
export function storing(protocol: StreamingProtocol): Fields {
  return protocol === 'responses' ? { store: true } : {};
}

export const generation: Readonly<Record<StreamingProtocol, Generation>> = each(
  streamingProtocols,
  (protocol): Generation => {
    const { text, textValue, outputLimit } = protocolModules[protocol].request;
    return {
      create: (io, body, as) => io.generate(protocol, body, as),
      stream: (io, body, as) => io.generateStream(protocol, body, as),
      asking: (input, limit) => ({ [text]: textValue(input), ...fieldsAt(outputLimit, limit) }),
    };
  },
);
