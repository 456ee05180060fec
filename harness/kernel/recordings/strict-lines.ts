import { type Exchange, type Peer, whyOtherwise } from '../core/index.ts';
import { peerLine, toLine } from '../wire/index.ts';

/** A line of a recording, without its line end. */
interface WrittenLine {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** Checks that lines are as a run writes them, so that nothing is in them that nobody has checked. */
export class StrictLines {
  readonly #target: string;
  readonly #lines = new Set<string>();
  /** The peer of the line before, which the next exchange has to be the first to name. */
  #peer: string | null = null;

  constructor(target: string) {
    this.#target = target;
  }

  /** Returns the reason why a line is not as expected, or null. */
  whyNot({ text, isUtf8: isText }: WrittenLine, expected: string): string | null {
    return isText ? whyOtherwise(text, expected) : 'it is not written in UTF-8';
  }

  ofPeer(line: WrittenLine, peer: Peer, known: ReadonlyMap<string, Peer>): string | null {
    if (known.has(peer.id)) return `it repeats the peer ${peer.id}`;
    if (this.#peer !== null) return `no exchange follows the peer ${this.#peer}`;
    this.#peer = peer.id;
    return this.whyNot(line, peerLine(peer));
  }

  ofExchange(line: WrittenLine, exchange: Exchange): string | null {
    if (this.#peer !== null && exchange.peer?.id !== this.#peer) {
      return `it is not with the peer ${this.#peer} of the line before`;
    }
    this.#peer = null;
    return this.whyNot(line, toLine(exchange, { target: this.#target }));
  }

  ofOther({ text, isUtf8: isText }: WrittenLine): string | null {
    if (!isText) return 'it is not written in UTF-8';
    if (this.#lines.has(text)) return 'it repeats a line before it';
    this.#lines.add(text);
    return null;
  }

  atEnd(): string | null {
    return this.#peer === null ? null : `no exchange follows the peer ${this.#peer}`;
  }
}
