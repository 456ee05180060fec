import { each } from './each.ts';
import { type StreamingProtocol, streamingProtocols } from './protocol.ts';

/** Axis value for a protocol in its stream form. */
export type StreamForm<P extends StreamingProtocol = StreamingProtocol> = `${P}-stream`;

/** Makes one element for each streaming protocol, by the name of its stream form. */
export function eachStream<Made>(
  make: (protocol: StreamingProtocol) => Made,
): Readonly<Record<StreamForm, Made>> {
  const forms = streamingProtocols.map((protocol): StreamForm => `${protocol}-stream`);
  return each(forms, (form) => make(protocolOfForm(form)));
}

/** Returns the protocol of a form, with or without a stream. */
export function protocolOfForm<P extends string>(form: P): WithoutStream<P> {
  // TypeScript resolves no conditional type of a type parameter.
  return form.replace(/-stream$/, '') as WithoutStream<P>;
}

type WithoutStream<Form extends string> = Form extends `${infer P}-stream` ? P : Form;
