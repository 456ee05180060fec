import {
  Database,
  Echo,
  fixtureModels,
  type Generation,
  type JsonObject,
  type LedgerRecord,
  type ResponseRequest,
  ResponseTurn,
  type RunState,
  type StoredResponse,
} from '../../reference/index.ts';

// State that a gateway writes to a file when it exits, and reads when it restarts.

/** A response in the file. */
export interface SavedResponse {
  readonly id: string;
  readonly region: string;
  readonly owner: string;
  readonly model: string;
  /** Keys that may use the model. */
  readonly permitted: StoredResponse['model']['permitted'];
  readonly store: boolean;
  readonly background: boolean;
  readonly retainedFrom: number;
  readonly deleted: boolean;
  readonly bytes: number;
  /** Null if the content is removed. */
  readonly turn: SavedTurn | null;
}

export interface SavedTurn {
  readonly ids: ResponseTurn['parts']['ids'];
  readonly request: SavedRequest;
  readonly history: readonly JsonObject[];
  readonly generation: Generation;
  readonly state: RunState;
  readonly written: number;
  readonly createdAt: number;
  readonly completedAt: number | null;
  /** Id of its financial record. */
  readonly financial: string;
}

interface SavedRequest extends Omit<ResponseRequest, 'model' | 'echo'> {
  readonly echo: Echo['data'];
}

export interface Saved {
  readonly responses: readonly SavedResponse[];
  readonly records: Readonly<Record<string, readonly LedgerRecord[]>>;
}

export function savedOf(database: Database): Saved {
  return {
    responses: database.store.newestFirst().toReversed().map(savedResponse),
    records: Object.fromEntries(
      [...database.ledgers].map(([region, ledger]) => [region, ledger.all()]),
    ),
  };
}

function savedResponse(record: StoredResponse): SavedResponse {
  const { id, region, owner, store, background, retainedFrom, deleted, bytes, turn } = record;
  return {
    ...{ id, region, owner, store, background, retainedFrom, deleted, bytes },
    ...{ model: record.model.id, permitted: record.model.permitted },
    turn: turn === null ? null : savedTurn(turn),
  };
}

function savedTurn({ parts, run, createdAt, completedAt }: ResponseTurn): SavedTurn {
  const { ids, request, history, generation, financial } = parts;
  const { model: _model, echo, ...asked } = request;
  return {
    ...{ ids, request: { ...asked, echo: echo.data }, history, generation, createdAt, completedAt },
    ...{ state: run.state, written: run.pieces.entries.length, financial: financial.id },
  };
}

/** Milliseconds between two tokens of a resumed run. */
const tokenMs = 4;

/** Restores a gateway from its saved state, and resumes the runs that had not ended. */
export function restored({ responses, records }: Saved, closing: AbortSignal): Database {
  const database = new Database();
  const financial = new Map<string, LedgerRecord>();
  for (const [region, all] of Object.entries(records)) {
    for (const record of all) {
      database.ledger(region).enter(record);
      financial.set(record.id, record);
    }
  }
  const models = new Map(fixtureModels().map((model) => [model.id, model]));
  for (const saved of responses) {
    const { model: name, permitted, turn, ...rest } = saved;
    const known = models.get(name);
    if (known === undefined) throw new Error(`The file has a response of no model: ${name}`);
    const model = { ...known, permitted };
    database.store.put({
      ...{ ...rest, model },
      turn: turn === null ? null : restoredTurn(saved.id, model, turn, financial, closing),
    });
  }
  return database;
}

function restoredTurn(
  id: string,
  model: StoredResponse['model'],
  { request, financial: of, state, written, createdAt, completedAt, ...parts }: SavedTurn,
  financial: ReadonlyMap<string, LedgerRecord>,
  closing: AbortSignal,
): ResponseTurn {
  const record = financial.get(of);
  if (record === undefined) throw new Error(`The file has no financial record ${of}`);
  const asked = { ...request, model, echo: new Echo(request.echo) };
  const turn = new ResponseTurn({
    ...{ ...parts, id, closing, request: asked, financial: record },
    now: () => Date.now(),
  });
  turn.run.restore(state, written);
  Object.assign(turn, { createdAt, completedAt });
  return turn.finished ? turn : turn.start({ tokenMs }, false);
}
