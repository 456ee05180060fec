import { isUtf8 } from 'node:buffer';
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';

/** Bound of unpacked bytes, equal to that of an answer's body. */
const maxOutputLength = 8 * 1024 * 1024;
const partly = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
const unpackers: readonly ((bytes: Uint8Array) => Buffer)[] = [
  (bytes) => gunzipSync(bytes, partly),
  (bytes) => inflateSync(bytes, partly),
  (bytes) => inflateRawSync(bytes, partly),
  (bytes) =>
    brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
];

/** First bytes of gzip data. */
const gzipMagic = Buffer.from([0x1f, 0x8b, 8]);
/** Maximum number of positions that are tried as the start of gzip data. */
const mostBeginnings = 4;

/**
 * Decompresses bytes in any known format: a gateway or its proxy may drop the header that names the format, or put
 * something before the data. Returns an empty list for text, and for bytes in no known format.
 */
export function unpacked(bytes: Uint8Array): Buffer[] {
  if (isUtf8(bytes)) return [];
  const later = beginningsIn(bytes).map((at) => () => gunzipSync(bytes.subarray(at), partly));
  return [...unpackers, ...later].flatMap((unpack) => {
    try {
      return unpack(bytes);
    } catch {
      return [];
    }
  });
}

/** Returns the positions after the first byte where gzip data may begin. */
function beginningsIn(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: number[] = [];
  let at = text.indexOf(gzipMagic, 1);
  while (at !== -1 && found.length < mostBeginnings) {
    found.push(at);
    at = text.indexOf(gzipMagic, at + 1);
  }
  return found;
}
