import { expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../../kernel/core/exchange.ts';
import { idFrom } from '../../kernel/core/testing.ts';
import { contentOf } from '../../kernel/protocols/content.ts';
import { startClock } from '../../kernel/wire/clock.ts';
import type { Framing, Script } from '../sessions/script.ts';
import { type ScriptedGateway, startScriptedGateway } from './gateway.ts';
import type { Stage } from './stage.ts';

async function started(told = (_: Exchange): void => {}): Promise<ScriptedGateway> {
  const gateway = await startScriptedGateway(startClock(), told, 200);
  onTestFinished(() => gateway.close());
  return gateway;
}

async function staged(script: Script, gateway?: ScriptedGateway): Promise<Stage> {
  const own = gateway ?? (await started());
  return own.stage(idFrom('client/test#responses/0'), 'lodrairnubian', {
    protocol: 'responses',
    script,
  });
}

function ask(stage: Stage, more: object = {}, path = '/v1/responses'): Promise<Response> {
  return fetch(`${stage.regions[0]?.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: stage.model,
      input: `Write a sentence about the name ${stage.word}.`,
      ...more,
    }),
  });
}

/** Returns the status and text of a response, or `failed`. */
async function outcomeOf(response: Promise<Response>): Promise<string> {
  try {
    const answer = await response;
    return `${answer.status} ${await answer.text()}`;
  } catch {
    return 'failed';
  }
}

async function recorded(stage: Stage): Promise<readonly Exchange[]> {
  await expect.poll(() => stage.open).toBe(0);
  return stage.exchanges;
}

test('serves, and records what came and what was answered', async () => {
  const stage = await staged({});
  expect(await outcomeOf(ask(stage))).toContain('200 {');
  const [exchange] = await recorded(stage);
  expect(exchange).toMatchObject({
    id: idFrom('client/test#responses/0.0'),
    about: { operation: 'responses.create', protocol: 'responses', region: 'eu', key: 'owner' },
    failure: null,
  });
  expect(JSON.stringify(exchange)).not.toContain(stage.secret);
  expect(exchange && contentOf(exchange).text).not.toBe('');
});

test.for<[answer: NonNullable<Script['answer']>, stream: boolean, outcome: RegExp]>([
  [{ kind: 'reset' }, false, /^failed$/],
  [{ kind: 'reset' }, true, /^failed$/],
  [{ kind: 'no-answer' }, false, /^failed$/],
  [{ kind: 'cut-body' }, false, /^failed$/],
  [{ kind: 'cut-body' }, true, /^200 [\s\S]*response.completed/],
  [{ kind: 'cut-stream', events: 3 }, true, /^failed$/],
  [{ kind: 'cut-stream', events: 3 }, false, /^200 [\s\S]*"completed"/],
  [{ kind: 'stall', events: 3 }, true, /^failed$/],
  [{ kind: 'ends-early', events: 3 }, true, /^200 (?![\s\S]*response.completed)/],
  [{ kind: 'error-in-stream', events: 3 }, true, /^200 [\s\S]*event: error\n[\s\S]*server_error/],
  [{ kind: 'status', status: 503 }, false, /^503 [\s\S]*"server_error"/],
  [{ kind: 'status', status: 502, html: true }, true, /^502 <html>/],
])('%j, streamed: %s', async ([answer, stream, outcome]) => {
  const stage = await staged({ answer });
  expect(await outcomeOf(ask(stage, { stream }))).toMatch(outcome);
  const isMeant = !outcome.source.includes('completed') || answer.kind === 'ends-early';
  expect(stage.met).toBe(isMeant);
  // The next one is served.
  expect(await outcomeOf(ask(stage, { stream }))).toMatch(/^200 [\s\S]*completed/);
  expect(await recorded(stage)).toHaveLength(2);
});

test('says when to ask again', async () => {
  const stage = await staged({ answer: { kind: 'status', status: 429, retryAfter: '0' } });
  expect((await ask(stage)).headers.get('retry-after')).toBe('0');
});

test('refuses every connection, and counts them', async () => {
  const stage = await staged({ answer: { kind: 'refused' } });
  expect(await outcomeOf(ask(stage))).toBe('failed');
  expect(await outcomeOf(ask(stage))).toBe('failed');
  expect(stage).toMatchObject({ met: true, exchanges: [], connections: 2 });
});

test('redirects to another host, and records what it is sent', async () => {
  const stage = await staged({ answer: { kind: 'redirect', status: 307 } });
  expect(await outcomeOf(ask(stage))).toMatch(/^200/);
  const regions = (await recorded(stage)).map(({ about, request }) => [
    about.region,
    new URL(request.url).hostname,
  ]);
  expect(regions).toEqual([
    ['eu', '127.0.0.1'],
    ['elsewhere', 'localhost'],
  ]);
});

test.for<Framing>(['whole', 'bytes', 'joined', 'crlf', 'comments', 'unknown', 'lookalike'])(
  'writes a stream with the same text: %s',
  async (framing) => {
    const stage = await staged({ framing });
    expect(await outcomeOf(ask(stage, { stream: true }))).toMatch(/^200/);
    const [exchange] = await recorded(stage);
    expect(exchange && contentOf(exchange).text).toMatch(/^lodrairnubian .*\.$/);
  },
);

test('gives ids and models that have to be encoded', async () => {
  const stage = await staged({ odd: true });
  expect(stage.model).toMatch(/^acme\/.*#/);
  const { id } = Object(await (await ask(stage, { store: true })).json());
  expect(id).toMatch(/[/?#]/);
  const url = `${stage.regions[0]?.baseUrl}/v1/responses/${encodeURIComponent(id)}`;
  expect((await fetch(url)).status).toBe(200);
});

test('knows a client by its key where it leaves the path out, and keeps what is nobody’s', async () => {
  const all: Exchange[] = [];
  const gateway = await started((exchange) => all.push(exchange));
  const stage = await staged({}, gateway);
  const origin = gateway.regions[0]?.baseUrl;
  const headers = { authorization: `Bearer ${stage.secret}` };
  await (await fetch(`${origin}/v1/models`, { headers })).text();
  expect((await recorded(stage))[0]?.about).toMatchObject({ operation: 'models.list' });
  await (
    await fetch(`${origin}/v1/nowhere`, { headers: { 'x-api-key': 'a-real-key-of-somebody' } })
  ).text();
  await expect.poll(() => all.at(-1)?.id.scenario).toBe('stray');
  expect(JSON.stringify(all)).not.toContain('a-real-key-of-somebody');
});

test('takes in a body that it refuses at once, however long', async () => {
  const stage = await staged({});
  const input = `Write about ${stage.word}. ${'x'.repeat(300_000)}`;
  expect(await outcomeOf(ask(stage, { input }, '/v1/v1beta/nothing'))).toMatch(/^404/);
  const [exchange] = await recorded(stage);
  expect(exchange?.about.operation).toBe('unknown');
  expect(exchange?.request.body?.length).toBeGreaterThan(300_000);
});
