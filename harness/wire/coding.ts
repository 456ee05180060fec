import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { HeaderLines } from './exchange.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The decoder for an answer's body. Null when it is not coded, or coded in a way that was not asked
 * for: then the bytes are kept as they came, and are judged as they are.
 */
export function contentDecoder(asked: HeaderLines, answered: HeaderLines): Transform | null {
  const codings = members(answered, 'content-encoding').filter((coding) => coding !== 'identity');
  const [coding] = codings;
  if (coding === undefined || codings.length > 1) return null;
  return members(asked, 'accept-encoding').includes(coding) ? (decoders[coding]?.() ?? null) : null;
}

/** The members of a list header, without their parameters. */
function members(headers: HeaderLines, name: string): string[] {
  return headers
    .filter(([header]) => header.toLowerCase() === name)
    .flatMap(([, value]) => value.split(','))
    .map((member) => (member.split(';')[0] ?? '').trim().toLowerCase())
    .filter((member) => member !== '');
}
