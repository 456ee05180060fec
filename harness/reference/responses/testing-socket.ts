import { WebSocket } from 'ws';
import { type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import type { ReferenceGateway } from '../start.ts';
import { base } from './testing.ts';

/** A short turn that is not stored. */
export const turn = {
  type: 'response.create',
  model: 'ts-omni',
  input: 'Say something.',
  max_output_tokens: 64,
  store: false,
};

/** Connection that buffers its frames and returns them one by one. */
class Conversation implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #frames: JsonObject[] = [];
  #wake: () => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('The gateway sent a binary frame.');
      const frame: Json = JSON.parse(String(data));
      this.#frames.push(objectOrEmpty(frame));
      this.#wake();
    });
  }

  say(message: JsonObject): void {
    this.#socket.send(JSON.stringify(message));
  }

  async next(): Promise<JsonObject> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Returns the frames of one turn, up to its terminal event or its error. */
  async turn(): Promise<JsonObject[]> {
    const frames: JsonObject[] = [];
    for (;;) {
      const frame = await this.next();
      frames.push(frame);
      if (/^(error|response\.(completed|incomplete|failed))$/.test(String(frame.type)))
        return frames;
    }
  }

  async exchange(message: JsonObject): Promise<JsonObject> {
    this.say(message);
    return (await this.turn()).at(-1) ?? {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#socket.close();
    await closed;
  }
}

/** Opens a WebSocket. */
export async function open(
  gateway: ReferenceGateway,
  key = gateway.keys.owner,
): Promise<Conversation> {
  const socket = new WebSocket(`${base(gateway).replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const conversation = new Conversation(socket);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return conversation;
}
