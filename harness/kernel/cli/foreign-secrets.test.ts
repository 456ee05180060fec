import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../testing.ts';
import type { Exchange } from '../core/exchange.ts';
import { idFrom } from '../core/testing.ts';
import { keysShown } from '../judge/keys-shown.ts';
import { redactExchange, withoutKeyShapes } from '../redaction/index.ts';
import { targetFileOf } from '../targets/served-target-file.ts';
import { fromLine, toLine } from '../wire/recording.ts';
import { inProcess } from './testing.ts';

/** Secrets that nobody has told us of: those of other people's traffic, and keys of providers in answers. */

const folder = temporaryFolder();
const reports = ['json', 'junit', 'markdown', 'ctrf', 'html', 'record'] as const;

/** Headers that carry credentials in the wild. */
const headers = [
  ...['Authorization', 'Proxy-Authorization', 'Cookie', 'x-api-key', 'api-key', 'x-goog-api-key'],
  ...['Helicone-Auth', 'cf-aig-authorization', 'Ocp-Apim-Subscription-Key', 'x-functions-key'],
  ...['x-litellm-key', 'x-portkey-virtual-key', 'x-portkey-api-key', 'x-subscription-key'],
  ...['x-master-key', 'x-provider-key', 'x-openai-key', 'X-BYOK', 'X-Auth', 'X-Auth-Key'],
  ...['x-authentication', 'authentication', 'x-serverless-authorization', 'x-jwt', 'X-Pass'],
  ...['x-jwt-assertion', 'x-amzn-oidc-data', 'x-amzn-oidc-accesstoken', 'x-llm-credential'],
  ...['x-braintrust-auth', 'x-vercel-protection-bypass', 'x-hub-signature-256', 'x-signature'],
  ...['X-Credential', 'x-amz-security-token', 'x-csrf-token', 'x-ms-token-aad-id-token', 'dpop'],
  ...['x-goog-iam-authority-selector', 'x-goog-iap-jwt-assertion', 'x-forwarded-access-token'],
  ...['x-session', 'x-user-pin', 'x-tenant', 'x-nobody-knows', 'sec-websocket-protocol', 'referer'],
];
const parameters = [
  ...[
    'key',
    'api_key',
    'apikey',
    'access_token',
    'token',
    'auth',
    'jwt',
    'code',
    'pwd',
    'password',
  ],
  ...[
    'subscription-key',
    'X-Amz-Signature',
    'X-Amz-Credential',
    'X-Amz-Security-Token',
    'sv',
    'sig',
  ],
  ...['secret', 'client_secret', 'state', 'nobody_knows', 'a%75th'],
];

const value = fc
  .array(fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'), {
    minLength: 20,
    maxLength: 40,
  })
  .map((letters) => letters.join(''));
const [one, ...values] = fc.sample(value, { seed: 11, numRuns: 400 });

/** A text as a reader of an output may read it. */
function readings(text: string): readonly string[] {
  const json = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return [text, json, json.replaceAll(/\\+n|\s+/g, ''), text.replaceAll(/[^A-Za-z0-9]/g, '')];
}

function shownIn(text: string, secrets: readonly string[]): readonly string[] {
  const all = readings(text);
  return secrets.filter((secret) => all.some((reading) => reading.includes(secret)));
}

test('observe shows no value of a header or a parameter that is not known to be harmless', {
  timeout: 120_000,
}, async () => {
  const rest = [...values];
  const next = (): string => rest.pop() ?? '';
  const used: string[] = [];
  const secret = (): string => {
    const drawn = next();
    used.push(drawn);
    return drawn;
  };
  const entries = [...headers, ...parameters].map((name, index) => {
    const isHeader = index < headers.length;
    const scheme = /authorization$/i.test(name) ? 'Bearer ' : '';
    const said = secret();
    const query = isHeader ? '' : `?${name}=${said}&limit=2#${secret()}`;
    return {
      startedDateTime: new Date(1_700_000_000_000 + index).toISOString(),
      time: 5,
      request: {
        method: 'POST',
        // All paths but the first are wrong, so that findings quote them.
        url: `https://gw.example/${index === 0 ? 'v1' : 'v1/v1'}/chat/completions${query}`,
        headers: [
          { name: 'content-type', value: 'application/json' },
          ...(isHeader ? [{ name, value: scheme + said }] : []),
        ],
        postData: { text: '{"model":"m","messages":[{"role":"user","content":"Hello"}]}' },
      },
      response: {
        status: 404,
        headers: [
          { name: 'content-type', value: 'application/json' },
          { name, value: secret() },
          { name: 'set-cookie', value: `session=${secret()}; Path=/` },
          { name: 'location', value: `https://gw.example/v1?token=${secret()}` },
        ],
        content: { text: JSON.stringify({ error: { message: `not found: ${said}` } }) },
      },
    };
  });
  const file = join(folder, 'traffic.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }));
  const outputs = reports.map((name) => [name, join(folder, `observed.${name}`)] as const);
  const options = outputs.map(([name, path]) => `--${name} ${path}`).join(' ');
  const { out, err } = await inProcess(`observe --har ${file} --github ${options}`);
  expect(out).toContain('v1/v1/chat/completions');
  // In a body, a repeated value is recognised only if its name or form indicates a secret; all of these do.
  for (const [name, text] of [
    ['standard output', out],
    ['standard error', err],
    ...outputs.map(([name, path]) => [name, readFileSync(path, 'utf8')] as const),
  ] as const) {
    expect([name, shownIn(text, used)]).toEqual([name, []]);
  }
  expect(readFileSync(join(folder, 'observed.record'), 'utf8')).toContain('limit=2');
});

const letters = (length: number) =>
  `Zq4hT2mXw7RbN5cVy8KpD3sLr6jUe9QaFt1HnZo5WxC2vMdY7kSb9PiJu4`.slice(0, length);
const keys: Readonly<Record<string, string>> = {
  'sk-': `sk-${letters(48)}`,
  'sk-proj-': `sk-proj-${letters(40)}`,
  'sk-ant-': `sk-ant-api03-${letters(40)}`,
  AIza: `AIza${letters(35)}`,
  AKIA: `AKIA${letters(40).toUpperCase().slice(0, 16)}`,
  'ya29.': `ya29.${letters(40)}`,
  ghp_: `ghp_${letters(36)}`,
  github_pat_: `github_pat_${letters(40)}`,
  'xoxb-': `xoxb-123456789012-${letters(24)}`,
  hf_: `hf_${letters(34)}`,
  gsk_: `gsk_${letters(48)}`,
  JWT: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${letters(43)}`,
  Bearer: `Bearer ${letters(32)}`,
  Stripe: ['sk', 'live', letters(24)].join('_'),
};

const each = (write: (one: string) => string) => (text: string) => [...text].map(write).join('');
const hex = (one: string, digits: number) => one.charCodeAt(0).toString(16).padStart(digits, '0');
const codings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'JSON escapes': each((one) => `\\u${hex(one, 4)}`),
  'percent-encoded': each((one) => `%${hex(one, 2)}`),
  '%u': each((one) => `%u${hex(one, 4)}`),
  '\\U': each((one) => `\\U${hex(one, 8)}`),
  octal: each((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'byte escapes': each((one) => `\\x${hex(one, 2)}`),
  entities: each((one) => `&#x${hex(one, 2)};`),
};

const answer = { status: 401, headers: [], body: new Uint8Array(), chunks: [], complete: true };
const empty: Exchange = {
  id: idFrom('test#main/0'),
  about: { operation: 'test', protocol: 'responses', region: 'here', key: 'owner' },
  request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: null },
  response: answer,
  socket: null,
  failure: null,
  times: { started: 0, headers: null, ended: 3 },
  echoed: [],
};
const body = (text: string, status = 401): Exchange => ({
  ...empty,
  response: { ...answer, status, body: Buffer.from(text) },
});
const places: Readonly<Record<string, (key: string) => Exchange>> = {
  'an error': (key) => body(`{"error":{"message":"Incorrect API key provided: ${key}."}}`),
  'a page': (key) => body(`<p>key=${key}</p>`),
  'a header': (key) => ({ ...empty, response: { ...answer, headers: [['x-upstream', key]] } }),
  'an error in a stream': (key) =>
    body(`event: error\ndata: {"type":"error","error":{"message":"${key}"}}\n\n`, 200),
  'a text in an escaped line': (key) =>
    body(`{"error":{"message":"It said:\\n${key}\\nwas wrong"}}`),
};

test('a key of any usual shape is masked where an answer is made, told, and told again of a recording', () => {
  for (const [name, key] of Object.entries(keys)) {
    for (const [coding, write] of Object.entries(codings)) {
      for (const [place, put] of Object.entries(places)) {
        const where = `${name}, ${coding}, ${place}`;
        const exchange = redactExchange(put(write(key)), {});
        const secret = key.replace(/^Bearer /, '').slice(-20);
        const { response } = withoutKeyShapes(exchange);
        const shown = `${response?.headers.flat().join(' ')} ${Buffer.from(response?.body ?? [])}`;
        expect(shown, where).not.toContain(write(secret));
        if (coding !== 'as it is') continue;
        expect(Buffer.from(exchange.response?.body ?? []).length, where).toBe(
          put(key).response?.body.length,
        );
        const told = keysShown(exchange);
        expect(told, where).toHaveLength(1);
        const { exchange: again } = fromLine(toLine(withoutKeyShapes(exchange)));
        expect(keysShown(again), where).toEqual(told);
      }
    }
  }
});

test('a key that is broken over lines is masked on each of them', () => {
  for (const [name, key] of Object.entries(keys)) {
    if (name === 'Bearer') continue;
    const wrapped = key.replaceAll(/(.{30})/g, '$1\\n');
    const exchange = redactExchange(body(`{"error":{"message":"${wrapped}"}}`), {});
    expect(Buffer.from(exchange.response?.body ?? []).toString(), name).not.toContain(
      key.slice(-8),
    );
  }
});

test.each([
  'sk-your-api-key-goes-here-please',
  'the task-oriented approach of a disk-based store-and-forward system',
  'WWW-Authenticate: Bearer realm="models", error="invalid_token"',
  'Bearer authentication is required for this request',
  'resp_sk-abcdefghijklmnopqrstuvwxyz0123456789',
  `data:image/png;base64,${letters(50)}sk-${letters(30)}`,
  'AKIA is the beginning of a key, and AIza of another',
])('what is no key stays: %s', (text) => {
  const exchange = body(JSON.stringify({ error: { message: text } }));
  expect(redactExchange(exchange, {}).response?.body).toEqual(exchange.response?.body);
  expect(keysShown(exchange)).toEqual([]);
});

test('nobody is blamed for what a model wrote, or for what the request itself had', () => {
  const key = keys['sk-proj-'] ?? '';
  const written = body(
    JSON.stringify({ output: [{ content: [{ text: `Use ${key}` }] }], error: null }),
    200,
  );
  expect(keysShown(redactExchange(written, {}))).toEqual([]);
  const asked = Buffer.from(JSON.stringify({ input: `What is ${key}?` }));
  const refused = body(JSON.stringify({ error: { message: `No: What is ${key}?` } }));
  const exchange = { ...refused, request: { ...refused.request, body: asked } };
  expect(keysShown(redactExchange(exchange, {}))).toEqual([]);
  expect(keysShown(withoutKeyShapes(redactExchange(exchange, {})))).toEqual([]);
});

test('a run warns of a key of a provider, shows it nowhere, and its recording is judged alike', {
  timeout: 120_000,
}, async () => {
  const defect = faults.find(({ id }) => id === 'refusals.quote-the-key-of-the-provider');
  const gateway = await startReference(defect === undefined ? {} : { defect });
  onTestFinished(() => gateway.close());
  const target = join(folder, 'target.yaml');
  writeFileSync(target, targetFileOf(gateway));
  const outputs = reports.map((name) => [name, join(folder, `run.${name}`)] as const);
  const options = outputs.map(([name, path]) => `--${name} ${path}`).join(' ');
  const ids = 'access/credentials.no-key-shown input/requests';
  const ran = await inProcess(
    `run --target ${target} ${ids} --seed 2 --github --allow-partial ${options}`,
  );
  expect(ran.out).toContain('a key that begins with `sk-proj-`, in the body');
  const record = join(folder, 'run.record');
  const again = join(folder, 'again.json');
  const rechecked = await inProcess(`recheck ${record} --json ${again}`);
  const verdicts = (file: string) =>
    JSON.parse(readFileSync(file, 'utf8')).checks.map(
      (one: { id: string; verdict: { state: string; actual?: string } }) => [
        one.id,
        one.verdict.state,
      ],
    );
  expect(verdicts(again)).toEqual(verdicts(join(folder, 'run.json')));
  const all = [ran, rechecked].flatMap(({ out, err }) => [out, err]);
  for (const text of [...all, ...outputs.map(([, path]) => readFileSync(path, 'utf8'))]) {
    expect(shownIn(text, ['Zq4hT2mXw7RbN5cVy8KpD3sLr6jU'])).toEqual([]);
  }
});

test('there are enough values', () =>
  expect([one, values.length]).toEqual([expect.any(String), 399]));
