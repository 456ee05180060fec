import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  belowStage,
  type Exchange,
  type ExchangeId,
  formatId,
  formatSender,
  parsed,
  parseId,
  type RunResult,
  textAt,
} from '../core/index.ts';
import {
  type BodyView,
  type ExchangeView,
  type ExchangeViews,
  type FrameView,
  type StepView,
  type StreamView,
  shownOfBody,
  shownOfFrame,
} from '../report/index.ts';
import type { ServerSentEvent } from '../wire/index.ts';
import { decodedFrom, fromLine, headerValues, serverSentEvents } from '../wire/index.ts';

/**
 * Returns the recorded exchanges that prove the findings of a run, as a report shows them.
 *
 * @param recording the file that the run was recorded to
 */
export async function exchangeViews(recording: string, result: RunResult): Promise<ExchangeViews> {
  const evidence = result.checks.flatMap(({ id, verdict }) =>
    'evidence' in verdict && verdict.evidence !== null
      ? [{ id, key: verdict.evidence.exchange }]
      : [],
  );
  const wanted = new Set(evidence.map(({ key }) => key));
  const scenarios = new Map(
    [...wanted].flatMap((key) => {
      const id = parseId(key);
      return id === null ? [] : [[flowOf(id), [] as StepView[]] as const];
    }),
  );
  const views = new Map<string, ExchangeView>();
  const lines = createInterface({ input: createReadStream(recording), crlfDelay: Infinity });
  for await (const line of lines) {
    const exchange = exchangeIn(line);
    if (exchange === null) continue;
    const steps = scenarios.get(flowOf(exchange.id));
    steps?.push(stepOf(exchange));
    const key = formatId(exchange.id);
    if (wanted.has(key)) views.set(key, viewOf(exchange, steps));
  }
  // Recorded exchanges are in the order of their ends; steps are shown in the order of their starts.
  for (const steps of scenarios.values()) steps.sort((one, other) => one.at - other.at);
  return new Map(
    evidence.flatMap(({ id, key }) => {
      const view = views.get(key);
      return view === undefined ? [] : [[id, view] as const];
    }),
  );
}

/** Parses an exchange. Returns null for any other line: the header, or a truncated line. */
function exchangeIn(line: string): Exchange | null {
  try {
    return fromLine(line).exchange;
  } catch {
    return null;
  }
}

/** Returns the scenario of an exchange; for a request of a client, the start that it belongs to. */
function flowOf(id: ExchangeId): string {
  return id.request === null ? formatSender(id) : formatId({ ...id, request: null });
}

function stepOf({ id, request, response, socket, times }: Exchange): StepView {
  const path = URL.canParse(request.url) ? belowStage(new URL(request.url).pathname) : request.url;
  const status = response === null ? 'no response' : String(response.status);
  return {
    key: formatId(id),
    request: `${request.method} ${path}`,
    outcome: socket === null ? status : `${status}, a WebSocket`,
    at: times.started,
    took: times.ended - times.started,
  };
}

export function viewOf(exchange: Exchange, scenario: readonly StepView[] = []): ExchangeView {
  const { id, about, request, response, times, failure, echoed } = exchange;
  return {
    key: formatId(id),
    operation: about.operation,
    region: about.region,
    credential: id.request === null ? about.key : 'of this start',
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body === null ? null : beginning(request.body, shownOfBody),
    },
    answer:
      response === null
        ? null
        : {
            status: response.status,
            headers: response.headers,
            body: beginning(response.body, shownOfBody),
            decodedFrom: decodedFrom(response),
            complete: response.complete,
            headersAfter: times.headers === null ? null : times.headers - times.started,
          },
    stream: streamOf(exchange),
    failure: failure === null ? null : `${failure.kind}: ${failure.message}`,
    took: times.ended - times.started,
    echoed,
    scenario,
  };
}

function streamOf(exchange: Exchange): StreamView | null {
  const { socket, times } = exchange;
  if (socket !== null) {
    const { frames, close, ponged } = socket;
    return {
      over: 'websocket',
      ...(ponged === undefined ? {} : { ping: ponged ? 'answered' : 'not answered' }),
      frames: frames.map(({ at, from, kind, data }) => ({
        at: at - times.started,
        from,
        name: kind === 'binary' ? 'binary' : typeIn(data),
        data: beginning(data, shownOfFrame),
      })),
      close:
        close === null
          ? null
          : `${close.code}${close.reason === '' ? '' : ` (${close.reason})`} by ${close.by}`,
    };
  }
  if (!headerValues(exchange, 'content-type').some((type) => /event-stream/i.test(type))) {
    return null;
  }
  return { over: 'sse', frames: eventFrames(exchange), close: null };
}

/** Returns events and comments in order of arrival, and an unclosed event at the end. */
function eventFrames(exchange: Exchange): FrameView[] {
  const { events, comments, unclosed } = serverSentEvents(exchange);
  const frame = (at: number, name: string | null, data: string): FrameView => ({
    at: at - exchange.times.started,
    from: 'gateway',
    name,
    data: beginning(Buffer.from(data), shownOfFrame),
  });
  const event = ({ at, event, data }: ServerSentEvent): FrameView => frame(at, event ?? null, data);
  const frames: FrameView[] = [];
  let told = 0;
  const tellComments = (after: number): void => {
    for (; (comments[told]?.after ?? Infinity) <= after; told++) {
      frames.push(frame(comments[told]?.at ?? 0, 'comment', comments[told]?.text ?? ''));
    }
  };
  for (const [index, happened] of events.entries()) {
    tellComments(index);
    frames.push(event(happened));
  }
  tellComments(events.length);
  if (unclosed !== null) {
    frames.push({ ...event(unclosed), name: `${unclosed.event ?? ''} (not closed)`.trim() });
  }
  return frames;
}

/** Returns the `type` of a JSON frame, which corresponds to the name of an event. */
function typeIn(data: Uint8Array): string | null {
  if (data.length > 1_000_000) return null;
  return textAt(parsed(Buffer.from(data).toString()), 'type')?.slice(0, 100) ?? null;
}

/** Returns the first bytes, without a partial character at the cut. */
function beginning(bytes: Uint8Array, limit: number): BodyView {
  const length = bytes.length;
  let shown = Math.min(length, limit);
  // A byte 10xxxxxx continues a character, which has at most four bytes.
  const least = shown - 3;
  while (shown < length && shown > least && ((bytes[shown] ?? 0) & 0xc0) === 0x80) shown--;
  const start = Buffer.from(bytes.subarray(0, shown));
  if (isUtf8(start)) return { text: start.toString(), bytes: length, shown, binary: false };
  const few = start.subarray(0, 1024);
  const text = few.toString('hex').replace(/(..)(?=.)/g, '$1 ');
  return { text, bytes: length, shown: few.length, binary: true };
}
