import type {
  Ask,
  Capability,
  EndpointName,
  ExchangeProtocol,
  JsonObject,
  Protocol,
  protocolOfEndpoint,
  protocolsOfAsk,
  StreamingProtocol,
} from '../core/index.ts';
import type { Said } from './asked.ts';
import type { Call, ForeignHeader } from './call.ts';
import type { Defaults, Fields } from './defaults.ts';
import type { EventStream, Findings, GrammarOptions, StreamEvent, ToolCall } from './grammar.ts';
import type { SchemaId } from './schemas.ts';
import type { SystemOneDialect } from './systemone/client.ts';
import type { UsualClient } from './usual-client.ts';

/** Facts about the endpoints of a protocol, or of the model list. */
export interface EndpointModule<Name extends Protocol | 'models'> {
  /**
   * The header that the specification names for the key. Where it shows none, the place in the target
   * file that does.
   */
  readonly credential: ForeignHeader | ConfiguredCredential;
  /** The name of its publisher in header names, as most gateways have it; where it stands in any. */
  readonly usualPublisher?: string;
  /** A header with the name of its publisher says which version of the protocol is spoken. */
  readonly isVersioned?: true;
  readonly endpoints: Readonly<Record<EndpointOf<Name>, EndpointFacts>>;
  /** Client that usually calls these endpoints. */
  readonly usualClient: UsualClient;
  /** Facts about each operation, by the label of the call. */
  readonly operations: Readonly<Record<`${string}.${string}`, OperationFacts>>;
  /** The shape of its errors over HTTP. */
  readonly errorSchema: SchemaId;
}

/**
 * All that the judging side knows of one protocol, each fact once: `<name>/index.ts` has one object
 * that satisfies this type. The reference gateway keeps knowledge of its own.
 */
export interface ProtocolModule<Name extends Protocol> extends EndpointModule<Name> {
  /** The endpoint that stands for the protocol: a generation in one JSON body. */
  readonly mainEndpoint: EndpointOf<Name>;
  /** The endpoint of the same as a stream; null where there is none. */
  readonly streamEndpoint: EndpointOf<Name> | null;
  readonly request: RequestFacts;
  readonly content: ContentReader | null;
  readonly usage: UsageFacts | null;
  readonly endings: Endings | null;
  readonly tools: ToolFacts | null;
  readonly stream: StreamFacts | null;
}

/** Additional facts about a protocol with streams. */
export interface StreamingModule<Name extends StreamingProtocol, Rule extends string = string>
  extends ProtocolModule<Name> {
  readonly request: ConversationFacts;
  readonly content: ContentReader;
  readonly usage: UsageFacts;
  readonly endings: Endings;
  readonly tools: ToolFacts;
  readonly asking: AskingFacts<Name>;
  readonly streamEndpoint: EndpointOf<Name>;
  readonly stream: StreamFacts<Rule>;
}

/** Field of the target file that names the header of the key. */
interface ConfiguredCredential {
  readonly configured: 'chat' | 'systemone' | 'models';
}

/** The endpoints that answer by the rules of a protocol, or of the model list. */
type EndpointOf<Name extends ExchangeProtocol> = {
  [Endpoint in EndpointName]: (typeof protocolOfEndpoint)[Endpoint] extends Name ? Endpoint : never;
}[EndpointName];

/** Values from which a baseline request is made. */
export interface Baseline extends Defaults {
  /** Id of a stored response, for the endpoints that act on one. */
  readonly id: string;
  /** Body of a System One request, with its model. */
  readonly systemoneBody: Fields;
}

export interface EndpointFacts {
  /** Capabilities that the model of a request must have; null if no model is involved. */
  readonly supports: readonly Capability[] | null;
  /** Answers a baseline request with an event stream. */
  readonly streams?: true;
  /** Part of a request that names its model. */
  readonly namesModel?: 'body' | 'path';
  /** The stored response that it acts on; a cancel takes one that runs in the background. */
  readonly actsOn?: 'foreground' | 'background';
  /** A baseline, good request. */
  call(baseline: Baseline): Call;
  /** The frame that asks for a generation once a WebSocket is open. */
  readonly frame?: (baseline: Baseline) => Fields;
}

export interface OperationFacts {
  /** The native body that answers it. */
  readonly answer: NativeBody;
  /** Asks a model to generate. On a WebSocket its frames do. */
  readonly generates?: true;
}

/** A native body of the interface. */
export interface NativeBody {
  /**
   * Recognises the body by traits of its own, not by all members that it must have. An answer that lacks a
   * member is still an answer; the shape is a separate requirement.
   */
  has(body: JsonObject): boolean;
  /** Nothing says what members it has: an envelope cannot be told by those that it lacks. */
  readonly isUnspecified?: true;
  /** A response, whose run may have failed. */
  readonly isResponse?: true;
  /** Answer to a deletion, which may be empty. */
  readonly isDeletion?: true;
}

interface RequestFacts {
  /** The member that no gateway can make sense of when its type is wrong. */
  readonly input: string;
  /** The member that holds a text, and its value for one. */
  readonly text: string;
  textValue(text: string): unknown;
  /** Path of the output limit; null where the protocol has none. */
  readonly outputLimit: string | null;
  /** The body of a generation that says nothing else. */
  generation(defaults: Defaults, systemone: SystemOneDialect): Fields;
  /** A generation in one JSON body. */
  call(body: Fields, model: string): Call;
  /** A generation as a stream; null if the protocol has no streams. */
  readonly streamCall: ((body: Fields, model: string) => Call) | null;
}

/** Content of a generation, in terms common to all protocols. Nothing here judges. */
export interface Content {
  readonly id: string | null;
  /** Joined visible text; '' when there is none. */
  readonly text: string;
  /** `status`, `finish_reason`, `stop_reason` or `finishReason`, as it came. */
  readonly ending: string | null;
  /** The native usage object, as it came. */
  readonly usage: unknown;
  readonly toolCalls: readonly ToolCall[];
  /** Output items, choices, content blocks or candidates of the whole answer. */
  readonly items: readonly unknown[];
}

/** Reads the content of the answers of one protocol. */
export interface ContentReader {
  fromBody(body: unknown): Content;
  fromEvents(stream: EventStream): Content;
}

/** One turn of a conversation; of several texts each is a part. */
export interface SaidTurn {
  readonly by: 'user' | 'model';
  readonly texts: readonly string[];
}

/** Facts about the form of a conversation. */
interface ConversationFacts extends RequestFacts {
  /** Several turns; with what the model is told before them. */
  conversation(turns: readonly SaidTurn[], told?: string): Fields;
  /** The body that asks for the count of what such members say; null where nothing counts. */
  readonly countBody: ((said: Fields, model: string) => Fields) | null;
  /** A text with what the model is told before it. */
  toldBefore(told: string, text: string): Fields;
  /**
   * Instructions and texts in an equivalent form: in parts, under other roles, without members that are
   * implied.
   */
  toldOtherwise(told: readonly string[], texts: readonly string[]): Fields;
  streamCall(body: Fields, model: string): Call;
  readonly outputLimit: string;
}

/** Names of the counts in the native usage object of an answer. */
interface UsageFacts {
  /** The member of the answer that is the usage. */
  readonly member: string;
  readonly input: string;
  /** Counts of the input that are not part of `input`. */
  readonly inputBeside: readonly string[];
  readonly output: string;
  /** Counts that are not part of `output`, and use up the limit of the output all the same. */
  readonly outputBeside: readonly string[];
  /** Null where the usage has no total. */
  readonly total: { readonly member: string; readonly parts: readonly TotalPart[] } | null;
  /** Counts of a part of what another one counts. */
  readonly within: readonly PartOfCount[];
  /** Name of the count in the answer of a counting endpoint; null if there is no such endpoint. */
  readonly counted: string | null;
}

interface PartOfCount {
  readonly part: string;
  readonly whole: string;
}

interface TotalPart {
  readonly member: string;
  /** True if the member may be left out, for 0. */
  readonly optional: boolean;
}

/** Requests for more than a text, and the evidence of that in answers. */
export interface AskingFacts<Name extends StreamingProtocol> {
  /** Members of a body, for a text; null where the protocol documents no way to ask. */
  readonly fields: {
    readonly [Asked in Ask]: Name extends (typeof protocolsOfAsk)[Asked][number]
      ? (text: string) => Fields
      : null;
  };
  /**
   * The choices or candidates of an answer.
   *
   * @param content what the first says
   * @param values its JSON body, or the data of its events
   */
  said(content: Content, values: readonly unknown[]): readonly Said[];
}

interface Endings {
  /** Nothing cut the answer short. */
  readonly complete: string;
  /** Reason that tells of the output limit. */
  readonly limit: string;
  /** Reason that tells of a stop sequence; null where the protocol has none. */
  readonly stopSequence: string | null;
  /**
   * All that are documented, each with the member of a request without which no answer can end so; null
   * where every answer can.
   */
  readonly documented: Readonly<Record<string, string | null>>;
  /** Others may come: what is not documented says nothing. */
  readonly isOpen?: true;
}

/** Form of offered functions, of calls and of their results. */
export interface ToolFacts {
  /**
   * Members of a body that make the model call this function, once.
   *
   * @param limit of the output
   * @param asked what makes a model call it that is free
   */
  forcedCall(limit?: number, asked?: string): Fields;
  /** Members of a body that force the model to call some function, with only one offered. */
  requiredCall(limit?: number, asked?: string): Fields;
  /** Members of a body that describe the function and forbid the model to call it. */
  forbiddenCall(limit?: number, asked?: string): Fields;
  /** Members of a body that allow the model to call the function any number of times. */
  offered(limit?: number, asked?: string): Fields;
  /**
   * The body that sends a call back with its result, so that the model can go on; null when the answer
   * holds no call.
   */
  withResult(first: Fields, answer: unknown, result: string): Fields | null;
  /** The shape of a call in an answer. */
  readonly schema: SchemaId;
  /** The calls in an output item, choice, content block or candidate. */
  callsIn(item: unknown): readonly unknown[];
  /** True if a value is a call in the form of this protocol, wherever it occurs. */
  isCall(value: unknown): boolean;
  /**
   * Member of a call that holds its arguments as JSON text; null if they are an object, as the schema says.
   */
  readonly argumentsText: string | null;
}

interface StreamFacts<Rule extends string = string> {
  /** The rules of its grammar, as the rows of the catalogue name them. */
  readonly rules: readonly Rule[];
  /** Rules that the sources only recommend. */
  readonly softRules: readonly Rule[];
  /** The one that events have what they must have. */
  readonly shapeRule: Rule;
  /** @param request the body that asked for the stream, as JSON */
  judge(stream: EventStream, options: GrammarOptions, request: unknown): Findings<Rule>;
  /** With this event the protocol says that the answer is whole. */
  isEnd(event: StreamEvent): boolean;
  /** The text that an event carries; null when it carries none. */
  textOf(event: unknown): string | null;
  /** Members of a body that ask for the usage in a stream, too. */
  readonly askingForUsage: Fields;
  /** The bytes of the error that ends a stream for want of a free machine. @param number of events before */
  overload(number: number): string;
}
