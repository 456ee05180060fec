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
import type { ViewFacts } from './view-facts.ts';

/** Facts about the endpoints of a protocol, or of the model list. */
export interface EndpointModule<Name extends Protocol | 'models'> {
  /** The header that the specification names for the key. If it names none, the field of the target file that does. */
  readonly credential: ForeignHeader | ConfiguredCredential;
  /** The usual name of its publisher in header names, if any header contains it. */
  readonly usualPublisher?: string;
  /** True if a header with the publisher's name selects the version of the protocol. */
  readonly isVersioned?: true;
  readonly endpoints: Readonly<Record<EndpointOf<Name>, EndpointFacts>>;
  readonly usualClient: UsualClient;
  /** Facts about each operation, by the operation of the call. */
  readonly operations: Readonly<Record<`${string}.${string}`, OperationFacts>>;
  readonly errorSchema: SchemaId;
}

/**
 * Everything that checks know about a protocol, in one place: `<name>/index.ts` has one object of this type. The
 * reference gateway keeps its own knowledge.
 */
export interface ProtocolModule<Name extends Protocol> extends EndpointModule<Name> {
  /** The endpoint that represents the protocol: a generation in one JSON body. */
  readonly mainEndpoint: EndpointOf<Name>;
  /** The streaming counterpart of the main endpoint. Null if there is none. */
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
  readonly view: ViewFacts;
  /** Paths of the requested number of answers in a body. Empty if there is always one. */
  readonly candidates: readonly string[];
  readonly streamEndpoint: EndpointOf<Name>;
  readonly stream: StreamFacts<Rule>;
}

/** Field of the target file that names the header of the key. */
interface ConfiguredCredential {
  readonly configured: 'chat' | 'systemone' | 'models';
}

/** The endpoints that follow the rules of a protocol, or of the model list. */
type EndpointOf<Name extends ExchangeProtocol> = {
  [Endpoint in EndpointName]: (typeof protocolOfEndpoint)[Endpoint] extends Name ? Endpoint : never;
}[EndpointName];

export interface Baseline extends Defaults {
  /** Id of a stored response, for endpoints that act on one. */
  readonly id: string;
  /** Body of a System One request, including its model. */
  readonly systemoneBody: Fields;
}

export interface EndpointFacts {
  /** Capabilities that the model of a request must have. Null if no model is involved. */
  readonly supports: readonly Capability[] | null;
  /** True if it answers a baseline request with an event stream. */
  readonly streams?: true;
  /** Part of a request that names its model. */
  readonly namesModel?: 'body' | 'path';
  /** The stored response that it acts on. A cancel needs one that runs in the background. */
  readonly actsOn?: 'foreground' | 'background';
  call(baseline: Baseline): Call;
  /** Returns the frame that requests a generation on an open WebSocket. */
  readonly frame?: (baseline: Baseline) => Fields;
}

export interface OperationFacts {
  /** The native body of its answer. */
  readonly answer: NativeBody;
  /** True if it asks a model to generate. For a WebSocket, its frames do. */
  readonly generates?: true;
}

export interface NativeBody {
  /**
   * Recognises the body by its characteristic members. An answer that lacks other required members is still an
   * answer, and its shape is a separate requirement.
   */
  has(body: JsonObject): boolean;
  /** True if its members are not specified, so that missing members do not reveal an envelope. */
  readonly isUnspecified?: true;
  /** True for a response, which may have failed. */
  readonly isResponse?: true;
  /** True for the answer to a deletion, which may be empty. */
  readonly isDeletion?: true;
}

interface RequestFacts {
  /** A member whose wrong type no gateway can interpret. */
  readonly input: string;
  /** Further values of a wrong JSON type for that member, besides a number and a boolean. */
  readonly wrongInputs: readonly unknown[];
  /** Members that the ordinary request lacks, each with a value of its type. */
  readonly optionalMembers: Fields;
  /** Names of members that may hold, or whose entries may be, any JSON type. */
  readonly untypedMembers: readonly string[];
  /** The member that holds a text, and its value for a text. */
  readonly text: string;
  textValue(text: string): unknown;
  /** Path of the output limit. Null if the protocol has none. */
  readonly outputLimit: string | null;
  generation(defaults: Defaults, systemone: SystemOneDialect): Fields;
  call(body: Fields, model: string): Call;
  /** A generation as a stream. Null if the protocol has no streams. */
  readonly streamCall: ((body: Fields, model: string) => Call) | null;
}

/** Content of a generation, in terms common to all protocols. It implies no verdict. */
export interface Content {
  /** Id of a response, completion or message. On generative-content, the `responseId`. */
  readonly id: string | null;
  /** Joined visible text, or '' if there is none. */
  readonly text: string;
  /** `status`, `finish_reason`, `stop_reason` or `finishReason`, unchanged. */
  readonly ending: string | null;
  /** The native usage object, unchanged. */
  readonly usage: unknown;
  readonly toolCalls: readonly ToolCall[];
  /** Output items, choices, content blocks or candidates of the whole answer. */
  readonly items: readonly unknown[];
}

export interface ContentReader {
  fromBody(body: unknown): Content;
  fromEvents(stream: EventStream): Content;
}

/** One turn of a conversation. Several texts become one part each. */
export interface SaidTurn {
  readonly by: 'user' | 'model';
  readonly texts: readonly string[];
}

interface ConversationFacts extends RequestFacts {
  /** Members for several turns, optionally with preceding instructions. */
  conversation(turns: readonly SaidTurn[], told?: string): Fields;
  /** The body of a request that counts the tokens of these members. Null if no endpoint counts. */
  readonly countBody: ((said: Fields, model: string) => Fields) | null;
  /** Members for a text with preceding instructions. */
  toldBefore(told: string, text: string): Fields;
  /** Instructions and texts in an equivalent form: as parts, under other roles, without implied members. */
  toldOtherwise(told: readonly string[], texts: readonly string[]): Fields;
  streamCall(body: Fields, model: string): Call;
  readonly outputLimit: string;
}

/** Names of the counts in the native usage object of an answer. */
interface UsageFacts {
  /** The member of the answer that holds the usage. */
  readonly member: string;
  readonly input: string;
  /** Counts of the input that are not part of `input`. */
  readonly inputBeside: readonly string[];
  readonly output: string;
  /** Counts that are not part of `output`, but count towards the output limit. */
  readonly outputBeside: readonly string[];
  /** Null if the usage has no total. */
  readonly total: { readonly member: string; readonly parts: readonly TotalPart[] } | null;
  /** Counts that are a part of another count. */
  readonly within: readonly PartOfCount[];
  /** Name of the count in the answer of a counting endpoint. Null if there is no such endpoint. */
  readonly counted: string | null;
}

interface PartOfCount {
  readonly part: string;
  readonly whole: string;
}

interface TotalPart {
  readonly member: string;
  /** True if the member may be omitted, for 0. */
  readonly optional: boolean;
}

/** Requests for features beyond text, and their evidence in answers. */
export interface AskingFacts<Name extends StreamingProtocol> {
  /** Members of a body by feature, for a text. Null if the protocol documents no form. */
  readonly fields: {
    readonly [Asked in Ask]: Name extends (typeof protocolsOfAsk)[Asked][number]
      ? (text: string) => Fields
      : null;
  };
  /**
   * The choices or candidates of an answer.
   *
   * @param content content of the first one
   * @param values JSON body, or data of the events
   */
  said(content: Content, values: readonly unknown[]): readonly Said[];
}

interface Endings {
  /** Reason of an answer that was not cut short. */
  readonly complete: string;
  /** Reason of an answer with a call that awaits its result. Null if a call has no reason of its own. */
  readonly call: string | null;
  /** Reason of an answer that reached the output limit. */
  readonly limit: string;
  /** Reason of an answer that reached a stop sequence. Null if the protocol has none. */
  readonly stopSequence: string | null;
  /** All documented reasons, each with the member of a request that it requires. Null if any answer may end so. */
  readonly documented: Readonly<Record<string, string | null>>;
  /** True if undocumented reasons are legal. */
  readonly isOpen?: true;
}

export interface ToolFacts {
  /**
   * Members of a body that force one call of this function.
   *
   * @param limit output limit
   * @param asked question that makes a model call the function if it is free to
   */
  forcedCall(limit?: number, asked?: string): Fields;
  /** Members of a body that force some call, with only one function offered. */
  requiredCall(limit?: number, asked?: string): Fields;
  /** Members of a body that describe the function and forbid the model to call it. */
  forbiddenCall(limit?: number, asked?: string): Fields;
  /** Members of a body that allow the model to call the function any number of times. */
  offered(limit?: number, asked?: string): Fields;
  /**
   * The body that returns the result of each call to the model, and of a second call like it. Null if the answer
   * holds no call.
   */
  withResults(first: Fields, answer: unknown, result: string): Fields | null;
  /** Schema of a call in an answer. */
  readonly schema: SchemaId;
  /** The calls in an output item, choice, content block or candidate. */
  callsIn(item: unknown): readonly unknown[];
  /** True if a value is a call in the form of this protocol, wherever it occurs. */
  isCall(value: unknown): boolean;
  /** Member of a call that holds its arguments as JSON text. Null if the schema makes them an object. */
  readonly argumentsText: string | null;
}

interface StreamFacts<Rule extends string = string> {
  /** The rules of its grammar, as named in the catalogue. */
  readonly rules: readonly Rule[];
  /** Rules that the sources only recommend. */
  readonly softRules: readonly Rule[];
  /** The rule that events have their required members. */
  readonly shapeRule: Rule;
  /** @param request parsed JSON body of the request for the stream */
  judge(stream: EventStream, options: GrammarOptions, request: unknown): Findings<Rule>;
  /** True for the event that completes the answer. */
  isEnd(event: StreamEvent): boolean;
  /** The text of an event, or null if it has none. */
  textOf(event: unknown): string | null;
  /** Members of a body that request the usage in a stream. */
  readonly askingForUsage: Fields;
  /** The bytes of an overload error that ends a stream. @param number number of preceding events */
  overload(number: number): string;
}
