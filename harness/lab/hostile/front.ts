import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Recipe, SoundAnswer } from './recipes.ts';

export interface HostileFront {
  readonly baseUrl: string;
  /** Answers that were made by a recipe. */
  readonly evil: number;
  close(): Promise<void>;
}

/**
 * Stands before a sound gateway, and answers by a recipe where one is drawn.
 *
 * @param draw the recipe for an answer of this form; null: the sound answer passes
 */
export async function startHostile(
  upstream: string,
  draw: (form: Recipe['on'] | 'other') => Recipe | null,
): Promise<HostileFront> {
  const { hostname: host, port } = new URL(upstream);
  let evil = 0;
  const sockets = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: 64 * 1024 });
  const write = (to: Duplex, recipe: Recipe, sound: SoundAnswer): void => {
    evil++;
    pipeline(Readable.from(recipe.bytes(sound)), to, () => {});
  };
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const answer = async (): Promise<void> => {
      const body = await buffer(incoming);
      const onward = request({
        agent: false,
        host,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.rawHeaders,
      });
      onward.end(body);
      const [response]: IncomingMessage[] = await once(onward, 'response');
      if (response === undefined) return;
      const type = response.headers['content-type'] ?? '';
      const form = /event-stream/.test(type) ? 'stream' : /json/.test(type) ? 'json' : 'other';
      const recipe = draw(form);
      if (recipe === null || outgoing.socket === null) {
        outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
        outgoing.flushHeaders();
        pipeline(response, outgoing, () => {});
        return;
      }
      const lines = response.rawHeaders;
      write(outgoing.socket, recipe, {
        status: response.statusCode ?? 502,
        headers: lines.flatMap((name, at) => (at % 2 === 0 ? [[name, lines[at + 1] ?? '']] : [])),
        body: await buffer(response),
      });
    };
    answer().catch(() => outgoing.destroy());
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, first: Buffer) => {
    const recipe = draw('socket');
    if (recipe !== null) {
      const key = `${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.resume();
      write(socket, recipe, { status: 101, headers: [], body: first });
      return;
    }
    const onward = request({
      agent: false,
      host,
      port,
      path: incoming.url,
      headers: incoming.rawHeaders,
    });
    onward.on('error', () => socket.destroy());
    onward.on('response', (refusal) => {
      const lines = refusal.rawHeaders;
      const fields = lines.map((one, at) => (at % 2 === 0 ? `${one}: ` : `${one}\r\n`)).join('');
      buffer(refusal).then(
        (body) => {
          const plain = fields.replace(
            /^transfer-encoding:.*\r\n/im,
            `content-length: ${body.length}\r\n`,
          );
          socket.end(
            Buffer.concat([
              Buffer.from(`HTTP/1.1 ${refusal.statusCode} Refused\r\n${plain}\r\n`),
              body,
            ]),
          );
        },
        () => socket.destroy(),
      );
    });
    onward.on('upgrade', (answer, theirs, begun) => {
      const fields = answer.rawHeaders.map((one, at) => (at % 2 === 0 ? `${one}: ` : `${one}\r\n`));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('')}\r\n`);
      socket.write(begun);
      theirs.write(first);
      pipeline(theirs, socket, () => {});
      pipeline(socket, theirs, () => {});
    });
    onward.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}`,
    get evil() {
      return evil;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
