import { type Exchange, type StreamingProtocol, textAt } from '../core/index.ts';
import { Inconclusive, outcome } from '../judge/index.ts';
import {
  answerId,
  type CallOptions,
  type ChatCompletionsClient,
  type Fields,
  type GenerativeClient,
  jsonBody,
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
import type { ClientSession, ClientStart } from './clients/session.ts';
import type { Chance } from './drawn/chance.ts';

/** Options of a generation that departs from the ordinary one, the id of its model included. */
interface OfModel extends CallOptions {
  readonly model?: string;
}

/** Tools of a scenario: one client per protocol, the roles that it asked for, seeded chance. */
export interface Io extends Chance {
  readonly target: Target;
  /** The model of the scenario's role. @throws when it asked for none */
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
  /** Windows into what the interface does not show, where the operator offers them. */
  readonly probes: ProbesClient;
  /** A generation over a protocol, in one JSON body. @param model by default that of the scenario's role */
  generate(protocol: StreamingProtocol, body: Fields, as?: OfModel): Promise<Exchange>;
  /** Like `generate`, as a stream. */
  generateStream(protocol: StreamingProtocol, body: Fields, as?: OfModel): Promise<Exchange>;
  /** An ordinary request to any endpoint, or one that departs from it in a single thing. */
  readonly ask: Ask;
  /**
   * A connection for several requests of this scenario, one after another; closed when it ends. The
   * first request that is sent over it opens it.
   */
  connection(): KeptConnection;
  /**
   * Returns the same clients with a request count of their own, for a chain that runs concurrently with
   * others.
   */
  lane(name: string): Io;
  /**
   * Repeats a call, politely (each pause half as long again, 2 s at most), until `done` or the
   * patience of the target file ends. Returns every answer, the last one last.
   */
  poll(call: () => Promise<Exchange>, done: (answer: Exchange) => boolean): Promise<Exchange[]>;
  /** Waits, where what is asked next has to come a while after what came before. */
  pause(milliseconds: number): Promise<void>;
  /**
   * All that the run has exchanged, by the keys, when all other scenarios have their outcomes. Of a
   * recording it is all that was recorded, whichever part of it is judged: what is asked for about it
   * has to be the same.
   *
   * @throws {Error} in a scenario that does not come last
   */
  sent(): Promise<readonly Exchange[]>;
  /** Starts the client under test, and waits until nothing more comes of it; only where one is judged. */
  start(start: ClientStart): Promise<ClientSession>;
  /** The name of a region that is not the first. */
  readonly otherRegion: string;
}

/**
 * The id of what a call has made, which later calls need: of a JSON body, of a stream or of a turn.
 *
 * @param advice what may help where there is none
 * @throws {Inconclusive} when the answer does not have it: what depends on it cannot be judged
 */
export function idOf(exchange: Exchange, advice = ''): string {
  const id = answerId(exchange) ?? textAt(jsonBody(exchange), 'id');
  if (id !== null && id !== '') return id;
  throw new Inconclusive(
    `${exchange.about.operation} gave no id, but ${outcome(exchange)}: what depends on it was not sent${advice === '' ? '' : `; ${advice}`}`,
    exchange,
  );
}
