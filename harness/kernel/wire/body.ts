import { isUtf8 } from 'node:buffer';
import { cut, type Exchange, tooMuchJson } from '../core/index.ts';
import { unpacked } from '../redaction/index.ts';
import { remembered } from './remembered.ts';

/** Value of a body, or the reason why the body could not be read. */
type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

/** The body of the answer as text. Bytes that are not UTF-8 yield a reason, not replacement characters. */
export const text = remembered(readText);

/** The body of the answer as a JSON value. */
export const json = remembered(readJson);

/** The values of a header of the answer, in order. The name is not case-sensitive. */
export function headerValues(exchange: Exchange, name: string): readonly string[] {
  return headersOf(exchange).get(name.toLowerCase()) ?? [];
}

/** Header values by lower-case name. */
const headersOf = remembered(({ response }): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of response?.headers ?? []) {
    const own = values.get(name.toLowerCase());
    if (own === undefined) values.set(name.toLowerCase(), [value]);
    else own.push(value);
  }
  return values;
});

function readText(exchange: Exchange): Read<string> {
  const { response, failure } = exchange;
  if (response === null) {
    return no(failure === null ? 'no response came' : `no response came: ${failure.message}`);
  }
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(response.body) };
  } catch {
    const at = firstInvalidByte(response.body);
    const coding = headerValues(exchange, 'content-encoding').join(', ');
    const isLabelled = coding !== '' && coding !== 'identity';
    const isCoded = !isLabelled && unpacked(response.body).some((one) => readable(one));
    const hint = isLabelled
      ? `; the response has \`content-encoding: ${coding}\``
      : isCoded
        ? '; it is compressed, and no `content-encoding` says so'
        : '';
    return no(`the body is not UTF-8 from byte ${at} on${hint}`);
  }
}

function readJson(exchange: Exchange): Read<unknown> {
  const body = text(exchange);
  if (!body.ok) return body;
  if (body.value.trim() === '') return no('the body is empty, not JSON');
  const tooMuch = tooMuchJson(body.value);
  if (tooMuch !== null) return no(`the body is not read as JSON: ${tooMuch}`);
  try {
    return { ok: true, value: JSON.parse(body.value) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return no(`the body is not JSON: ${problem}; it begins with ${beginning(body.value)}`);
  }
}

/** True for what an answer may say: an unpacked text that begins like JSON, events or a page. */
function readable(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && /^\s*(?:[{["<:]|[a-z]+:)/.test(Buffer.from(bytes).toString());
}

/** Returns the offset of the first sequence that is not UTF-8: the end of the longest valid prefix. */
function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    if (wholeCharacters(bytes.subarray(0, middle)) !== null) good = middle;
    else bad = middle - 1;
  }
  return Buffer.byteLength(wholeCharacters(bytes.subarray(0, good)) ?? '');
}

/** Returns the text without a last character that is cut. Null if the bytes are not UTF-8. */
function wholeCharacters(bytes: Uint8Array): string | null {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function beginning(text: string): string {
  return JSON.stringify(cut(text, 80));
}

function no(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
