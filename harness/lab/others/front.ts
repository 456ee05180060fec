import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import type { Front } from './gateway.ts';

export interface StartedFront {
  readonly region: string;
  readonly baseUrl: string;
  close(): void;
}

/**
 * An entrance to a gateway that adds headers to each request and passes everything else on as it
 * came: some gateways are told by headers where to send a request, which a deployment fixes.
 */
export async function startFront(
  { region, headersFor }: Front,
  port: number,
): Promise<StartedFront> {
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, port, headersFor(incoming.url ?? '/'));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel(incoming, socket, head, port, headersFor(incoming.url ?? '/'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${own}`;
  return {
    region,
    baseUrl,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  added: Readonly<Record<string, string>>,
): void {
  const { method, url, rawHeaders } = incoming;
  const headers = [...rawHeaders, ...Object.entries(added).flat()];
  // A connection for each, as it came.
  const onward = request({ agent: false, host: '127.0.0.1', port, method, path: url, headers });
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    // A response that is cut here is cut there.
    pipeline(answer, outgoing, () => {});
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  pipeline(incoming, onward, () => {});
}

/** An upgrade is passed on byte by byte, with the headers added: what becomes of it is theirs. */
function tunnel(
  { method, url, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  port: number,
  added: Readonly<Record<string, string>>,
): void {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  for (const [name, value] of Object.entries(added)) lines.push(`${name}: ${value}`);
  const onward = connect(port, '127.0.0.1');
  onward.write(`${lines.join('\r\n')}\r\n\r\n`);
  onward.write(head);
  pipeline(socket, onward, socket, () => {});
}
