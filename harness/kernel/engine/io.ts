import { type Exchange, type ExchangeId, type StreamingProtocol, textAt } from '../core/index.ts';
import type { Chance } from '../drawn/index.ts';
import { Inconclusive, outcome } from '../judge/index.ts';
import {
  answerOf,
  type CallOptions,
  type ChatCompletionsClient,
  contentOf,
  type Fields,
  type GenerativeClient,
  type MessagesClient,
  type ModelsClient,
  type ProbesClient,
  type RawClient,
  type ResponsesClient,
  type SystemOneClient,
} from '../protocols/index.ts';
import type { Model, Target } from '../targets/index.ts';
import type { KeptConnection } from '../wire/index.ts';
import type { Ask } from './ask.ts';

/** Options of a generation, including the id of a model that replaces the ordinary one. */
interface OfModel extends CallOptions {
  readonly model?: string;
}

export interface Received {
  readonly exchanges: readonly Exchange[];
}

/** Waits for exchanges that others send under this id, such as a client that the run starts. */
export type WaitsFor<Some extends Received> = (id: ExchangeId, run: object) => Promise<Some>;

/** Tools of a scenario: one client per protocol, the roles that it needs, and seeded random data. */
export interface Io extends Chance {
  readonly target: Target;
  /** The model of the scenario's role. @throws if the scenario declares none */
  readonly model: Model;
  /** A further model, by the name that the scenario gave the role. */
  role(name: string): Model;
  readonly responses: ResponsesClient;
  readonly chatCompletions: ChatCompletionsClient;
  readonly messages: MessagesClient;
  readonly generative: GenerativeClient;
  readonly systemone: SystemOneClient;
  readonly lists: ModelsClient;
  readonly raw: RawClient;
  /** Endpoints that show what the interface does not, if the operator offers them. */
  readonly probes: ProbesClient;
  /** Sends a generation in one JSON body. @param as its `model` defaults to the scenario's */
  generate(protocol: StreamingProtocol, body: Fields, as?: OfModel): Promise<Exchange>;
  /** Like `generate`, as a stream. */
  generateStream(protocol: StreamingProtocol, body: Fields, as?: OfModel): Promise<Exchange>;
  /** Sends the ordinary request to any endpoint, or a variation of it. */
  readonly ask: Ask;
  /**
   * Returns a connection for consecutive requests of this scenario. Its first request opens it, and the end of the
   * scenario closes it.
   */
  connection(): KeptConnection;
  /** Returns the same clients with a separate request count, for a concurrent chain. */
  lane(name: string): Io;
  /**
   * Repeats a call until `done`, or until the patience of the target file ends. Each pause is half as long again,
   * at most 2 s. Returns every answer, the last one last.
   */
  poll(call: () => Promise<Exchange>, done: (answer: Exchange) => boolean): Promise<Exchange[]>;
  /** Waits between two requests that must not follow each other at once. */
  pause(milliseconds: number): Promise<void>;
  /**
   * Returns all exchanges of the run, in the order of their ids, when all other scenarios have their outcomes. In a
   * replay these are all recorded exchanges, whichever part is judged, so that the scenario sends the same requests
   * again.
   *
   * @throws {Error} in a scenario that does not come last
   */
  sent(): Promise<readonly Exchange[]>;
  /** Waits for exchanges that others send. */
  receive<Some extends Received>(wait: WaitsFor<Some>): Promise<Some>;
  /** Name of a region other than the first. @throws if there is none */
  readonly otherRegion: string;
}

/**
 * Returns the id of the object that a call created, from a JSON body, a stream or a turn.
 *
 * @param advice a hint for the message if there is no id
 * @throws {Inconclusive} if there is no id: requests that depend on it cannot be sent
 */
export function idOf(exchange: Exchange, advice = ''): string {
  const id = contentOf(exchange).id ?? textAt(answerOf(exchange).value, 'id');
  if (id !== null && id !== '') return id;
  throw new Inconclusive(
    `${exchange.about.operation} gave no id, but ${outcome(exchange)}: what depends on it was not sent${advice === '' ? '' : `; ${advice}`}`,
    exchange,
  );
}
