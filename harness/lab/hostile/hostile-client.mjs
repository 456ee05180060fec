/** A client under test that means harm, by name: `node hostile-client.mjs <name>`. At first it does what it is asked. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

const {
  TOUCHSTONE_BASE_URL: base = 'http://127.0.0.1:1',
  TOUCHSTONE_API_KEY: key,
  TOUCHSTONE_MODEL: model,
} = process.env;
const { hostname, port, pathname } = new URL(base);
const path = `${pathname}/v1/chat/completions`;
const head = (length) =>
  `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
const raw = (...pieces) =>
  new Promise((resolve) => {
    const socket = connect(port, hostname).on('error', resolve).on('close', resolve);
    for (const piece of pieces) socket.write(piece);
    socket.resume();
  });
const ask = (body, headers = {}) =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  }).then((answer) => answer.text());
const content = process.env.TOUCHSTONE_PROMPT;
const good = JSON.stringify({ model, messages: [{ role: 'user', content }] });
const forever = () => new Promise(() => setInterval(() => undefined, 1_000));

const all = {
  'endless-output': () => {
    const write = () => process.stdout.write('a'.repeat(65_536), write);
    write();
    process.stderr.write('b'.repeat(10_000_000));
    return forever();
  },
  'commands-and-escapes': () =>
    console.log('\x1b[2J\x1b]0;t\x07\n::error::injected\n##vso[task.complete]x\n\u202e\u0000'),
  'flood-of-requests': async () => {
    for (let n = 0; n < 3_000; n += 100) {
      await Promise.all(Array.from({ length: 100 }, () => ask(good).catch(() => undefined)));
    }
  },
  'flood-of-connections': async () => {
    for (let n = 0; n < 1_000; n++) connect(port, hostname).on('error', () => undefined);
    await forever();
  },
  'slow-bodies': async () => {
    for (let n = 0; n < 200; n++) void raw(head(1_000_000), '{');
    await forever();
  },
  'endless-body': () => {
    const socket = connect(port, hostname).on('error', () => process.exit());
    socket.write(head(2 ** 40));
    const more = () => socket.write('a'.repeat(1_000_000), more);
    more();
    return forever();
  },
  'deep-body': () => ask('['.repeat(200_000)),
  'wide-body': () => ask(`{${Array.from({ length: 500_000 }, (_, n) => `"k${n}":0`).join()}}`),
  'wrong-framing': () =>
    raw(
      'GET / HTTP/9.9\r\n\r\n',
      head('-1'),
      head(3),
      '{}',
      '\r\n'.repeat(10_000),
      '\x16\x03\x01\x00',
    ),
  'two-lengths': () =>
    raw(head(0).replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n'), 'zz\r\n'),
  'long-headers': () => raw(`GET ${path} HTTP/1.1\r\n${'x: y\r\n'.repeat(100_000)}\r\n`),
  'other-addresses': async () => {
    for (const other of ['/', '/s/', '/../..', '/_touchstone/ledger', '/s/%2e%2e/x', '//evil/'])
      await fetch(new URL(other, base), { headers: { origin: 'http://evil.example' } }).catch(
        () => 0,
      );
    await raw('CONNECT evil.example:443 HTTP/1.1\r\n\r\n');
  },
  'payload-in-requests': () =>
    ask(good.replace(content, '</script>\\u001b[2J::error::x'), { 'x-a': '::error::' }),
  'children-that-stay': () => {
    for (let n = 0; n < 5; n++)
      spawn('sleep', ['20'], { detached: n % 2 === 0, stdio: 'inherit' }).unref();
  },
  'ignores-signals': () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    return forever();
  },
  'memory-of-its-own': () => process.kill(process.pid, 'SIGKILL'),
};

if (process.argv[2] === '--names') console.log(JSON.stringify(Object.keys(all)));
else {
  // A client that sends no generation is not judged.
  console.log(await ask(good));
  await all[process.argv[2]]();
}
