import {
  asObject,
  type Exchange,
  formatId,
  listAt,
  parsed,
  textAt,
} from '../../kernel/core/index.ts';
import type { Io } from '../../kernel/engine/index.ts';
import { type Judged, served, turnsOf, undecided } from '../../kernel/judge/index.ts';
import {
  actRequest,
  answerOf,
  type CallOptions,
  contentOf,
  creations,
  endpoints,
  nextPage,
  protocolModules,
  type SocketSession,
} from '../../kernel/protocols/index.ts';
import type { Act, ActsOn, Asks, Creates, History } from './history.ts';
import { actsOf, neededBy, pauseBefore } from './history.ts';
import { askLedger } from './ledger.ts';
import type { ActOutcome } from './oracle.ts';
import { isBroken } from './violation.ts';

export interface Sent extends ActOutcome {
  /** Exchange that answers it: of a WebSocket, one turn. */
  readonly exchange: Exchange;
  /** All turns of a WebSocket; else the same exchange. */
  readonly whole: Exchange;
  /** Further exchanges that the act took. */
  readonly besides: readonly Exchange[];
  readonly judged: Judged;
  /** Id of the response that it created, or null if none is known. */
  readonly id: string | null;
  /** Id of a message in the output of that response, or null if none was seen. */
  readonly item: string | null;
  /** Unique words in its input. */
  readonly words: readonly string[];
}

/** A response that later acts can name, as soon as its id has come. */
type Made = Pick<Sent, 'id' | 'item'> & { readonly act: Act };

interface Socket {
  readonly session: SocketSession;
  turns: number;
}

/** Performs a history step by step. Acts whose response was never created are left out. */
export async function perform(io: Io, history: History): Promise<ReadonlyMap<number, Sent>> {
  const performance = new Performance(io, history);
  for (const step of history.steps) {
    const pauseMs = pauseBefore(step);
    if (pauseMs > 0) await io.pause(pauseMs);
    // The ledger is asked for all that was sent, whole streams and conversations too.
    if (step.some(({ kind }) => kind === 'ledger')) await performance.end();
    await Promise.all(step.map((act) => performance.begin(act)));
  }
  return performance.end();
}

class Performance {
  readonly #io: Io;
  readonly #words: ReadonlyMap<number, readonly string[]>;
  readonly #made = new Map<number, Made>();
  readonly #sent = new Map<number, Sent>();
  /** Open WebSockets, by key, region and number. */
  readonly #sockets = new Map<string, Socket>();
  /** Live streams and turns, whose exchanges end later than their acts. */
  #later: (() => Promise<void>)[] = [];

  constructor(io: Io, history: History) {
    this.#io = io;
    this.#words = new Map(
      actsOf(history).map((act) => {
        const hasTwo = act.kind === 'create' && act.items === true;
        return [act.n, hasTwo ? [io.word(), io.word()] : [io.word()]] as const;
      }),
    );
  }

  async begin(act: Act): Promise<void> {
    const needed = neededBy(act);
    const on = needed === null ? null : (this.#made.get(needed) ?? null);
    if (needed !== null && on?.id == null) return;
    const io = this.#io.lane(`${act.n}`);
    if (act.kind === 'create') return this.#create(io, act, on?.id ?? '');
    const exchanges = await ask(io, act, this.#wordsOf(act), on, this.#sent);
    this.#keep(act, exchanges, act.kind === 'act' && act.requestMode === 'later-turn' ? 1 : 0);
  }

  /** Ends all streams and WebSockets. Returns the outcome of each act that was sent. */
  async end(): Promise<ReadonlyMap<number, Sent>> {
    this.#sockets.clear();
    const later = this.#later;
    this.#later = [];
    for (const end of later) await end();
    return new Map([...this.#sent].sort(([one], [other]) => one - other));
  }

  #wordsOf({ n }: Act): readonly string[] {
    return this.#words.get(n) ?? [];
  }

  /** @param number of the turn that answers the act; one that was not sent is none */
  #keep(act: Act, [whole, ...besides]: readonly Exchange[], number = 0): void {
    const exchange = whole === undefined ? undefined : turnsOf(whole)[number];
    if (whole === undefined || exchange === undefined) return;
    const asked = { act, words: this.#wordsOf(act), whole, besides };
    const turn = whole.socket === null ? {} : { turn: { of: formatId(whole.id), number } };
    const answered = answeredAs(act, exchange);
    // A stream or a turn that fails has named its response before, and acts have gone on from there.
    const id = answered.id ?? this.#made.get(act.n)?.id ?? null;
    const one = { ...asked, ...answered, id, ...turn };
    this.#sent.set(act.n, one);
    if (id !== null) this.#made.set(act.n, one);
  }

  async #create(io: Io, act: Creates, previous: string): Promise<void> {
    const body = bodyOf(io, act, previous, this.#wordsOf(act));
    const { send } = creations[act.mode];
    if (act.mode === 'websocket') return this.#turn(io, act, body);
    if (act.live !== true) {
      return this.#keep(act, [await send(io.responses, body, askedBy(act, io))]);
    }
    await new Promise<void>((goOn) => {
      const onFirstEvent = (data: string): void => {
        const id = textAt(parsed(data), 'response.id');
        if (id !== null) this.#made.set(act.n, { act, id, item: null });
        goOn();
      };
      const sending = send(io.responses, body, { ...askedBy(act, io), onFirstEvent });
      const ended = sending.then((exchange) => this.#keep(act, [exchange])).finally(goOn);
      this.#later.push(() => ended);
    });
  }

  async #turn(io: Io, act: Creates, body: object): Promise<void> {
    const name = `${act.actor} ${act.region} ${act.socket ?? `of ${act.n}`}`;
    let socket = this.#sockets.get(name);
    if (socket === undefined) {
      socket = { session: await io.responses.connect(askedBy(act)), turns: 0 };
      this.#sockets.set(name, socket);
    }
    const { session } = socket;
    const number = socket.turns++;
    const { responseId: id, ended } = await io.responses.turn(session, { ...body });
    if (id !== null) this.#made.set(act.n, { act, id, item: null });
    if (act.loses === true) session.terminate();
    // A gateway may close a WebSocket after an error: the next turn opens another one.
    if (act.loses === true || ended === null || ended === 'error') this.#sockets.delete(name);
    this.#later.push(async () => this.#keep(act, [await session.exchange()], number));
  }
}

function answeredAs(
  act: Act,
  exchange: Exchange,
): Omit<Sent, 'act' | 'words' | 'whole' | 'besides'> {
  const judged = judgedOf(act, exchange);
  const isMade = act.kind === 'create' && judged.state === 'yes';
  // After a broken connection, the gateway's action is unknown.
  const isUnknown = judged.state === 'undecided' || (judged.state === 'no' && isBroken(exchange));
  const isServed = isUnknown ? null : judged.state === 'yes';
  const { socket, response, times } = exchange;
  const named = act.kind === 'create' && act.live === true ? response?.chunks[0]?.at : undefined;
  return {
    ...{ exchange, judged, served: isServed },
    started: socket?.frames[0]?.at ?? times.started,
    ended: socket?.frames.at(-1)?.at ?? times.ended,
    ...(named === undefined ? {} : { named }),
    id: isMade ? idIn(exchange) : null,
    item: isMade ? messageIn(exchange) : null,
    over: isServed === true && isOver(act, exchange),
  };
}

function judgedOf(act: Act, exchange: Exchange): Judged {
  const judged = served(exchange, { nothingLeft: true });
  if (act.kind !== 'create' || judged.state !== 'yes' || idIn(exchange) !== null) return judged;
  return undecided('ambiguous', 'it names no id');
}

async function ask(
  io: Io,
  act: Exclude<Act, Creates>,
  words: readonly string[],
  on: Made | null,
  sent: ReadonlyMap<number, Sent>,
): Promise<readonly Exchange[]> {
  switch (act.kind) {
    case 'list':
      return [await io.lists.list(askedBy(act, io))];
    case 'ledger':
      return askLedger(io, [...new Set([...sent.values()].map(({ whole }) => whole))], act);
    case 'ask':
      return askOther(io, act, words, sent);
    case 'act':
      return on === null ? [] : askAbout(io, act, on, words, sent);
  }
}

/** @param io gives a connection to an act that goes on a fresh one */
function askedBy({ actor, region, fresh }: Act, io?: Io): CallOptions {
  const over = fresh === true && io !== undefined ? { over: io.connection() } : {};
  return { key: actor, region, ...over };
}

/** Returns the cursor after the page of an act; undefined if there is no further page. */
function cursorAfter(page: Sent | undefined): string | undefined {
  if (page === undefined) return undefined;
  const body = asObject(answerOf(page.exchange).value);
  const items = listAt(body, 'data');
  return (
    nextPage(page.exchange) ??
    (body.has_more === true ? textAt(items.at(-1), 'id') : null) ??
    undefined
  );
}

/** Sends an act on the response of another act, with the model of that act. */
async function askAbout(
  io: Io,
  act: ActsOn,
  { act: maker, id, item }: Made,
  words: readonly string[],
  sent: ReadonlyMap<number, Sent>,
): Promise<readonly Exchange[]> {
  // Without a known item there is nothing to refer to, and after the last page nothing to ask for.
  if (act.operation === 'item-reference' && item === null) return [];
  const after = act.after === undefined ? undefined : cursorAfter(sent.get(act.after));
  if (act.after !== undefined && after === undefined) return [];
  const model = maker.kind === 'create' ? maker.model : '';
  const input = io.sentence(...words);
  const on = {
    id,
    item,
    model,
    goodModel: model,
    input,
    ...(after === undefined ? {} : { after }),
  };
  return [await actRequest(act).send(io, on, askedBy(act, io))];
}

async function askOther(
  io: Io,
  act: Asks,
  words: readonly string[],
  sent: ReadonlyMap<number, Sent>,
): Promise<readonly Exchange[]> {
  const { endpoint, model, stream, page } = act;
  if (page !== undefined) {
    const pageToken = page === 'first' ? undefined : cursorAfter(sent.get(page));
    if (page !== 'first' && pageToken === undefined) return [];
    const asked = pageToken === undefined ? {} : { pageToken };
    return [await io.lists.catalog({ pageSize: 1, ...asked }, askedBy(act, io))];
  }
  const { protocol } = endpoints[endpoint];
  const streamed = protocol === 'models' ? null : protocolModules[protocol].request.streamCall;
  const exchange = await io.ask(
    endpoint,
    {
      ...(model === null ? {} : { model }),
      input: io.sentence(...words),
      change: (call) =>
        stream && streamed !== null ? streamed({ ...asObject(call.body) }, model ?? '') : call,
    },
    askedBy(act, io),
  );
  return [exchange];
}

/** Minimum output limit of the Responses API, and enough to judge. */
const fewTokens = 16;

function bodyOf(io: Io, act: Creates, previous: string, words: readonly string[]) {
  const { model, store, items } = act;
  const texts = words.map((word) => io.sentence(word));
  return {
    ...{ model, store },
    max_output_tokens: Math.min(fewTokens, io.target.limits.maxOutputTokens),
    input: items === true ? texts.map((content) => ({ role: 'user', content })) : texts.join(' '),
    ...(act.previous === undefined ? {} : { previous_response_id: previous }),
  };
}

function messageIn(exchange: Exchange): string | null {
  const message = contentOf(exchange).items.find((item) => textAt(item, 'type') === 'message');
  return textAt(message, 'id');
}

function idIn(exchange: Exchange): string | null {
  return contentOf(exchange).id ?? textAt(answerOf(exchange).value, 'id');
}

/** True if an answer shows that the run has ended. */
function isOver(act: Act, exchange: Exchange): boolean {
  if (act.kind === 'create') return act.mode !== 'background' || hasEnded(exchange);
  if (act.kind !== 'act') return false;
  if (act.operation === 'recover') return true;
  return act.operation === 'lookup' && hasEnded(exchange);
}

/** True if an answer in one body shows that its run has ended. */
export function hasEnded(exchange: Exchange): boolean {
  const status = textAt(answerOf(exchange).value, 'status');
  return status !== null && status !== 'queued' && status !== 'in_progress';
}
