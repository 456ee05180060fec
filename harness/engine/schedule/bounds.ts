import type { Exchange, ExchangeFailure } from '../../core/exchange.ts';
import { mostThings } from '../../core/json-size.ts';
import type { Limits } from '../../target/target.ts';
import { mostHeaderBytes } from '../../wire/failure.ts';
import { defaultMaxBodyBytes, defaultMaxFrames, type WireOptions } from '../../wire/request.ts';

/** Bytes that a run at one target keeps, before it keeps only the beginning of each answer. */
const keptBytes = (bodyBytes: number) => 16 * bodyBytes;
/** More than the event of one token takes in any protocol. */
const tokenBytes = 1024;
/** And more than that is made of: lines, members, values. */
const tokenThings = 128;
/** What it takes to keep a frame or the time of a piece, beside their bytes. */
const frameBytes = 128;
const markBytes = 64;
/** Of each answer this much may come, however much was kept before. */
const leastBodyBytes = 64 * 1024;
const leastHeaderBytes = 16 * 1024;
/** A conversation of all turns at their longest has fewer frames. */
const framesPerToken = 4;
/** So many exchanges in a row without an answer in time, and nothing further is sent. */
const patience = 24;
/** And if half of so many were in vain: who answers every other request keeps a run waiting just as long. */
const recently = 48;

/** What a run takes at most, whatever a gateway does: memory, and time that leads nowhere. */
export class Bounds {
  readonly #bodyBytes: number;
  readonly #longRunTokens: number;
  #kept = 0;
  #inRow = 0;
  readonly #recent: boolean[] = [];
  #givenUp: ExchangeFailure | null = null;

  /** An answer may be as long as the longest that is asked for. */
  constructor({ limits }: { readonly limits: Pick<Limits, 'longRunTokens'> }) {
    this.#longRunTokens = limits.longRunTokens;
    this.#bodyBytes = Math.max(defaultMaxBodyBytes, limits.longRunTokens * tokenBytes);
  }

  /** How large the answer of the next exchange may be. */
  get wire(): Pick<
    Required<WireOptions>,
    'maxBodyBytes' | 'maxThings' | 'maxFrames' | 'maxHeaderBytes'
  > {
    // Others are under way, each of which may take as much.
    const share = Math.floor((keptBytes(this.#bodyBytes) - this.#kept) / 8);
    const leastFrames = this.#longRunTokens * framesPerToken;
    const mostFrames = Math.max(defaultMaxFrames, leastFrames);
    return {
      maxBodyBytes: Math.max(leastBodyBytes, Math.min(this.#bodyBytes, share)),
      maxThings: Math.max(mostThings, this.#longRunTokens * tokenThings),
      maxHeaderBytes: Math.max(leastHeaderBytes, Math.min(mostHeaderBytes, Math.floor(share / 32))),
      maxFrames: Math.max(leastFrames, Math.min(mostFrames, Math.floor(share / frameBytes))),
    };
  }

  /** Why nothing further is sent; null while it makes sense. */
  get givenUp(): ExchangeFailure | null {
    return this.#givenUp;
  }

  /** An exchange has ended. */
  seen({ response, socket, failure }: Exchange): void {
    const frames = socket?.frames ?? [];
    this.#kept += (response?.body.length ?? 0) + (response?.chunks.length ?? 0) * markBytes;
    for (const [name, value] of response?.headers ?? []) this.#kept += name.length + value.length;
    for (const { data } of frames) this.#kept += data.length + frameBytes;
    // Once given up it stays so: what was still under way says nothing new. And one end breaks all that is
    // under way: it is waited for until the gateway is back.
    if (this.#givenUp !== null || failure?.kind === 'ended') return;
    const inVain = ['timeout', 'unreachable', 'proxy'].includes(failure?.kind ?? '');
    this.#inRow = inVain ? this.#inRow + 1 : 0;
    this.#recent.push(inVain);
    if (this.#recent.length > recently) this.#recent.shift();
    const vain = this.#recent.filter(Boolean).length;
    const which =
      this.#inRow >= patience
        ? `none of the last ${patience} requests was`
        : this.#recent.length === recently && vain >= recently / 2
          ? `${vain} of the last ${recently} requests were not`
          : null;
    if (which === null) return;
    const message = `not sent, because ${which} answered in time: ${failure?.message}`;
    this.#givenUp = { kind: 'unreachable', message };
  }
}
