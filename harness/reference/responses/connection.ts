import { setTimeout as sleep } from 'node:timers/promises';
import { insist, requireCapability } from '../admission.ts';
import { asRefusal, errorAnswer, noteRefusal } from '../answer.ts';
import type { Call, StreamContext } from '../call.ts';
import type { StreamEvent } from '../dialect.ts';
import type { JsonObject } from '../json.ts';
import type { Key } from '../keys.ts';
import { note } from '../mock/note.ts';
import type { MessageData, OpenSocket } from '../open-socket.ts';
import { reachable } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { parseJsonObject } from '../request-body.ts';
import type { StoredResponse } from '../store.ts';
import { type LiveResponse, startTurn } from './create.ts';
import { readCreateBody } from './create-body.ts';

export function connect(socket: OpenSocket, call: Call, key: Key): void {
  const connection = new Connection(socket, call, key);
  socket.on('message', (data, isBinary) => connection.receive(bytesOf(data), isBinary));
  socket.on('ping', (data) => {
    if (call.gateway.seams.policy.answersPings(call)) socket.pong(data);
  });
  socket.on('close', () => connection.leave());
  // The close event that follows an error suffices.
  socket.on('error', () => {});
}

/** Maximum number of named streams per connection, in addition to the unnamed one. */
const mostStreams = 32;

/**
 * One connection. The turns of a stream run one after another; turns without a `stream_id` form one stream. For the
 * latest turn of each stream, only the connection remembers content that is not stored, until it closes.
 */
class Connection {
  readonly #socket: OpenSocket;
  readonly #call: Call;
  readonly #key: Key;
  readonly #gone = new AbortController();
  /** Names of all streams so far. */
  readonly #streams = new Set<string>();
  /** For each active stream, a promise that resolves when all of its turns have ended. */
  readonly #tails = new Map<string, Promise<number>>();
  readonly #latest = new Map<string, LiveResponse>();
  readonly #running = new Set<LiveResponse>();

  constructor(socket: OpenSocket, call: Call, key: Key) {
    this.#socket = socket;
    this.#call = call;
    this.#key = key;
  }

  /** Queues a message after the turns before it, including the error frame for an invalid message. */
  receive(bytes: Uint8Array, isBinary: boolean): void {
    let call = this.#call;
    let stream = '';
    let problem: Refusal | null = null;
    try {
      if (isBinary) throw new Refusal('malformed-json', 'Messages have to be text frames.');
      call = { ...call, note: note(call.note.faults) };
      call.note.bytes = bytes.length;
      call = { ...call, body: parseJsonObject(bytes, call) };
      stream = this.#streamOf(call.body);
    } catch (error) {
      problem = asRefusal(error);
    }
    const turn = (): Promise<number> =>
      this.#entered(call, () =>
        problem === null ? this.#turn(call, stream) : this.#sendError(problem, call, stream),
      );
    const tail = this.#tails.get(stream);
    const whileBusy = tail === undefined ? 'wait' : call.gateway.seams.policy.whileBusy(call);
    if (whileBusy === 'refuse' || whileBusy === 'refuse-later') {
      const busy = new Refusal('turn-in-progress', 'A response is in progress on this connection.');
      const waits = whileBusy === 'refuse-later' ? sleep(10) : Promise.resolve();
      void this.#entered(call, () => waits.then(() => this.#sendError(busy, call, stream)));
      return;
    }
    const ended = whileBusy === 'interleave' ? turn() : (tail ?? Promise.resolve()).then(turn);
    this.#tails.set(stream, ended);
    void ended.then(() => {
      if (this.#tails.get(stream) === ended) this.#tails.delete(stream);
    });
  }

  /** Handles a disconnected client: stops the runs whose result cannot be looked up later. */
  leave(): void {
    this.#gone.abort();
    const { policy } = this.#call.gateway.seams;
    for (const { turn } of this.#running) {
      if (!policy.outlivesClient(turn.parts.request, this.#call)) turn.cancel();
    }
  }

  #entered(call: Call, turn: () => Promise<number>): Promise<number> {
    return call.gateway.entered(call, turn, this.#gone.signal);
  }

  /** @returns the status that the turn would have over HTTP */
  async #turn(call: Call, stream: string): Promise<number> {
    const { latencyMs } = call.gateway;
    if (latencyMs > 0) await sleep(latencyMs);
    if (this.#gone.signal.aborted) return 0;
    try {
      const record = await this.#start(call);
      this.#running.add(record);
      const { turn } = record;
      await this.#send(turn.events(this.#gone.signal), call, stream, record);
      this.#running.delete(record);
      if (call.gateway.seams.policy.remembersTurn(record, call)) this.#latest.set(stream, record);
      return 200;
    } catch (error) {
      this.#forget(call);
      return this.#sendError(asRefusal(error), call, stream);
    }
  }

  async #start(call: Call): Promise<LiveResponse> {
    const { type } = call.body;
    if (type !== 'response.create') {
      throw new Refusal('invalid-value', "'type' has to be 'response.create'.", 'type');
    }
    const request = readCreateBody(call, this.#key);
    requireCapability(request.model, 'websocket', call, 'model');
    if (request.background) {
      const message = 'There is no background on a WebSocket.';
      insist(call, new Refusal('invalid-value', message, 'background'));
    }
    // A turn is always streamed, regardless of its body.
    return startTurn({ ...request, stream: true }, call, this.#key, (id) => this.#find(id, call));
  }

  /** Finds a response to continue: a stored one only in the store, any other only on this connection. */
  #find(id: string, call: Call): LiveResponse | undefined {
    const stored = reachable(id, 'continue-websocket', call, this.#key);
    if (stored !== undefined) return stored;
    return [...this.#latest.values()].find((record) => record.id === id && !record.store);
  }

  /** Forgets the turn that a failed continuation named. */
  #forget(call: Call): void {
    for (const [stream, record] of this.#latest) {
      if (record.id !== call.body.previous_response_id) continue;
      if (call.gateway.seams.policy.forgetsAfterFailure(record, call)) this.#latest.delete(stream);
    }
  }

  #streamOf(body: JsonObject): string {
    const { stream_id: stream } = body;
    if (stream === undefined || stream === null) return '';
    if (typeof stream !== 'string' || !/^[A-Za-z0-9_.-]{1,256}$/.test(stream)) {
      const message = "'stream_id' has to be 1 to 256 letters, digits, '_', '.' or '-'.";
      throw new Refusal('invalid-value', message, 'stream_id');
    }
    this.#streams.add(stream);
    if (this.#streams.size > mostStreams) {
      this.#streams.delete(stream);
      const message = `A connection has at most ${mostStreams} named streams.`;
      throw new Refusal('too-many-streams', message, 'stream_id');
    }
    return stream;
  }

  async #sendError(refusal: Refusal, call: Call, stream: string): Promise<number> {
    const { encode } = call.gateway.seams;
    const answer = errorAnswer(refusal, call);
    const context = { call, record: null, refusal };
    noteRefusal(refusal, call);
    const status = encode.status(answer.kind, answer.status, context);
    const body = encode.body(answer.kind, answer.body, context);
    const event = { name: 'error', data: { type: 'error', status, ...body } };
    await this.#send(one(event), call, stream, null, refusal);
    return status;
  }

  async #send(
    events: AsyncIterable<StreamEvent>,
    call: Call,
    stream: string,
    record: StoredResponse | null,
    refusal: Refusal | null = null,
  ): Promise<void> {
    const { frames, transport } = call.gateway.seams;
    const context: StreamContext = {
      call,
      record,
      refusal,
      over: 'websocket',
      startingAfter: null,
    };
    const named = stream === '' ? events : withStreamId(events, stream);
    for await (const event of frames.responses(named, context)) {
      await transport.frame(this.#socket, frames.frame(event, context), context);
    }
  }
}

async function* withStreamId(
  events: AsyncIterable<StreamEvent>,
  stream: string,
): AsyncIterable<StreamEvent> {
  for await (const { name, data } of events) {
    yield { name, data: typeof data === 'string' ? data : { ...data, stream_id: stream } };
  }
}

async function* one(event: StreamEvent): AsyncIterable<StreamEvent> {
  yield event;
}

function bytesOf(data: MessageData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
