import { connect, type Socket } from 'node:net';

/** Request that is sent repeatedly. */
export interface RepeatedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Measured properties of one answer. */
interface ServedOnce {
  readonly text: string;
  readonly bytes: number;
  /** Events of a stream; 0 for a body that is none. */
  readonly events: number;
}

/** Sends a request once, and looks at what comes. Throws when it is not served. */
export async function answerTo(
  port: number,
  { path, headers, body }: RepeatedRequest,
): Promise<ServedOnce> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`POST ${path} at port ${port} is answered with ${response.status}: ${text}`);
  }
  return {
    text,
    bytes: Buffer.byteLength(text),
    events: text.match(/^data: /gm)?.length ?? 0,
  };
}

/**
 * Sends a request so many times over so many connections that are kept, one at a time on each. It reads no
 * more of an answer than it needs to find its end, to leave the processor to who is measured.
 */
export async function load(
  port: number,
  request: RepeatedRequest,
  { times, connections }: { readonly times: number; readonly connections: number },
): Promise<void> {
  const bytes = bytesOf(request);
  let left = times;
  const next = (): Buffer | null => (left-- > 0 ? bytes : null);
  await Promise.all(Array.from({ length: connections }, () => ask(port, next)));
}

/** Asks over one connection, until there is nothing more to ask. */
function ask(port: number, next: () => Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const proceed = (): void => {
      const bytes = next();
      if (bytes !== null) {
        socket.write(bytes);
        return;
      }
      socket.destroy();
      resolve();
    };
    socket.once('connect', proceed).once('error', reject);
    socket.once('close', () => reject(new Error(`Port ${port} ends a connection.`)));
    eachAnswer(socket, proceed, reject);
  });
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Calls back at the end of each answer: where its length says, or after its last chunk. */
function eachAnswer(socket: Socket, ended: () => void, failed: (error: Error) => void): void {
  /** Bytes that still come; null before the head, and undefined where chunks come until the last one. */
  let left: number | null | undefined = null;
  let tail: Buffer = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    const known = tail.length === 0 ? data : Buffer.concat([tail, data]);
    tail = known.subarray(-lastChunk.length);
    let come = data.length;
    if (left === null) {
      const end = known.indexOf(headEnd);
      const head = known.toString('latin1', 0, end);
      if (end === -1 || !head.startsWith('HTTP/1.1 200')) {
        failed(new Error(`Expected an answer with status 200, got: ${head.slice(0, 200)}`));
        return;
      }
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      left = length === undefined ? undefined : Number(length);
      come = known.length - end - headEnd.length;
    }
    if (left !== undefined) left -= come;
    if (left === undefined ? !tail.equals(lastChunk) : left > 0) return;
    left = null;
    tail = Buffer.alloc(0);
    ended();
  });
}

/** Bytes of a request on the wire. */
export function bytesOf({ path, headers, body }: RepeatedRequest): Buffer {
  const text = JSON.stringify(body);
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
}
