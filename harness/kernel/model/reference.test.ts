import { on, once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ReferenceGateway, startReference } from '../../reference/index.ts';
import type { KeyRole } from '../../reference/keys.ts';
import {
  type Act,
  access,
  type CreationMode,
  creationModes,
  type MadeResponse,
  operations,
  type RequestMode,
  type ResponseState,
  requestModes,
} from './access.ts';

/**
 * Every act on every kind of response, at the reference gateway: where it does otherwise than the model
 * expects, one of the two is wrong.
 */

const model = 'ts-omni';
const limit = { max_output_tokens: 16 };

/** Gateways that differ in their pace: a run ends at once, or not within this test. */
const [quick, slow] = await Promise.all([startReference(), startReference({ tokenMs: 600_000 })]);
afterAll(() => Promise.all([quick.close(), slow.close()]));

type Region = 'eu' | 'us';
type Shown = KeyRole | 'none' | 'unknown';

const actors: Readonly<Record<Shown, Act['actor']>> = {
  none: { user: null, models: [] },
  unknown: { user: null, models: [] },
  owner: { user: 'a', models: [model, 'ts-shared'] },
  sameUser: { user: 'a', models: [model, 'ts-shared'] },
  otherUser: { user: 'b', models: [model, 'ts-shared'] },
  restricted: { user: 'a', models: ['ts-shared'] },
};

interface Subject extends MadeResponse {
  readonly gateway: ReferenceGateway;
  readonly id: string;
  /** Id of an item of its output. */
  readonly item: string;
}

function addressOf(gateway: ReferenceGateway, region: string): string {
  return gateway.regions.find(({ name }) => name === region)?.baseUrl ?? '';
}

function headersFor(gateway: ReferenceGateway, key: Shown): Record<string, string> {
  if (key === 'none') return {};
  return { Authorization: `Bearer ${key === 'unknown' ? 'nobody-has-it' : gateway.keys[key]}` };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(
  { gateway, region, key }: { gateway: ReferenceGateway; region: string; key: Shown },
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(`${addressOf(gateway, region)}${path}`, {
    method,
    headers: {
      ...headersFor(gateway, key),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // A stream that would not end in this test says enough with its first piece.
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  let text = new TextDecoder().decode(first?.value);
  if (gateway === quick) {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      text += new TextDecoder().decode(piece.value);
    }
  }
  await reader?.cancel();
  return { status: answer.status, text };
}

/** The events that answer the last of these frames, on a connection of its own. */
async function overWebSocket(
  { gateway, region, key }: { gateway: ReferenceGateway; region: string; key: Shown },
  ...frames: readonly object[]
): Promise<Answer> {
  const url = `${addressOf(gateway, region).replace(/^http/, 'ws')}/v1/responses`;
  const socket = new WebSocket(url, { headers: headersFor(gateway, key) });
  try {
    const opened = await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => Number(statusCode)),
    ]);
    if (opened !== 101) return { status: opened, text: '' };
    // Listened for before anything is asked: events may come close together.
    const messages = on(socket, 'message');
    let text = '';
    for (const frame of frames) {
      text = '';
      socket.send(JSON.stringify({ type: 'response.create', ...frame }));
      // Not `for await`: that would end the iteration with the first turn.
      for (;;) {
        const { value } = await messages.next();
        const [data] = value;
        text += `data: ${data}\n`;
        if (/"type":"(error|response\.(completed|incomplete|failed))"/.test(String(data))) break;
        if (gateway === slow) break;
      }
    }
    return { status: text.includes('"type":"error"') ? 400 : 200, text };
  } finally {
    socket.terminate();
  }
}

const idIn = ({ text }: Answer): string => /"(resp_\w+)"/.exec(text)?.[1] ?? '';
const itemIn = ({ text }: Answer): string => /"((?:msg|rs)_\w+)"/.exec(text)?.[1] ?? 'msg_none';

const day = 24 * 60 * 60;

async function make(
  mode: CreationMode,
  state: ResponseState,
  stored: boolean,
  region: Region,
): Promise<Subject> {
  const lasts = state === 'running' || state === 'cancelled';
  const gateway = lasts ? slow : quick;
  const by = { gateway, region, key: 'owner' } as const;
  const made = await created(by, mode, stored);
  const id = idIn(made);
  const path = `/v1/responses/${id}`;
  if (mode === 'background' && state !== 'running') {
    // Waits until the response exists, and until it has ended unless it is meant to last.
    while (
      !lasts &&
      /"(queued|in_progress)"/.test((await ask(by, 'GET', path)).text.slice(0, 200))
    );
  }
  if (state === 'cancelled') await ask(by, 'POST', `${path}/cancel`);
  if (state === 'deleted') await ask(by, 'DELETE', path);
  if (state === 'expired') {
    const index = gateway.regions.findIndex(({ name }) => name === region);
    const body = JSON.stringify({ response_id: id, age_seconds: 31 * day });
    await fetch(gateway.probes.clock.url[index] ?? '', { method: 'POST', body });
  }
  return { user: 'a', model, region, mode, stored, state, gateway, id, item: itemIn(made) };
}

async function created(
  by: { gateway: ReferenceGateway; region: string; key: Shown },
  mode: CreationMode,
  store: boolean,
): Promise<Answer> {
  const body = { model, input: 'Write 64 words.', store, ...limit };
  const create = (more: object): Promise<Answer> =>
    ask(by, 'POST', '/v1/responses', { ...body, ...more });
  switch (mode) {
    case 'one-body':
      return create({});
    case 'stream':
      return create({ stream: true });
    case 'background':
      return create({ background: true });
    case 'background-stream':
      return create({ background: true, stream: true });
    case 'websocket':
      return overWebSocket(by, body);
    case 'continuation':
      return create({ previous_response_id: idIn(await create({ store: true })) });
  }
}

const queries: Readonly<Partial<Record<RequestMode, string>>> = {
  include: '?include[]=reasoning.encrypted_content',
  unstreamed: '?stream=false',
  page: '?limit=5&order=asc',
  after: '&starting_after=0',
};

const tool = { type: 'function', name: 'note', parameters: { type: 'object', properties: {} } };

async function perform(subject: Subject, act: Act, key: Shown): Promise<Answer> {
  const { gateway, id, item } = subject;
  const by = { gateway, region: act.region, key };
  const path = `/v1/responses/${id}`;
  const turn = {
    model: act.model ?? model,
    input: 'Go on.',
    ...limit,
    ...(act.requestMode === 'stream' ? { stream: true } : {}),
    ...(act.requestMode === 'background' ? { background: true, store: true } : {}),
    ...(act.requestMode === 'tool' ? { tools: [tool] } : {}),
  };
  const next = { ...turn, previous_response_id: id };
  switch (act.operation) {
    case 'lookup':
      return ask(by, 'GET', `${path}${queries[act.requestMode] ?? ''}`);
    case 'input-items':
      return ask(by, 'GET', `${path}/input_items${queries[act.requestMode] ?? ''}`);
    case 'recover':
      return ask(by, 'GET', `${path}?stream=true${queries[act.requestMode] ?? ''}`);
    case 'continue':
      return ask(by, 'POST', '/v1/responses', next);
    case 'continue-websocket': {
      const first = { ...turn, model: key === 'restricted' ? 'ts-shared' : model };
      return overWebSocket(by, ...(act.requestMode === 'later-turn' ? [first, next] : [next]));
    }
    case 'cancel':
      return ask(by, 'POST', `${path}/cancel`);
    case 'delete':
      return ask(by, 'DELETE', path);
    case 'compact':
    case 'input-tokens':
      return ask(by, 'POST', `/v1/responses/${act.operation.replace('-', '_')}`, {
        // The denial has to be for the response, not for the model of this call.
        model: key === 'restricted' ? 'ts-shared' : model,
        input: 'Go on.',
        previous_response_id: id,
      });
    case 'item-reference':
      return ask(by, 'POST', '/v1/responses', {
        ...turn,
        input: [
          { type: 'item_reference', id: item },
          { role: 'user', content: 'Go on.' },
        ],
      });
  }
}

function actsOn(key: Shown): Act[] {
  const actor = actors[key];
  return (['eu', 'us'] as const).flatMap((region) =>
    operations.flatMap((operation) =>
      requestModes[operation].flatMap((requestMode): Act[] => {
        const act = { actor, region, operation, requestMode };
        const namesOther = key === 'restricted' && operation === 'continue';
        return namesOther ? [act, { ...act, model: 'ts-shared' }] : [act];
      }),
    ),
  );
}

function kinds(): [CreationMode, ResponseState, boolean][] {
  return creationModes.flatMap((mode): [CreationMode, ResponseState, boolean][] => {
    const isBackground = mode.startsWith('background');
    const states: ResponseState[] = isBackground
      ? ['finished', 'deleted', 'expired', 'running', 'cancelled']
      : ['finished', 'deleted', 'expired'];
    return [
      ...states.map((state): [CreationMode, ResponseState, boolean] => [mode, state, true]),
      ...(isBackground
        ? []
        : [[mode, 'finished', false] satisfies [CreationMode, ResponseState, boolean]]),
    ];
  });
}

test.each(kinds())('a response made by %s, %s, stored: %s', async (mode, state, stored) => {
  let subject = await make(mode, state, stored, 'eu');
  const wrong: string[] = [];
  for (const key of Object.keys(actors) as Shown[]) {
    for (const act of actsOn(key)) {
      const { outcome, clause } = access(subject, act);
      // Nothing to compare; and a continuation of what runs may wait for its end.
      if (outcome === 'either') continue;
      // On the slow gateway no turn ends.
      if (act.requestMode === 'later-turn' && subject.gateway === slow) continue;
      const { status } = await perform(subject, act, key);
      const came = status < 300 ? 'served' : 'denied';
      if (came !== outcome) {
        const { region, operation, requestMode, model: named = '' } = act;
        wrong.push(
          `${key} ${region} ${operation} ${requestMode} ${named}: ${came} (${status}), ${clause} says ${outcome}`,
        );
      }
      const changes = act.operation === 'cancel' || act.operation === 'delete';
      if (changes && came === 'served') subject = await make(mode, state, stored, 'eu');
    }
  }
  expect(wrong).toEqual([]);
});
