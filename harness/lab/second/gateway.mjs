// The gateway: its regions, the paths of each, who may use them, and the probes.

import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { createChat } from './chat.mjs';
import { act, catalog } from './generative.mjs';
import { countMessage, createMessage } from './messages.mjs';
import { createResponses } from './responses.mjs';
import { decide } from './systemone.mjs';
import { bad, familyOf, newId, Refusal, readObject, sendJson, sendRefusal } from './wire.mjs';
import { createWorld, models } from './world.mjs';

const regionNames = ['north', 'south'];

function bearer(request) {
  return /^bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

const credentials = {
  openai: bearer,
  systemone: bearer,
  messages: ({ headers }) => headers['x-api-key'],
  generative: ({ headers }) => headers['x-vendorb-api-key'],
};

function createRegion(world, store) {
  const responses = createResponses({ world, admit, store });

  /** Returns the model of a request if the key may use it over the protocol. */
  function admit(key, id, protocol) {
    if (typeof id !== 'string' || id === '') {
      throw bad("'model' is required.", { code: 'missing_required_parameter', param: 'model' });
    }
    const model = world.modelOf(id);
    if (model === null || !model.permitted.includes(key.role)) {
      throw new Refusal(404, 'The model does not exist, or the key may not use it.', {
        code: 'model_not_found',
        param: 'model',
      });
    }
    if (!model.protocols.includes(protocol)) {
      throw bad('The model is not served over this protocol.', {
        code: 'model_not_supported',
        param: 'model',
      });
    }
    const needs = (capability) => {
      if (model.supports.includes(capability)) return;
      throw bad(`The model does not support ${capability}.`, { code: 'unsupported_parameter' });
    };
    return { ...model, needs };
  }

  function authenticate(request, family) {
    const shown = world.keyOf(credentials[family](request) ?? '');
    const remembered = world.faulty('connection-remembers-key') ? request.socket.key : null;
    const key = shown ?? remembered ?? null;
    request.socket.key = key;
    if (key === null) {
      throw new Refusal(401, 'The key is missing or unknown.', { code: 'invalid_api_key' });
    }
    if (
      family === 'messages' &&
      !/^\d{4}-\d{2}-\d{2}$/.test(request.headers['vendora-version'] ?? '')
    ) {
      throw bad('vendorA-version: header is required, and is a date');
    }
    return key;
  }

  function listModels({ response, key }) {
    const entry = ({ id }) => ({ id, object: 'model', created: 1_790_000_000, owned_by: 'second' });
    sendJson(response, 200, { object: 'list', data: world.modelsFor(key).map(entry) });
  }

  /** Each path with its methods. A path in brackets has an id. */
  const routes = [
    [/^\/v1\/responses$/, { POST: responses.create }],
    [/^\/v1\/responses\/compact$/, { POST: responses.compact }],
    [/^\/v1\/responses\/input_tokens$/, { POST: responses.inputTokens }],
    [/^\/v1\/responses\/([^/]+)$/, { GET: responses.lookup, DELETE: responses.remove }],
    [/^\/v1\/responses\/([^/]+)\/input_items$/, { GET: responses.inputItems }],
    [/^\/v1\/responses\/([^/]+)\/cancel$/, { POST: responses.cancel }],
    [/^\/v1\/chat\/completions$/, { POST: createChat }],
    [/^\/v1\/messages$/, { POST: createMessage }],
    [/^\/v1\/messages\/count_tokens$/, { POST: countMessage }],
    [/^\/v1\/systemone$/, { POST: decide }],
    [/^\/v1\/models$/, { GET: listModels }],
    [/^\/v1beta\/models$/, { GET: catalog }],
    [/^\/(?:v1|v1beta)\/models\/([^/]+)$/, { POST: (context) => act(context, context.id) }],
  ];
  const withoutBody = new Set([responses.cancel]);

  async function serve(request, response) {
    const requestId = newId('req');
    const { pathname, searchParams } = new URL(request.url, 'http://gateway');
    const path = request.url.split('?')[0];
    response.countsCharacters = world.faulty('length-in-characters');
    const family = familyOf(path);
    response.setHeader(family === 'messages' ? 'request-id' : 'x-request-id', requestId);
    try {
      if (path !== pathname) throw new Refusal(404, 'There is no such path.');
      const route = routes.find(([pattern]) => pattern.test(path));
      if (route === undefined) throw new Refusal(404, 'There is no such path.');
      const key = authenticate(request, family);
      const handle = route[1][request.method];
      if (handle === undefined)
        throw Object.assign(new Refusal(405, 'The method is not allowed.'), {
          allow: Object.keys(route[1]).join(', '),
        });
      const body =
        request.method === 'POST' && !withoutBody.has(handle) ? await readObject(request) : null;
      request.resume();
      const context = {
        world,
        admit,
        http: request,
        response,
        key,
        body,
        query: searchParams,
        id: route[0].exec(path)[1],
      };
      await handle(context);
    } catch (problem) {
      // The client has gone, or left in the middle of its body.
      if (request.destroyed && !request.complete) return;
      const refusal =
        problem instanceof Refusal ? problem : new Refusal(500, 'The gateway failed.');
      if (!(problem instanceof Refusal)) process.stderr.write(`${problem?.stack}\n`);
      request.resume();
      sendRefusal(response, family, refusal, requestId);
    }
  }

  const server = createServer(serve);
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    const isOurs = request.url.split('?')[0] === '/v1/responses';
    const key = world.keyOf(bearer(request) ?? '');
    if (!isOurs || key === null) {
      const [status, text] = isOurs ? [401, 'Unauthorized'] : [404, 'Not Found'];
      const body = JSON.stringify({
        error: { message: `${text}.`, type: 'invalid_request_error', param: null, code: null },
      });
      socket.end(
        `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) =>
      responses.serveSocket(opened, request, key),
    );
  });
  return { server, responses };
}

function createProbes(world, regions) {
  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://probes');
    if (pathname === '/ledger') {
      const ids = new Set((searchParams.get('client_request_id') ?? '').split(','));
      return sendJson(response, 200, {
        records: world.records.filter((one) => ids.has(one.client_request_id)),
      });
    }
    const { response_id: id, age_seconds: age } = await readObject(request);
    const isKnown = regions.some(({ responses }) => responses.age(id, age));
    sendJson(response, isKnown ? 200 : 404, {});
  });
}

function listening(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

/**
 * Starts the gateway at loopback addresses.
 *
 * @param faults names of faults
 * @returns its target file, and how it is stopped
 */
export async function startSecond(faults = new Set()) {
  const world = createWorld(faults);
  const shared = new Map();
  const regions = regionNames.map(() =>
    createRegion(world, world.faulty('one-store') ? shared : new Map()),
  );
  const servers = [...regions.map(({ server }) => server), createProbes(world, regions)];
  const addresses = await Promise.all(servers.map(listening));
  const probes = addresses.at(-1);
  const target = {
    name: 'second',
    regions: regionNames.map((name, n) => ({ name, baseUrl: addresses[n] })),
    keys: world.roles,
    models: models.map((model) => ({ ...model, deterministic: true })),
    probes: { ledger: { url: `${probes}/ledger` }, clock: { url: `${probes}/clock` } },
  };
  function stop() {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
  return { target, stop };
}
