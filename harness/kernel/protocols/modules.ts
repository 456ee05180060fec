import {
  type EndpointName,
  type Exchange,
  type Protocol,
  protocols,
  type StreamingProtocol,
  streamingProtocols,
} from '../core/index.ts';
import type { Call } from './call.ts';
import { chatCompletions } from './chat-completions/index.ts';
import { generative } from './generative/index.ts';
import { messages } from './messages/index.ts';
import { modelList } from './model-lists.ts';
import type {
  EndpointFacts,
  EndpointModule,
  NativeBody,
  OperationFacts,
  ProtocolModule,
  StreamingModule,
} from './module.ts';
import { responses } from './responses/index.ts';
import { systemone } from './systemone/index.ts';

type Modules<Rules = Readonly<Record<StreamingProtocol, string>>> = {
  readonly [Name in Protocol]: Name extends StreamingProtocol
    ? StreamingModule<Name, Name extends keyof Rules ? Extract<Rules[Name], string> : never>
    : ProtocolModule<Name>;
};

const modules = {
  responses,
  'chat-completions': chatCompletions,
  messages,
  generative,
  systemone,
} as const satisfies Modules;

type RulesOf<Module> = Module extends {
  readonly stream: { readonly rules: readonly (infer Rule extends string)[] };
}
  ? Rule
  : never;

type Rules = { [Name in keyof typeof modules]: RulesOf<(typeof modules)[Name]> };

/** A rule of the grammar of a protocol's streams. */
export type GrammarRule = Rules[keyof Rules];

export const protocolModules: Modules<Rules> = modules;

/** The protocols, and the model list of the `/v1` family. */
export const endpointModules: {
  readonly [Name in Protocol | 'models']: EndpointModule<Name>;
} = { ...modules, models: modelList };

export const endpointFacts: Readonly<Record<EndpointName, EndpointFacts>> = {
  ...responses.endpoints,
  ...chatCompletions.endpoints,
  ...messages.endpoints,
  ...generative.endpoints,
  ...systemone.endpoints,
  ...modelList.endpoints,
};

const operations: ReadonlyMap<string, OperationFacts> = new Map(
  Object.values(endpointModules).flatMap((one) => Object.entries(one.operations)),
);

/** The native body that the interface specifies for the answer. Null if the request is not an operation of it. */
export function nativeAnswer({ about }: Exchange): NativeBody | null {
  return operations.get(about.operation)?.answer ?? null;
}

export function asksToGenerate({ operation }: Pick<Call, 'operation'>): boolean {
  return operations.get(operation)?.generates === true;
}

/** The protocol of an exchange. Null for the model list and for probes. */
export function protocolOf({ about }: Exchange): Protocol | null {
  return protocols.find((protocol) => protocol === about.protocol) ?? null;
}

/** Returns the protocol of an exchange if it has streams, or null. */
export function streamingProtocolOf({ about }: Exchange): StreamingProtocol | null {
  return streamingProtocols.find((protocol) => protocol === about.protocol) ?? null;
}
