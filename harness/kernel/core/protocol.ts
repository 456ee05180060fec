import { each } from './each.ts';

/**
 * The five protocols of the interface, by the names that suites, ids and reports use. Vocabulary only:
 * `harness/kernel/protocols/<name>/` defines their wire formats.
 */
export const protocols = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
  'systemone',
] as const;

export type Protocol = (typeof protocols)[number];

/**
 * Rules that an exchange is judged by: those of a protocol, those of the model list of the `/v1` family, which
 * belongs to no protocol, or those of an operator's probe.
 */
export const exchangeProtocols = [...protocols, 'models', 'probe'] as const;

export type ExchangeProtocol = (typeof exchangeProtocols)[number];

/**
 * Identifiers by which models declare protocols, in the target file and in the specification ("Platform model").
 * The specification names the first three. `chat` and `systemone` are ours, because the specification shows none
 * for these two.
 */
export const declaredAs: Readonly<Record<Protocol, string>> = {
  responses: 'responses',
  messages: 'vendorA-messages',
  generative: 'vendorB',
  'chat-completions': 'chat',
  systemone: 'systemone',
};

export const protocolTitles: Readonly<Record<Protocol, string>> = {
  responses: 'Responses',
  'chat-completions': 'Chat Completions',
  messages: 'Messages',
  generative: 'Generative',
  systemone: 'System One',
};

/** The protocols for which the specification shows the header of the key. */
export const shownCredentials = ['responses', 'messages', 'generative'] as const;

export type ShownCredential = (typeof shownCredentials)[number];

/** Headers of the key in the specification, by the names that target files use. */
export type CredentialHeader = 'bearer' | 'x-api-key' | 'vendorB-api-key';

/** The protocols that have a stream format ("Events"). System One answers in one body. */
export const streamingProtocols = [
  'responses',
  'chat-completions',
  'messages',
  'generative',
] as const;

export type StreamingProtocol = (typeof streamingProtocols)[number];

/** Axis value for a protocol in its stream form. */
type StreamForm<P extends StreamingProtocol = StreamingProtocol> = `${P}-stream`;

/** Makes one element for each streaming protocol, by the name of its stream form. */
export function eachStream<Made>(
  make: (protocol: StreamingProtocol) => Made,
): Readonly<Record<StreamForm, Made>> {
  const forms = streamingProtocols.map((protocol): StreamForm => `${protocol}-stream`);
  return each(forms, (form) => make(protocolOfForm(form)));
}

export function protocolOfForm<P extends string>(form: P): WithoutStream<P> {
  // TypeScript resolves no conditional type of a type parameter.
  return form.replace(/-stream$/, '') as WithoutStream<P>;
}

type WithoutStream<Form extends string> = Form extends `${infer P}-stream` ? P : Form;
