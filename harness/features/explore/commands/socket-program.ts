import { turnEnds } from '../../../kernel/protocols/index.ts';

/**
 * Maximum time in milliseconds for all turns of a connection, because curl waits indefinitely only while data arrives.
 */
const longestMs = 120_000;

/** Placeholder in a later turn for the id of the response that the first turn of its connection made. */
export const madeBefore = '@made-before@';

/**
 * Shell function `turns URL [-H HEADER]… [-x TURN]…` for a script: sends each turn after the end of the previous
 * one, and prints the answers like `curl -i`. It runs on any version of Node without packages. `curl` cannot hold a
 * conversation, and the WebSocket of newer Node releases does not expose a refusal. A `TURN` line shows how the
 * last turn ended.
 */
export const turnsFunction = String.raw`turns() { node - "$@" <<'END'
const [url, ...given] = process.argv.slice(2);
const [headers, turns, { randomBytes }] = [{}, [], require('crypto')];
for (let at = 0; at < given.length; at += 2) {
  const [option, value] = [given[at], given[at + 1]];
  if (option === '-x') turns.push(value);
  if (option === '-u') headers.Authorization = 'Basic ' + Buffer.from(value).toString('base64');
  if (option === '-H') headers[value.split(/[:;]/)[0]] = value.replace(/^[^:;]*[:;] ?/, '');
}
const say = (line) => require('fs').writeSync(1, line + '\n');
const head = ({ httpVersion, statusCode, rawHeaders: raw }) => {
  say('HTTP/' + httpVersion + ' ' + statusCode);
  for (let at = 0; at < raw.length; at += 2) say(raw[at] + ': ' + raw[at + 1]);
  say('');
};
const over = (turn) => { say('TURN ' + turn); process.exit(0); };
const framed = (code, data) => {
  const [mask, size] = [randomBytes(4), data.length];
  const start = Buffer.alloc(size > 65535 ? 10 : size > 125 ? 4 : 2);
  start[0] = 128 | code;
  start[1] = 128 | (size > 65535 ? 127 : size > 125 ? 126 : size);
  if (size > 65535) start.writeBigUInt64BE(BigInt(size), 2);
  else if (size > 125) start.writeUInt16BE(size, 2);
  return Buffer.concat([start, mask, data.map((byte, at) => byte ^ mask[at % 4])]);
};
const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
upgrade['Sec-WebSocket-Key'] = randomBytes(16).toString('base64');
const { request } = require(/^wss:/.test(url) ? 'https' : 'http');
const asked = request(url.replace(/^ws/, 'http'), { headers: { ...headers, ...upgrade } });
asked.on('error', ({ message }) => { console.error(message); process.exit(2); });
asked.on('response', (answer) => {
  head(answer);
  answer.on('data', (data) => require('fs').writeSync(1, data));
  answer.on('end', () => process.exit(0));
});
asked.on('upgrade', (answer, socket, first) => {
  let [left, text, sent, made] = [Buffer.alloc(0), [], 0, ''];
  const next = () => socket.write(framed(1, Buffer.from(turns[sent++].split('${madeBefore}').join(made))));
  const take = (code, data, last) => {
    if (code === 8) over('closed');
    if (code === 9) socket.write(framed(10, data));
    if (code > 2) return;
    text.push(data);
    if (!last) return;
    const whole = Buffer.concat(text).toString();
    text = [];
    say(whole);
    let event = {};
    try { event = JSON.parse(whole); } catch {}
    if (event.response && event.response.id) made = event.response.id;
    if (!${JSON.stringify(turnEnds)}.includes(event.type)) return;
    if (event.type === 'error') over(event.status || 'error');
    if (sent === turns.length) over(event.type);
    next();
  };
  const read = (data) => {
    left = Buffer.concat([left, data]);
    for (;;) {
      const short = left[1] & 127;
      const from = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (left.length < from) return;
      const size = short === 127 ? Number(left.readBigUInt64BE(2)) : short === 126 ? left.readUInt16BE(2) : short;
      if (left.length < from + size) return;
      const [start, body] = [left[0], left.subarray(from, from + size)];
      left = left.subarray(from + size);
      take(start & 15, body, start > 127);
    }
  };
  head(answer);
  socket.on('data', read);
  socket.on('error', () => over('broken'));
  socket.on('close', () => over('broken'));
  if (turns.length === 0) over('none');
  next();
  read(first);
});
asked.end();
setTimeout(() => over('unended'), ${longestMs});
END
}`;
