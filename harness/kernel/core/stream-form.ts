import { each } from './each.ts';
import { type StreamingProtocol, streamingProtocols } from './protocol.ts';

/** Value of an axis for a protocol that is asked for a stream. */
export type StreamForm<P extends StreamingProtocol = StreamingProtocol> = `${P}-stream`;

/** One thing for each protocol that streams, under the name of its stream. */
export function eachStream<Made>(
  make: (protocol: StreamingProtocol) => Made,
): Readonly<Record<StreamForm, Made>> {
  const forms = streamingProtocols.map((protocol): StreamForm => `${protocol}-stream`);
  return each(forms, (form) => make(protocolOfForm(form)));
}

/** The protocol of what is asked for in one body or as a stream. */
export function protocolOfForm<P extends string>(form: P): WithoutStream<P> {
  // A conditional type of a parameter is resolved for no value.
  return form.replace(/-stream$/, '') as WithoutStream<P>;
}

type WithoutStream<Form extends string> = Form extends `${infer P}-stream` ? P : Form;
