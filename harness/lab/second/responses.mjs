// The Responses API of one region: creation, stored responses, counting, compaction, and the WebSocket.

import { countInput } from './model.mjs';
import { echoOf, readAsked, readInput, seal, turnOf } from './responses-input.mjs';
import { Run } from './responses-run.mjs';
import { bad, newId, openaiError, openEvents, Refusal, seconds, sendJson } from './wire.mjs';

const retentionMs = 30 * 24 * 3600 * 1000;

export function createResponses({ world, admit, store }) {
  const remembered = new Map();
  const byBody = new Map();
  const ofUsers = new Map();

  /** Returns a stored response that the key may see, or null. */
  function find(id, key) {
    const record = store.get(id);
    if (record === undefined || record.user !== key.user) return null;
    const isPermitted = world.modelOf(record.model).permitted.includes(key.role);
    if (!isPermitted && !world.faulty('permission-at-creation')) return null;
    return Date.now() - record.createdMs > retentionMs ? null : record;
  }

  function found(id, key) {
    const record = find(id, key);
    if (record === null) throw new Refusal(404, `Response with id '${id}' not found.`);
    return record;
  }

  function findItem(id, key) {
    for (const { id: owner } of store.values()) {
      const record = find(owner, key);
      const items = record === null ? [] : [...record.items, ...record.run.output];
      const item = items.find((one) => one.id === id);
      if (item !== undefined) return item;
    }
    return null;
  }

  /** Returns the turns of a response and of those before it, and the calls among them. */
  function historyOf(record) {
    const { turns, items, run } = record;
    const calls = [...items, ...run.output].flatMap(({ call_id: id }) => id ?? []);
    return {
      turns: [
        ...(world.faulty('history-of-one-turn') ? record.own : turns),
        ...run.output.map(turnOf),
      ],
      calls: new Set([...record.calls, ...calls]),
    };
  }

  function fromMemory(id, key) {
    const record = remembered.get(id);
    return world.faulty('deleted-continues-from-memory') && record?.user === key.user
      ? record
      : null;
  }

  /** Reads a body with its history. @param recent finds a response that only a connection remembers */
  function read(body, key, recent = () => null) {
    const asked = readAsked(body);
    const previous = body.previous_response_id ?? null;
    const before =
      previous === null
        ? null
        : (recent(previous) ?? find(previous, key) ?? fromMemory(previous, key));
    if (previous !== null && before === null) {
      throw bad(`Previous response with id '${previous}' not found.`, {
        code: 'previous_response_not_found',
        param: 'previous_response_id',
      });
    }
    const history = before === null ? { turns: [], calls: new Set() } : historyOf(before);
    const input = readInput(body.input, { calls: history.calls, find: (id) => findItem(id, key) });
    if (before === null && input.turns.length === 0) {
      throw bad("'input' is required.", { code: 'missing_required_parameter', param: 'input' });
    }
    const turns = [...history.turns, ...input.turns];
    const told = body.instructions ? [{ by: 'system', text: body.instructions }] : [];
    return {
      ...{ items: input.items, own: input.turns, before, calls: history.calls },
      turns: world.faulty('instructions-in-history') ? [...told, ...turns] : turns,
      request: { ...asked, turns: [...told, ...turns] },
    };
  }

  /** Starts a run. It is stored at once, unless the body forbids it. */
  function start(http, key, body, { recent, over = [] } = {}) {
    const model = admit(key, body.model, 'responses');
    const { items, own, before, turns, calls, request } = read(body, key, recent);
    const id = newId('resp');
    if (world.faulty('refusal-recorded')) world.open(http, 'generation', id, model).counted(1, 1);
    for (const capability of [...over, ...neededBy(body, request)]) model.needs(capability);
    if (body.background === true && body.store === false) {
      throw bad("'background' requires 'store'.", {
        code: 'unsupported_parameter',
        param: 'background',
      });
    }
    const entry = world.open(http, 'generation', id, model);
    const facts = {
      id,
      faulty: world.faulty,
      echoed: echoOf(body),
      likely: request.likely,
      background: body.background === true,
    };
    const run = new Run(facts, request, entry);
    const record = {
      ...{
        id,
        user: key.user,
        model: model.id,
        createdMs: Date.now(),
        run,
        items,
        own,
        turns,
        calls,
      },
      isBackground: facts.background,
    };
    if (body.store !== false) {
      store.set(id, record);
      remembered.set(id, record);
    }
    const ended = run.go();
    if (before !== null && world.faulty('history-grows-for-all')) {
      ended.then(() => before.turns.push(...own, ...run.output.map(turnOf)));
    }
    return record;
  }

  function neededBy(body, { tools, schema, likely, turns }) {
    return [
      ...(body.stream === true ? ['stream'] : []),
      ...(body.background === true ? ['background'] : []),
      ...(tools.length > 0 ? ['tools'] : []),
      ...(schema === null ? [] : ['structured_output']),
      ...(likely === null ? [] : ['logprobs']),
      ...(turns.some(({ images = 0 }) => images > 0) ? ['images'] : []),
    ];
  }

  function sendEvents(response, run, after) {
    const events = openEvents(response);
    let number = 0;
    const leave = run.subscribe((event) => {
      const isRenumbered = after !== undefined && world.faulty('renumbered-recovery');
      if (event === null) events.end();
      else events.named(event.type, isRenumbered ? { ...event, sequence_number: number++ } : event);
    }, after);
    response.on('close', leave);
    response.flushHeaders();
  }

  async function create({ http, response, key, body }) {
    const hash = world.faulty('same-request-same-response') && JSON.stringify(body);
    const record = byBody.get(hash) ?? start(http, key, body);
    if (hash !== false) byBody.set(hash, record);
    const { run, id } = record;
    // What is stored, its client can look up later; anything else has no reader any more.
    response.on('close', () => {
      if (response.writableFinished) return;
      if (world.faulty('dropped-unstored-kept')) store.set(id, record);
      const ends = record.isBackground && world.faulty('dropped-stream-stops-background');
      if (ends || !store.has(id)) run.stop('cancelled');
    });
    if (body.stream === true) return sendEvents(response, run);
    if (body.background !== true) await run.finished;
    sendJson(response, 200, run.snapshot());
  }

  function lookup({ response, key, id, query }) {
    const { run } = found(id, key);
    const stream = query.get('stream');
    if (stream === null || stream === 'false') return sendJson(response, 200, run.snapshot());
    if (stream !== 'true') throw bad("'stream' has to be true or false.", { param: 'stream' });
    const after = query.get('starting_after');
    if (after !== null && !/^\d{1,15}$/.test(after)) {
      throw bad("'starting_after' has to be a number.", { param: 'starting_after' });
    }
    sendEvents(
      response,
      run,
      after === null ? -1 : Number(after) - Number(world.faulty('recovery-from-the-number')),
    );
  }

  function inputItems({ response, key, id, query }) {
    const { items } = found(id, key);
    const limit = query.get('limit') ?? '20';
    const order = query.get('order') ?? 'desc';
    if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
      throw bad("'limit' has to be between 1 and 100.", { param: 'limit' });
    }
    if (!['asc', 'desc'].includes(order)) throw bad("'order' is unknown.", { param: 'order' });
    const all = order === 'asc' ? items : items.toReversed();
    const after = query.get('after');
    const named = all.findIndex((item) => item.id === after);
    const from = after === null ? 0 : named + (world.faulty('page-after-includes') ? 0 : 1);
    if (after !== null && named < 0) throw bad(`No item '${after}'.`, { param: 'after' });
    const data = all.slice(from, from + Number(limit));
    sendJson(response, 200, {
      ...{ object: 'list', data },
      ...{ first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
      has_more: world.faulty('more-when-full')
        ? data.length === Number(limit)
        : from + data.length < all.length,
    });
  }

  function cancel({ response, key, id }) {
    const { run, isBackground } = found(id, key);
    if (!isBackground) throw bad('Cannot cancel a synchronous response.');
    run.stop('cancelled');
    sendJson(response, 200, run.snapshot());
  }

  function remove({ response, key, id }) {
    const { run } = found(id, key);
    store.delete(id);
    run.stop('cancelled');
    run.events.length = 0;
    sendJson(response, 200, { id, object: 'response', deleted: true });
  }

  function compact({ http, response, key, body }) {
    const model = admit(key, body.model, 'responses');
    model.needs('compact');
    const { items, turns, request } = read(body, key);
    const id = newId('resp');
    const input = countInput(request);
    const output = 8;
    const entry = world.open(http, 'compact', id, model);
    entry.counted(input, output);
    entry.closed('completed');
    const kept = items.filter(({ type, role }) => type === 'message' && role === 'user');
    const compaction = { id: newId('cmp'), type: 'compaction', encrypted_content: seal(turns) };
    sendJson(response, 200, {
      ...{
        id,
        object: 'response.compaction',
        created_at: seconds(),
        output: [...kept, compaction],
      },
      usage: {
        ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 } },
        ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: 0 } },
        total_tokens: input + output,
      },
    });
  }

  function inputTokens({ http, response, key, body }) {
    const model = admit(key, body.model, 'responses');
    model.needs('input_tokens');
    const tokens = countInput(read(body, key).request);
    const entry = world.open(http, 'count', newId('count'), model);
    entry.counted(tokens, 0);
    entry.closed('completed');
    sendJson(response, 200, { object: 'response.input_tokens', input_tokens: tokens });
  }

  /** Serves the turns of a connection, one after the other. It remembers its latest unstored response. */
  function serveSocket(socket, http, key) {
    let latest = null;
    let turn = Promise.resolve();
    const send = (value) => socket.readyState === 1 && socket.send(JSON.stringify(value));
    const ofUser = (id) =>
      world.faulty('socket-memory-of-user') ? ofUsers.get(`${key.user} ${id}`) : undefined;
    const recent = (id) => (latest?.id === id ? latest : (ofUser(id) ?? null));

    async function take(data, isBinary) {
      let named = null;
      try {
        const frame = isBinary ? null : parsed(data.toString('utf8'));
        if (frame?.type !== 'response.create') throw bad('A frame has to be a response.create.');
        const { type: _, ...body } = frame;
        named = body.previous_response_id ?? null;
        if (body.background === true)
          throw bad("'background' is not served on a connection.", { param: 'background' });
        const record = start(
          http,
          key,
          { ...body, stream: false },
          { recent, over: ['websocket'] },
        );
        latest = store.has(record.id) ? null : record;
        ofUsers.set(`${key.user} ${record.id}`, record);
        const gone = () => !store.has(record.id) && record.run.stop('cancelled');
        socket.on('close', gone);
        record.run.subscribe((event) => event !== null && send(event));
        await record.run.finished;
        socket.off('close', gone);
      } catch (problem) {
        const isKept = world.faulty('socket-keeps-failed');
        if (named !== null && latest?.id === named && !isKept) latest = null;
        const refusal = problem instanceof Refusal ? problem : new Refusal(500, 'The turn failed.');
        send({ type: 'error', status: refusal.status, error: openaiError(refusal) });
      }
    }

    socket.on('message', (data, isBinary) => {
      const before = world.faulty('socket-turns-at-once') ? Promise.resolve() : turn;
      turn = before.then(() => take(data, isBinary));
    });
    socket.on('error', () => {});
  }

  function age(id, ageSeconds) {
    const record = store.get(id);
    if (record === undefined) return false;
    record.createdMs = Date.now() - ageSeconds * 1000;
    return true;
  }

  return { age, cancel, compact, create, inputItems, inputTokens, lookup, remove, serveSocket };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
