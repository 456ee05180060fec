import type { Exchange } from '../../kernel/core/exchange.ts';
import { idFrom } from '../../kernel/core/testing.ts';
import { answered } from '../../kernel/engine/testing.ts';
import { yes } from '../../kernel/judge/judged.ts';
import type { Act, ActsOn, Creates } from './history.ts';
import type { Sent } from './perform.ts';

export const create: Creates = {
  ...{ n: 0, actor: 'owner', region: 'here', kind: 'create', model: 'm', mode: 'one-body' },
  store: true,
};

export function actOn(
  n: number,
  operation: ActsOn['operation'],
  more: Partial<ActsOn> = {},
): ActsOn {
  return {
    ...{ n, actor: 'owner', region: 'here', kind: 'act', of: 0, operation },
    ...{ requestMode: 'path', ...more },
  };
}

/** Returns an act that starts at ten times its number, with an answer: an object, or the events of a stream. */
export function sentOf(
  act: Act,
  answer: unknown,
  {
    operation = '',
    status = 200,
    ...more
  }: Partial<Sent> & {
    readonly operation?: string;
    readonly status?: number;
  } = {},
): Sent {
  const [started, ended] = [act.n * 10, act.n * 10 + 5];
  const exchange = exchangeOf(act, answer, operation, status);
  return {
    ...{ act, started, ended, exchange, besides: [], judged: yes, served: true },
    ...{ over: true, id: act.kind === 'create' ? 'resp_0' : null, item: null, words: [] },
    ...{ whole: exchange, ...more },
  };
}

function exchangeOf(act: Act, answer: unknown, operation: string, status: number): Exchange {
  const isStream = Array.isArray(answer);
  const events = isStream ? answer : [];
  const body = isStream
    ? events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    : JSON.stringify(answer);
  const bytes = Buffer.from(body);
  const type = isStream ? 'text/event-stream' : 'application/json';
  const [started, ended] = [act.n * 10, act.n * 10 + 5];
  const asked = act.kind === 'act' ? act.operation : 'create';
  return answered(body, {
    id: idFrom(`explore/1#${act.n}/0`),
    about: {
      operation: operation === '' ? `responses.${asked}` : operation,
      protocol: operation.startsWith('models.') ? 'models' : 'responses',
      ...{ region: act.region, key: act.actor },
    },
    request: {
      method: act.kind === 'create' ? 'POST' : 'GET',
      url: `http://here/v1/responses${act.kind === 'act' ? '/resp_0' : ''}${isStream ? '?stream=true' : ''}`,
      ...{ headers: [], body: null },
    },
    response: {
      ...{ status, headers: [['Content-Type', type]], body: bytes, complete: true },
      chunks: [{ at: 2, end: bytes.length }],
    },
    times: { started, headers: started + 1, ended },
  });
}

export function response(text: string, { id = 'resp_0', status = 'completed' } = {}) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { type: 'message', id: 'msg_0', role: 'assistant', status: 'completed', content };
  return { id, object: 'response', status, model: 'm', output: text === '' ? [] : [message] };
}

export function history(...sent: readonly Sent[]): ReadonlyMap<number, Sent> {
  return new Map(sent.map((one) => [one.act.n, one]));
}
