import { cut } from '../../core/index.ts';

// A second, strict reader of HTTP/1.1 after RFC 9112. It reads the recorded bytes of an answer that the HTTP
// library could not read, and names the violated clause. It accepts nothing outside of the grammar, and rejects
// nothing that no clause forbids.

/** Violation of a clause by received bytes. */
export interface Flaw {
  /** `RFC 9112, 6.2` */
  readonly clause: string;
  readonly what: string;
}

export interface HttpReading {
  /** Violation of a clause. Null if the received bytes violate none, even if they are incomplete. */
  readonly flaw: Flaw | null;
  /** The header fields of the last head, by lower-case name. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Offset after a switch to another protocol. Null if there was none. */
  readonly switchedAt: number | null;
}

/** @param upgrade true if the request asked for another protocol */
export function readHttp(
  bytes: Uint8Array,
  { upgrade }: { readonly upgrade: boolean },
): HttpReading {
  const reader = new Reader(bytes, upgrade);
  let flaw: Flaw | null = null;
  try {
    reader.message();
  } catch (found) {
    if (found instanceof Broken) flaw = { clause: found.clause, what: found.message };
    else if (!(found instanceof NoMore)) throw found;
  }
  return { flaw, fields: reader.fields, switchedAt: reader.switchedAt };
}

/** Thrown when the bytes violate a clause. */
class Broken extends Error {
  readonly clause: string;

  constructor(clause: string, what: string) {
    super(what);
    this.clause = clause;
  }
}

/** Thrown when the bytes end here, or the rest cannot be judged. */
class NoMore extends Error {}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted =
  '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const blank = '[ \\t]*';
const chunkLine = new RegExp(
  `^([0-9A-Fa-f]+)(?:${blank};${blank}${token}(?:${blank}=${blank}(?:${token}|${quoted}))?)*$`,
);
const wholeToken = new RegExp(`^${token}$`);
const statusLine = /^HTTP\/\d\.\d (\d{3}) [\t \x21-\x7e\x80-\xff]*$/;
const fieldValue = /^[\t \x21-\x7e\x80-\xff]*$/;

/** A line without its line end. */
interface Line {
  readonly text: string;
  /** False if the line end has not arrived. */
  readonly ended: boolean;
}

class Reader {
  fields: ReadonlyMap<string, readonly string[]> = new Map();
  switchedAt: number | null = null;
  readonly #bytes: Buffer;
  readonly #upgrade: boolean;
  #at = 0;

  constructor(bytes: Uint8Array, upgrade: boolean) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#upgrade = upgrade;
  }

  /** Reads interim answers and the final one. @throws {Broken | NoMore} */
  message(): void {
    for (;;) {
      const status = this.#statusLine();
      this.fields = this.#fieldLines('header');
      const isInterim = status >= 100 && status < 200;
      if (isInterim || status === 204) this.#assumeUnframed(status);
      if (status === 101) {
        if (!this.#upgrade) {
          throw new Broken('RFC 9110, 7.8', 'status 101, though no other protocol was asked for');
        }
        this.switchedAt = this.#at;
        return;
      }
      if (isInterim) continue;
      if (status !== 204 && status !== 304) this.#body();
      return;
    }
  }

  #statusLine(): number {
    const line = this.#line();
    const [, status] = statusLine.exec(line.text) ?? [];
    const beginning = 'HTTP/1.1';
    const isBegun = line.text.replace(/\d/g, '1').startsWith(beginning.slice(0, line.text.length));
    if (status === undefined && (line.ended || !isBegun)) {
      throw new Broken(
        'RFC 9112, 4',
        `an answer begins with ${quote(line.text)}, not with a status line`,
      );
    }
    if (!line.ended) throw new NoMore();
    return Number(status);
  }

  #fieldLines(kind: 'header' | 'trailer'): Map<string, string[]> {
    const fields = new Map<string, string[]>();
    for (;;) {
      const { text, ended } = this.#line();
      if (ended && text === '') return fields;
      if (/^[ \t]/.test(text)) {
        throw fields.size === 0 && kind === 'header'
          ? new Broken('RFC 9112, 2.2', 'white space between the status line and the first header')
          : new Broken('RFC 9112, 5.2', 'a header is folded over two lines');
      }
      const colon = text.indexOf(':');
      const name = colon < 0 ? text : text.slice(0, colon);
      if (/[ \t]$/.test(name) && colon >= 0) {
        throw new Broken('RFC 9112, 5.1', `white space before the colon of ${quote(name)}`);
      }
      if (name !== '' || ended) this.#assumeName(name, colon >= 0 || !ended);
      const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
      if (!fieldValue.test(value)) {
        throw new Broken('RFC 9110, 5.5', `a control character in the value of ${quote(name)}`);
      }
      if (!ended) throw new NoMore();
      const known = fields.get(name.toLowerCase());
      if (known === undefined) fields.set(name.toLowerCase(), [value]);
      else known.push(value);
    }
  }

  #assumeName(name: string, hasColon: boolean): void {
    if (!hasColon) throw new Broken('RFC 9112, 5', `a header line without a colon: ${quote(name)}`);
    if (!wholeToken.test(name)) {
      throw new Broken('RFC 9110, 5.1', `a header's name that is no token: ${quote(name)}`);
    }
  }

  #assumeUnframed(status: number): void {
    if (this.fields.has('transfer-encoding')) {
      throw new Broken('RFC 9112, 6.1', `Transfer-Encoding in an answer with status ${status}`);
    }
    if (this.fields.has('content-length')) {
      throw new Broken('RFC 9110, 8.6', `Content-Length in an answer with status ${status}`);
    }
  }

  #body(): void {
    const codings = listOf(this.fields.get('transfer-encoding')).map((one) => one.toLowerCase());
    const lengths = listOf(this.fields.get('content-length'));
    if (codings.length > 0 && lengths.length > 0) {
      throw new Broken('RFC 9112, 6.2', 'both Transfer-Encoding and Content-Length');
    }
    if (codings.filter((one) => one === 'chunked').length > 1) {
      throw new Broken('RFC 9112, 6.1', 'the chunked transfer coding is applied more than once');
    }
    const wrong = lengths.find((length) => !/^\d+$/.test(length));
    if (wrong !== undefined || lengths.length > 1) {
      const what = wrong === undefined ? 'several values' : `the value ${quote(wrong)}`;
      throw new Broken('RFC 9110, 8.6', `Content-Length has ${what}, where one number belongs`);
    }
    if (codings.at(-1) === 'chunked') this.#chunks();
  }

  #chunks(): void {
    for (;;) {
      const { text, ended } = this.#line();
      const [, size] = chunkLine.exec(text) ?? [];
      if (size === undefined && (ended || !/^[0-9A-Fa-f]*(?:[ \t;].*)?$/s.test(text))) {
        const isSize = /^[0-9A-Fa-f]/.test(text);
        throw new Broken(
          isSize ? 'RFC 9112, 7.1.1' : 'RFC 9112, 7.1',
          `${isSize ? 'a chunk extension that is none' : 'a chunk without its size'}: ${quote(text)}`,
        );
      }
      if (!ended) throw new NoMore();
      const length = Number.parseInt(size ?? '', 16);
      if (length === 0) break;
      this.#at += length;
      const end = this.#bytes.subarray(this.#at, this.#at + 2).toString('latin1');
      if (!'\r\n'.startsWith(end)) {
        throw new Broken('RFC 9112, 7.1', `a chunk of ${length} bytes does not end after them`);
      }
      if (end.length < 2) throw new NoMore();
      this.#at += 2;
    }
    this.#fieldLines('trailer');
  }

  #line(): Line {
    const end = this.#bytes.indexOf('\n', this.#at);
    const text = this.#bytes.toString('latin1', this.#at, end < 0 ? undefined : end);
    if (end < 0) return { text: text.replace(/\r$/, ''), ended: false };
    if (!text.endsWith('\r')) {
      throw new Broken('RFC 9112, 2.1', `a line ends in LF alone, not in CR LF: ${quote(text)}`);
    }
    const line = text.slice(0, -1);
    if (line.includes('\r')) throw new Broken('RFC 9112, 2.2', `CR within a line: ${quote(line)}`);
    this.#at = end + 1;
    return { text: line, ended: true };
  }
}

/** The elements of a list header, which may be spread over several lines. */
function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).map((one) => one.trim());
}

function quote(text: string): string {
  return JSON.stringify(cut(text, 41));
}
