import { Bounded, type Limits } from './bounded.ts';
import { randomDigits } from './ids.ts';

/** Kinds of requests with a financial record. A count is free of charge. */
type LedgerOperation = 'generation' | 'compact' | 'count';

type LedgerStatus = 'running' | 'completed' | 'incomplete' | 'cancelled' | 'failed';

/** Financial record of one accepted request. It holds no content, and outlives it. */
export interface LedgerRecord {
  readonly id: string;
  readonly clientRequestId: string | null;
  readonly operation: LedgerOperation;
  readonly protocol: string;
  readonly model: string;
  readonly responseId: string | null;
  /** Unix seconds. */
  readonly createdAt: number;
  /** The next three members follow the run until it ends. */
  status: LedgerStatus;
  inputTokens: number;
  outputTokens: number;
}

/** Members of a record that are known when its request is accepted. */
interface LedgerOpening {
  readonly operation: LedgerOperation;
  readonly model: string;
  readonly inputTokens: number;
  readonly responseId?: string;
  /** Default: `running`. */
  readonly status?: LedgerStatus;
}

interface Entered {
  readonly clientRequestId: string | null;
  readonly dialect: { readonly name: string };
  readonly gateway: { now(): number };
}

type Tokens = Map<string, { readonly input: number; readonly output: number }>;

function addTokens(
  { protocol, operation, inputTokens, outputTokens }: LedgerRecord,
  tokens: Tokens,
): void {
  if (operation === 'count') return;
  const { input, output } = tokens.get(protocol) ?? { input: 0, output: 0 };
  tokens.set(protocol, { input: input + inputTokens, output: output + outputTokens });
}

/** Approximate bytes of a record, without the client's request id. */
const recordBytes = 500;

/** Financial records of one region. At its limits, the ledger drops the oldest. */
export class Ledger {
  readonly #records: Bounded<LedgerRecord, number>;
  #entered = 0;
  /** Numbers of the records by request id, oldest first. */
  readonly #ofRequest = new Map<string, number[]>();
  /** Token totals of the dropped records. */
  readonly #gone: Tokens = new Map();

  constructor(limits: Limits) {
    this.#records = new Bounded(limits, (record) => {
      addTokens(record, this.#gone);
      this.#forget(record);
    });
  }

  /** Enters an accepted request, before its generation starts. */
  open(call: Entered, opening: LedgerOpening): LedgerRecord {
    const record: LedgerRecord = {
      id: `led_${randomDigits()}`,
      clientRequestId: call.clientRequestId,
      operation: opening.operation,
      protocol: call.dialect.name,
      model: opening.model,
      responseId: opening.responseId ?? null,
      createdAt: Math.floor(call.gateway.now() / 1000),
      status: opening.status ?? 'running',
      inputTokens: opening.inputTokens,
      outputTokens: 0,
    };
    this.enter(record);
    return record;
  }

  enter(record: LedgerRecord): void {
    const { clientRequestId } = record;
    const number = this.#entered++;
    this.#records.put(number, record, recordBytes + (clientRequestId?.length ?? 0));
    if (clientRequestId === null || this.#records.get(number) === undefined) return;
    const own = this.#ofRequest.get(clientRequestId);
    if (own === undefined) this.#ofRequest.set(clientRequestId, [number]);
    else own.push(number);
  }

  /** Removes the oldest record of its request from the index. */
  #forget({ clientRequestId }: LedgerRecord): void {
    if (clientRequestId === null) return;
    const own = this.#ofRequest.get(clientRequestId);
    own?.shift();
    if (own?.length === 0) this.#ofRequest.delete(clientRequestId);
  }

  /** Returns all records, oldest first. */
  all(): readonly LedgerRecord[] {
    return [...this.#records.values()];
  }

  /** Returns the tokens read and written so far, by protocol. */
  tokens(): Tokens {
    const tokens = new Map(this.#gone);
    for (const record of this.#records.values()) addTokens(record, tokens);
    return tokens;
  }

  /** Returns the records of these requests, oldest first. */
  find(clientRequestIds: readonly string[]): readonly LedgerRecord[] {
    const numbers = [...new Set(clientRequestIds)].flatMap((id) => this.#ofRequest.get(id) ?? []);
    return numbers
      .sort((one, other) => one - other)
      .flatMap((number) => this.#records.get(number) ?? []);
  }
}
