import {
  type CallOptions,
  type Cell,
  type Exchange,
  goodTurnModel,
  Inconclusive,
  type Io,
  isServed,
  lostBecause,
  namedModel,
  present,
  protocolModules,
  turnsOf,
} from '../../../harness/index.ts';
import { finalAnswer } from '../requests/accepted-requests.ts';
import { unknownLike } from '../stored/unknown-ids.ts';
import type { Made } from './subject.ts';

/** Exchanges of one act. */
export interface Act {
  readonly attempt: Exchange;
  /** A turn that was served before, on the same connection. */
  readonly goodTurn?: Exchange;
  /**
   * For a served call that names a response without continuing it: the same call with an unknown id, and
   * with none.
   */
  readonly alone?: { readonly unknown: Exchange | null; readonly without: Exchange };
}

/** Returns the key and the region that an act is tried with. */
export function askedAs({ key, through }: Cell): CallOptions {
  return { key, region: through };
}

/** Tries one act. @throws {Inconclusive} where it could not be tried */
export async function perform(io: Io, cell: Cell, made: Made): Promise<Act> {
  const { responses } = io;
  const { id } = made;
  const as = askedAs(cell);
  const model = present(namedModel(cell, io.target), 'model for an act').id;
  const next = { model, previous_response_id: id };
  // A running response would be streamed until its end.
  const cut = cell.state === 'running' ? { cut: { events: 1 } } : {};
  switch (cell.operation) {
    case 'lookup':
      return { attempt: await lookedUp(io, id, cell, as) };
    case 'input-items': {
      const page = cell.requestMode === 'page' ? { limit: '1', order: 'asc' } : {};
      return { attempt: await responses.inputItems(id, page, as) };
    }
    case 'recover': {
      const from = cell.requestMode === 'after' ? { startingAfter: 0 } : {};
      return { attempt: await responses.recover(id, from, { ...as, ...cut }) };
    }
    case 'continue':
      return { attempt: await continued(io, cell, next, as) };
    case 'continue-websocket':
      return cell.requestMode === 'later-turn'
        ? await inLaterTurn(io, cell, next, as)
        : { attempt: await inFirstTurn(io, next, as) };
    case 'cancel':
      return { attempt: await responses.cancel(id, as) };
    case 'delete':
      return { attempt: await responses.delete(id, as) };
    case 'compact':
    case 'input-tokens': {
      const ask = cell.operation === 'compact' ? responses.compact : responses.inputTokens;
      const body = { model, input: io.sentence() };
      const attempt = await ask({ ...body, previous_response_id: id }, as);
      if (!isServed(attempt)) return { attempt };
      return { attempt, alone: { unknown: null, without: await ask(body, as) } };
    }
    case 'item-reference':
      return referenced(io, model, made, as);
  }
}

const queries: Readonly<Partial<Record<Cell['requestMode'], Readonly<Record<string, string>>>>> = {
  include: { 'include[]': 'message.output_text.logprobs' },
  unstreamed: { stream: 'false' },
};

async function lookedUp(
  { responses, raw }: Io,
  id: string,
  { requestMode }: Cell,
  as: CallOptions,
): Promise<Exchange> {
  const query = queries[requestMode];
  if (query === undefined) return responses.lookup(id, as);
  const path = `/v1/responses/${encodeURIComponent(id)}`;
  return raw.send({ operation: 'responses.lookup', method: 'GET', path, query }, as);
}

async function continued(
  io: Io,
  { requestMode, reason }: Cell,
  body: { readonly model: string; readonly previous_response_id: string },
  as: CallOptions,
): Promise<Exchange> {
  const { responses } = io;
  if (requestMode === 'stream') return responses.stream(body, as);
  if (requestMode === 'tool') {
    const asked = protocolModules.responses.tools.forcedCall(undefined, io.callQuestion());
    return responses.create({ ...asked, ...body }, as);
  }
  if (requestMode === 'body') return responses.create(body, as);
  const asked = await responses.create({ ...body, background: true, store: true }, as);
  // A key without the permission may not look the response up either, so the owner's key does.
  const looks = reason === 'restricted' ? { ...as, key: 'owner' as const } : as;
  return finalAnswer(io, asked, looks, io);
}

async function inFirstTurn({ responses }: Io, body: object, as: CallOptions): Promise<Exchange> {
  const session = await responses.connect(as);
  await responses.turn(session, { ...body });
  return session.exchange();
}

async function inLaterTurn(io: Io, cell: Cell, body: object, as: CallOptions): Promise<Act> {
  const { responses } = io;
  const good = present(goodTurnModel(cell, io.target), 'model for a good turn');
  const session = await responses.connect(as);
  const { ended } = await responses.turn(session, { model: good.id });
  if (ended !== null) await responses.turn(session, { ...body });
  const talk = await session.exchange();
  const [goodTurn = talk, ...tries] = turnsOf(talk);
  const attempt = tries.at(-1);
  if (attempt !== undefined) return { attempt, goodTurn };
  throw new Inconclusive(`the connection had no second turn${lostBecause(talk)}`, talk);
}

/** @throws {Inconclusive} when the response has no item with an id */
async function referenced(io: Io, model: string, made: Made, as: CallOptions): Promise<Act> {
  const { item } = made;
  if (item === null) throw new Inconclusive('the response has no message with an id', made.created);
  const message = { role: 'user', content: io.sentence() };
  const ask = (to: string | null) => {
    const input = to === null ? [message] : [{ type: 'item_reference', id: to }, message];
    return io.responses.create({ model, input }, as);
  };
  const attempt = await ask(item);
  if (!isServed(attempt)) return { attempt };
  return { attempt, alone: { unknown: await ask(unknownLike(item)), without: await ask(null) } };
}
