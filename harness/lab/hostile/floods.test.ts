import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../kernel/core/index.ts';
import { listening } from '../../kernel/wire/testing-server.ts';
import { fixtureKeys } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import { memoryOf } from './called.ts';
import { RawWire } from './wire.ts';

const { owner } = fixtureKeys;
const head = `POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner}\r\nTransfer-Encoding: chunked\r\n\r\n`;
const some = '1\r\na\r\n'.repeat(1_000);

/** Sends the beginning of a body in one-byte chunks. @returns its end, which waits for the answer */
async function begun(port: number, chunks: number): Promise<() => Promise<void>> {
  const socket = connect(port, '127.0.0.1');
  const wire = new RawWire(socket);
  await wire.write(head);
  for (let sent = 0; sent < chunks; sent += 1_000) await wire.write(some);
  return async () => {
    const answered = new Promise((resolve) => socket.once('data', resolve));
    await wire.write('0\r\n\r\n');
    await answered;
    socket.destroy();
  };
}

test.each([
  ['serve', 1, 1_000_000],
  ['serve', 1_000, 1_000],
  ['observe', 1, 1_000_000],
  ['observe', 1_000, 1_000],
])(
  '%s holds less than 200 MB: %i bodies of %i one-byte chunks',
  async (command, bodies, chunks) => {
    const gateway = createServer((request, out) => request.resume().on('end', () => out.end('{}')));
    const baseUrl = `http://127.0.0.1:${await listening(gateway)}`;
    const model = { id: 'm', protocols: ['responses'], supports: [], lacks: [] };
    const target = { regions: [{ name: 'eu', baseUrl }], keys: { owner }, models: [model] };
    const file = join(temporaryFolder(), 'target.yaml');
    writeFileSync(file, JSON.stringify(target));
    const options = command === 'serve' ? ['--port', '0'] : ['--target', file, '--listen', '0'];
    const main = join(packageRoot, 'dist', 'harness', 'main.js');
    const child = spawn(process.execPath, [main, command, ...options]);
    onTestFinished(() => void child.kill());
    const [told] = await once(child.stdout, 'data');
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(`${told}`)?.[1]);
    const all = await Promise.all(Array.from({ length: bodies }, () => begun(port, chunks)));
    for (const end of all) await end();
    expect(memoryOf(child.pid)).toBeLessThan(200);
  },
  60_000,
);
