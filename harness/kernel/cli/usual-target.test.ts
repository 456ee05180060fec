import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { listening } from '../wire/testing-server.ts';
import { inProcess } from './testing.ts';

const empty = temporaryFolder();
const folder = temporaryFolder();
const nobody = `
name: nobody there
regions: [{ name: only, baseUrl: "http://127.0.0.1:1" }]
keys: { owner: a-key-of-mine }
models: [{ id: m, protocols: [responses] }]
`;
writeFileSync(join(folder, 'touchstone.yaml'), nobody);

const call = (line: string, where: string, environment = {}) => inProcess(line, environment, where);

const few = 'models/list.shape --allow-partial';

test.each([`run ${few}`, 'doctor'])(
  '%s takes the touchstone.yaml of the folder, and says so',
  async (line) => {
    const { err, out, code } = await call(line, folder);
    expect(err).toContain('Target: touchstone.yaml, which is in this folder.');
    expect(out + err).toContain('http://127.0.0.1:1 (region only) cannot be reached');
    expect(code).toBe(4);
  },
);

test('plan takes it, too', async () => {
  expect((await call('plan models/list', folder)).out).toContain('nobody there');
});

test('what the command line names comes first', async () => {
  const { err, out, code } = await call(`run ${few} --reference embedded`, folder);
  expect(err).not.toContain('Target:');
  expect(out).toContain('reference gateway');
  expect(code).toBe(0);
});

describe('without a target', () => {
  test('run judges the reference gateway, and says so', async () => {
    const { err, code } = await call(`run ${few}`, empty);
    expect(err).toContain('this judges the reference gateway that comes with Touchstone');
    expect(code).toBe(0);
  });

  test('demo means it, in CI too', async () => {
    const { err, out, code } = await call('demo models/list.shape -q', empty, { CI: 'true' });
    expect(err).toBe('');
    expect(out).toContain('1 passed');
    // Exit code 2, because not everything was judged.
    expect(code).toBe(2);
  });

  test.each([
    ['run', { CI: 'true' }],
    ['plan', { CI: '1' }],
    ['doctor', {}],
    ['observe --listen 0', {}],
    [`certify --out ${join(empty, 'bundle')}`, {}],
  ])('%s with %o exits with 3', async (line, environment) => {
    const { err, code } = await call(line, empty, environment);
    expect(err).toContain('No target is named, and there is no touchstone.yaml in this folder.');
    expect(code).toBe(3);
  });
});

/** A server with this answer for all that is asked; gives its address. */
async function serve(status: number, type: string, body: string): Promise<string> {
  const server = createServer((request, answer) =>
    request.resume().on('end', () => answer.writeHead(status, { 'content-type': type }).end(body)),
  );
  return `http://127.0.0.1:${await listening(server)}`;
}

describe('an address at which no generation endpoint answers like one', () => {
  const key = { TOUCHSTONE_KEY: 'a-key-of-mine' };

  test.each([
    ['a file server', 404, 'text/html', '<h1>Not found</h1>'],
    ['a web application', 404, 'application/json', '{"detail":"Not Found"}'],
    [
      'another web application',
      404,
      'application/json',
      '{"message":"Route POST:/v1/responses not found","error":"Not Found","statusCode":404}',
    ],
    ['what takes no POST', 405, 'text/plain', ''],
  ])('%s: run, doctor and init exit with 4 and say what they saw', async (_, ...answer) => {
    const url = await serve(...answer);
    for (const line of ['run', 'doctor', `init --out ${join(empty, 'none.yaml')}`]) {
      const { code, out, err } = await call(`${line} --base-url ${url} --model m`, empty, key);
      const said = `${out}${err}`.replace(/\s+/g, ' ');
      expect(said).toContain('does not look like a gateway: no generation endpoint answers');
      expect(said).toContain(`POST /v1/chat/completions answered ${answer[0]}`);
      expect(said).toContain('Check the base address');
      expect(code).toBe(4);
    }
  });

  test.each([
    [
      'says that there is no such model',
      404,
      '{"error":{"message":"The model `m` does not exist"}}',
    ],
    ['is broken', 500, '{}'],
    ['refuses the body', 400, ''],
    ['has served it', 200, '{}'],
  ])('is none that %s: that is judged', async (_, status, body) => {
    const url = await serve(status, 'application/json', body);
    const { code } = await call(`run models/list.shape --base-url ${url} --model m`, empty, key);
    expect(code).not.toBe(4);
  });
});
