import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, BodyAnswer, Call, Context, StreamAnswer, StreamContext } from './call.ts';
import type { StreamEvent } from './dialect.ts';
import { Feed, type Gone } from './feed.ts';
import type { JsonObject } from './json.ts';
import { Written } from './prepared.ts';
import { Refusal, refusalStatus } from './refusal.ts';
import { defaultEncode } from './seams.ts';

export async function writeAnswer(answer: Answer, call: Call, out: ServerResponse): Promise<void> {
  if ('events' in answer) return writeStream(answer, call, out);
  const { holdMs } = call.note;
  if (holdMs > 0) {
    // Closing the gateway cancels the delay.
    const { closing: signal } = call.gateway;
    await sleep(holdMs, undefined, { signal }).catch(() => undefined);
  }
  await writeBody(answer, call, out);
}

export async function writeRefusal(
  refusal: Refusal,
  call: Call,
  out: ServerResponse,
): Promise<void> {
  const { gateway, dialect } = call;
  const status = statusOf(refusal, call);
  const { policy } = gateway.seams;
  noteRefusal(refusal, call);
  if (policy.wantsStream(call.body, call) && policy.refusesInStream(refusal, call)) {
    const event = dialect.errorEvent(refusal, status, call);
    const events = async function* () {
      yield event;
    };
    await writeStream({ kind: `${dialect.name}.stream`, events }, call, out, refusal);
    return;
  }
  const answer = errorAnswer(refusal, call);
  await writeBody(answer, call, out, refusal);
}

/** Notes a refused request. It leaves no financial record unless the policy says so. */
export function noteRefusal(refusal: Refusal, call: Call): void {
  const { gateway } = call;
  if (!gateway.seams.policy.recordsRefusal(refusal, call)) return;
  const model = typeof call.body.model === 'string' ? call.body.model : '';
  gateway.ledger.open(call, { operation: 'generation', model, inputTokens: 1, status: 'failed' });
}

/** Converts a thrown value to a refusal. Any other error is a defect of the gateway: it is logged and becomes a 500. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  console.error('The reference gateway is broken:', error);
  return new Refusal('internal-error', 'The gateway failed.');
}

export function errorAnswer(
  refusal: Refusal,
  call: Call,
): BodyAnswer & { readonly status: number; readonly body: JsonObject } {
  const status = statusOf(refusal, call);
  return {
    kind: `${call.dialect.name}.error`,
    status,
    body: call.dialect.error(refusal, status, call),
  };
}

export function statusOf({ reason, told }: Refusal, { dialect }: Call): number {
  return told.status ?? dialect.statuses[reason] ?? refusalStatus[reason];
}

async function writeBody(
  answer: BodyAnswer,
  call: Call,
  out: ServerResponse,
  refusal: Refusal | null = null,
): Promise<void> {
  const { encode, transport } = call.gateway.seams;
  const context: Context = { call, record: answer.record ?? null, refusal };
  const { kind } = answer;
  const status = encode.status(kind, answer.status ?? 200, context);
  const headers = {
    'content-type': 'application/json',
    [call.dialect.requestIdHeader]: call.requestId,
    ...refusal?.headers,
  };
  const body = bodyText(answer, context);
  await transport.send(
    out,
    { status, headers: encode.headers(kind, headers, context) },
    body,
    context,
  );
}

/** Returns the JSON text of a body. A prepared text is used as it is, unless a defect replaces the encoder. */
function bodyText({ kind, body }: BodyAnswer, context: Context): string {
  const { encode } = context.call.gateway.seams;
  const isWritten = body instanceof Written;
  if (isWritten && encode.body === defaultEncode.body) return body.text;
  return JSON.stringify(encode.body(kind, isWritten ? body.data : body, context));
}

async function writeStream(
  answer: StreamAnswer,
  call: Call,
  out: ServerResponse,
  refusal: Refusal | null = null,
): Promise<void> {
  const { encode, frames, transport } = call.gateway.seams;
  const { kind } = answer;
  const context: StreamContext = {
    call,
    record: answer.record ?? null,
    refusal,
    over: 'sse',
    startingAfter: answer.startingAfter ?? null,
  };
  call.note.streamed = true;
  const client = new Client();
  const leave = () => {
    if (out.writableEnded || client.aborted) return;
    client.leave();
    answer.dropped?.();
  };
  out.on('close', leave);
  if (out.destroyed) leave();
  const events = frames[call.dialect.name](answer.events(client), context);
  const pieces =
    events instanceof Feed
      ? events.map((event) => frames.serialize(event, context))
      : oneByOne(events, (event) => frames.serialize(event, context));
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    [call.dialect.requestIdHeader]: call.requestId,
  };
  const head = {
    status: encode.status(kind, 200, context),
    headers: encode.headers(kind, headers, context),
  };
  await transport.stream(out, head, pieces, context);
}

/** Serializes events one by one. A defect that replaces the events returns a plain iterable instead of a feed. */
async function* oneByOne(
  events: AsyncIterable<StreamEvent>,
  serialize: (event: StreamEvent) => string,
): AsyncGenerator<string> {
  for await (const event of events) yield serialize(event);
}

/** Reader of a stream. */
class Client implements Gone {
  #told: (() => void)[] = [];
  aborted = false;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#told.push(listener);
  }

  leave(): void {
    this.aborted = true;
    for (const listener of this.#told) listener();
  }
}
