import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inProcess } from '../../../kernel/cli/testing.ts';
import { loadTarget } from '../../../kernel/targets/load.ts';
import { listening } from '../../../kernel/wire/testing-server.ts';
import { honestGateways } from '../../../proof/honest/index.ts';
import { startHonest } from '../../../proof/honest/start.ts';
import { startReference } from '../../../reference/index.ts';
import { temporaryFolder } from '../../../testing.ts';

const folder = temporaryFolder();

const gateway = await startReference();
const { owner, restricted } = gateway.keys;
const environment = { TOUCHSTONE_KEY: owner, TOUCHSTONE_KEY_RESTRICTED: restricted };
afterAll(() => gateway.close());

const call = (line: string) => inProcess(line, environment);

function regions(): string {
  return gateway.regions.map(({ name, baseUrl }) => `--region ${name}=${baseUrl}`).join(' ');
}

/** A server that answers each request so; gives its address and what it was asked. */
async function serve(answer: (path: string, body: string) => { status: number; body: unknown }) {
  const asked: { path: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = `${request.method} ${request.url}`;
    asked.push({ path, body });
    const { status, body: sent } = answer(path, body);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(sent));
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}

// The steps depend on each other, so they must not be shuffled.
describe('of the reference gateway', { shuffle: false }, () => {
  const file = join(folder, 'reference.yaml');

  test('a file is written that loads, and says of its models what is true', async () => {
    const { code, out, err } = await call(`init ${regions()} --out ${file}`);
    expect(err).toBe('');
    expect(out).toContain(`touchstone doctor --target ${file}`);
    expect(code).toBe(0);
    const target = loadTarget(file, environment);
    expect(target.regions).toEqual(gateway.regions.map(({ name, baseUrl }) => ({ name, baseUrl })));
    const { models } = loadTarget(written(), environment);
    expect(target.models.map(({ id }) => id)).toEqual(models.map(({ id }) => id));
    for (const [index, found] of target.models.entries()) {
      const truth = models[index];
      expect([...found.protocols].sort()).toEqual([...(truth?.protocols ?? [])].sort());
      for (const name of found.supports) expect(truth?.supports).toContain(name);
      for (const name of found.lacks) expect(truth?.supports).not.toContain(name);
    }
    expect(target.models[0]?.supports).toContain('count_tokens');
    expect(target.models.find(({ id }) => id === 'ts-shared')?.permitted).toEqual([
      'owner',
      'restricted',
    ]);
  });

  test('no key stands in it', () => {
    const text = readFileSync(file, 'utf8');
    for (const key of Object.values(gateway.keys)) expect(text).not.toContain(key);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a target file
    expect(text).toContain('owner: ${TOUCHSTONE_KEY}');
  });

  test('doctor finds nothing wrong with it', async () => {
    const { code, out } = await call(`doctor --target ${file}`);
    expect(out).toContain('No problems with the target file.');
    expect(code).toBe(0);
  });

  test('it is not replaced without --force', async () => {
    const { code, err } = await call(`init ${regions()} --out ${file}`);
    expect(err).toContain('already exists');
    expect(code).toBe(3);
    expect((await call(`init ${regions()} --model ts-omni --out ${file} --force`)).code).toBe(0);
    expect(loadTarget(file, environment).models).toHaveLength(1);
  });

  test('with --generate, streams are seen, too', async () => {
    const out = join(folder, 'generated.yaml');
    await call(`init ${regions()} --model ts-omni --model ts-plain --generate --out ${out}`);
    const [omni, plain] = loadTarget(out, environment).models;
    const streams = [
      'stream:chat-completions',
      'stream:generative',
      'stream:messages',
      'stream:responses',
    ];
    const ofStreams = (names: readonly string[] = []) =>
      names.filter((name) => name.startsWith('stream')).sort();
    expect(ofStreams(omni?.supports)).toEqual(streams);
    expect(ofStreams(plain?.lacks)).toEqual(streams);
  });
});

test('with --generate, a model that thinks before it answers gets room for its answer', async () => {
  const honest = honestGateways.find(({ id }) => id === 'thinking.more-than-the-limit');
  if (honest === undefined) throw new Error('There is no such gateway');
  const { target, close } = await startHonest(honest);
  const out = join(folder, 'thinking.yaml');
  const [{ baseUrl } = { baseUrl: '' }] = target.regions;
  await call(`init --base-url ${baseUrl} --model ts-omni --generate --out ${out}`);
  await close();
  expect(loadTarget(out, environment).limits.maxOutputTokens).toBe(256);
});

test('nothing is generated: what goes to generation endpoints cannot be served', async () => {
  const { url, asked } = await serve((path) =>
    path === 'GET /v1/models'
      ? { status: 200, body: { data: [{ id: 'm-1' }] } }
      : { status: 400, body: { error: { message: 'bad body' } } },
  );
  const out = join(folder, 'free.yaml');
  expect((await call(`init --base-url ${url} --out ${out}`)).code).toBe(0);
  const posts = asked.filter(({ path }) => path.startsWith('POST'));
  // Endpoints that are not judged get an empty body.
  const generations = posts.filter(
    ({ path, body }) => body !== '{}' && !/input_tokens|count_tokens|:countTokens/.test(path),
  );
  // One shows that a gateway is there, three where the key goes; two for each protocol what the model declares.
  expect(generations).toHaveLength(14);
  for (const { body } of generations) {
    const { input, messages, contents, state } = JSON.parse(body);
    expect([input, messages, contents, state].filter((value) => value !== undefined)).toEqual([5]);
  }
});

test('endpoints that are served and not judged are named, in the file and in every report', async () => {
  const { url } = await serve((path) => {
    if (path === 'GET /v1/models') return { status: 200, body: { data: [{ id: 'm-1' }] } };
    if (path === 'GET /v1/files') return { status: 200, body: { data: [] } };
    return { status: 400, body: { error: { message: 'bad body' } } };
  });
  const out = join(folder, 'more.yaml');
  const { out: said } = await call(`init --base-url ${url} --out ${out}`);
  expect(said).toContain('served, not judged: files');
  expect(readFileSync(out, 'utf8')).toContain('\nalsoServes: [files]\n');
  const judged = await call(`run --target ${out} models/list`);
  expect(judged.out).toContain('Served, not judged: files.');
});

test('what the catalog leaves out is open', async () => {
  const { url } = await serve((path) => {
    if (path === 'GET /v1/models') return { status: 200, body: { data: [{ id: 'm-1' }] } };
    if (path.startsWith('GET /v1beta/models')) {
      const entry = { name: 'models/m-1', supportedGenerationMethods: ['generateContent'] };
      return { status: 200, body: { models: [entry] } };
    }
    return { status: 400, body: { error: { message: 'bad body' } } };
  });
  const out = join(folder, 'open.yaml');
  expect((await call(`init --base-url ${url} --out ${out}`)).code).toBe(0);
  const [model] = loadTarget(out, environment).models;
  expect(model?.protocols).toContain('generative');
  expect(model?.lacks).not.toContain('stream:generative');
  expect(model?.supports).not.toContain('stream:generative');
});

test('what says of itself that it is not there is no guess', async () => {
  const { url } = await serve((path) => {
    if (path === 'GET /v1/models') return { status: 200, body: { data: [{ id: 'm-1' }] } };
    const endpoint = path.replace(/^\S+ /, '');
    const message = /chat/.test(path) ? 'bad body' : `Endpoint ${endpoint} is not supported`;
    return { status: 400, body: { error: { message } } };
  });
  const out = join(folder, 'one-endpoint.yaml');
  expect((await call(`init --base-url ${url} --out ${out}`)).code).toBe(0);
  expect(readFileSync(out, 'utf8')).toContain('protocols: [chat]  # a guess: check it');
});

describe('a protocol that a model does not declare', () => {
  /** A gateway whose one model declares Chat, and that says so with these answers. */
  async function declaredOf(
    undeclared: (path: string) => { status: number; body: unknown },
    unknown: { status: number; body: unknown },
    catalog: readonly string[] = [],
  ) {
    const { url } = await serve((path, body) => {
      if (path === 'GET /v1/models') return { status: 200, body: { data: [{ id: 'm-1' }] } };
      if (path.startsWith('GET /v1beta/models')) {
        return { status: 200, body: { models: catalog.map((id) => ({ name: `models/${id}` })) } };
      }
      if (`${path}${body}`.includes('no-such-model')) return unknown;
      if (!path.includes('/chat/')) return undeclared(path);
      return { status: 400, body: { error: { message: 'messages: expected a list' } } };
    });
    const out = join(folder, `declared-${count++}.yaml`);
    expect((await call(`init --base-url ${url} --out ${out}`)).code).toBe(0);
    const [model] = loadTarget(out, environment).models;
    return { protocols: model?.protocols, text: readFileSync(out, 'utf8') };
  }
  let count = 0;
  const noModel = { status: 404, body: { error: { message: 'The model does not exist' } } };
  const saying = (message: string, more = {}) => ({
    status: 400,
    body: { error: { message, ...more } },
  });

  test.each([
    ['names neither', 'This protocol is not available for the requested resource', {}],
    ['has a code', 'Not so.', { code: 'protocol_not_supported' }],
    ['names the model', 'Model m-1 does not support messages', {}],
    ['speaks of the model', 'messages is not supported by this model', {}],
    ['names the endpoint', 'This model cannot serve the requested endpoint.', {}],
  ])('is not taken for declared where the refusal %s', async (_, message, more) => {
    const { protocols, text } = await declaredOf(() => saying(message, more), noModel);
    expect(protocols).toEqual(['chat-completions']);
    expect(text).not.toContain('Unknown without a generation');
  });

  test('nor where an unknown model is just not found', async () => {
    const answer = saying('This protocol is not available for the requested resource');
    const { protocols } = await declaredOf(() => answer, { status: 404, body: {} });
    expect(protocols).toEqual(['chat-completions']);
  });

  test('stays open where the refusal tells nothing', async () => {
    const { protocols, text } = await declaredOf(() => saying('Bad state of affairs.'), noModel);
    expect(protocols).toEqual(['chat-completions']);
    expect(text).toContain(
      'Unknown without a generation (see init --generate): responses, vendorA-messages, vendorB',
    );
  });

  test.each([
    ['read to its end', ['m-2'], ['chat-completions', 'messages']],
    ['empty', [], ['chat-completions', 'messages', 'generative']],
  ])('is seen from a catalog that is %s', async (_, catalog, expected) => {
    const ofBody = (path: string) =>
      /messages|:generate/.test(path)
        ? saying('Wrong.', {
            details: [{ fieldViolations: [{ field: 'contents[0]' }] }],
            param: null,
          })
        : saying('No such endpoint.');
    const param = (path: string) =>
      path.includes('/messages') ? saying('Wrong.', { param: 'messages' }) : ofBody(path);
    const { protocols } = await declaredOf(param, noModel, catalog);
    expect(protocols).toEqual(expected);
  });
});

test('where nothing tells, the file says that it guesses, and loads', async () => {
  const odd = 'a\n"b": {c} #d';
  const { url } = await serve((path) =>
    path === 'GET /v1/models'
      ? { status: 200, body: { data: [{ id: odd }] } }
      : { status: 400, body: { error: { message: 'bad body' } } },
  );
  const out = join(folder, 'guess.yaml');
  expect((await call(`init --base-url ${url} --out ${out}`)).code).toBe(0);
  expect(readFileSync(out, 'utf8')).toContain('protocols: [responses]  # a guess: check it');
  expect(loadTarget(out, environment).models).toMatchObject([
    { id: odd, protocols: ['responses'] },
  ]);
});

describe('wrong usage', () => {
  test.each([
    ['init', 'Name the gateway: --base-url URL'],
    ['init --region eu', 'Expected NAME=URL'],
    ['init --base-url ftp://x --out never.yaml', 'is not an http:// or https:// address'],
  ])('%s', async (line, message) => {
    const { code, err } = await call(line);
    expect(err).toContain(message);
    expect(code).toBe(3);
  });

  test('a gateway that lists no models needs one to be named', async () => {
    const { url } = await serve(() => ({ status: 200, body: {} }));
    const { code, err } = await call(`init --base-url ${url} --out ${join(folder, 'none.yaml')}`);
    expect(err).toContain('GET /v1/models has another form than a list of models');
    expect(err).toContain('Name a model with --model ID');
    expect(code).toBe(3);
  });

  test('a gateway that refuses its lists is not said to list nothing', async () => {
    const error = { message: 'version header is required' };
    const { url } = await serve(() => ({ status: 400, body: { error } }));
    const { err } = await call(`init --base-url ${url} --out ${join(folder, 'none.yaml')}`);
    expect(err).toContain('GET /v1/models answered 400 (version header is required)');
  });

  test('a gateway that nobody listens at exits with 4', async () => {
    const out = join(folder, 'nobody.yaml');
    expect((await call(`init --base-url http://127.0.0.1:1 --out ${out}`)).code).toBe(4);
  });
});

/** The file in which the gateway itself says what its models are. */
function written(): string {
  const file = join(folder, 'truth.yaml');
  const { regions, keys, models } = gateway;
  writeFileSync(file, JSON.stringify({ regions, keys, models }));
  return file;
}
