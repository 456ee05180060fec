import type { Exchange, ExchangeFailure } from '../../core/exchange.ts';
import type { Limits } from '../../target/target.ts';
import { defaultMaxBodyBytes } from '../../wire/request.ts';

/** Bytes of answers that a run at one target keeps, before it keeps only the beginning of each. */
const keptBytes = (bodyBytes: number) => 16 * bodyBytes;
/** More than the event of one token takes in any protocol. */
const tokenBytes = 1024;
/** Of each answer this much may come, however much was kept before. */
const leastBodyBytes = 64 * 1024;
/** So many exchanges in a row without an answer in time, and nothing further is sent. */
const patience = 24;

/** What a run takes at most, whatever a gateway does: memory, and time that leads nowhere. */
export class Bounds {
  readonly #bodyBytes: number;
  #kept = 0;
  #unanswered = 0;
  #last = '';

  /** An answer may be as long as the longest that is asked for. */
  constructor({ limits }: { readonly limits: Pick<Limits, 'longRunTokens'> }) {
    this.#bodyBytes = Math.max(defaultMaxBodyBytes, limits.longRunTokens * tokenBytes);
  }

  /** How large the answer of the next exchange may be. */
  get maxBodyBytes(): number {
    // Others are under way, each of which may take as much.
    const share = Math.floor((keptBytes(this.#bodyBytes) - this.#kept) / 8);
    return Math.max(leastBodyBytes, Math.min(this.#bodyBytes, share));
  }

  /** Why nothing further is sent; null while it makes sense. */
  get givenUp(): ExchangeFailure | null {
    if (this.#unanswered < patience) return null;
    const message = `not sent, because none of the last ${patience} requests was answered in time: ${this.#last}`;
    return { kind: 'unreachable', message };
  }

  /** An exchange has ended. */
  seen({ response, socket, failure }: Exchange): void {
    this.#kept += response?.body.length ?? 0;
    for (const { data } of socket?.frames ?? []) this.#kept += data.length;
    // Once given up it stays so: what was still under way says nothing new.
    if (this.#unanswered >= patience) return;
    // One end breaks all that is under way: it is waited for until the gateway is back.
    if (failure?.kind === 'ended') return;
    const inVain = ['timeout', 'unreachable', 'proxy'].includes(failure?.kind ?? '');
    this.#unanswered = inVain ? this.#unanswered + 1 : 0;
    this.#last = failure?.message ?? '';
  }
}
