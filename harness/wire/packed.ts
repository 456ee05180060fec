import { isUtf8 } from 'node:buffer';
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';

/** Of what is packed, as much as an answer may have. */
const maxOutputLength = 8 * 1024 * 1024;
const partly = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
const unpackers: readonly ((bytes: Uint8Array) => Buffer)[] = [
  (bytes) => gunzipSync(bytes, partly),
  (bytes) => inflateSync(bytes, partly),
  (bytes) => inflateRawSync(bytes, partly),
  (bytes) =>
    brotliDecompressSync(bytes, {
      maxOutputLength,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
];

/** How gzip begins. */
const gzipMagic = Buffer.from([0x1f, 0x8b, 8]);
/** So many beginnings are looked at. */
const mostBeginnings = 4;

/**
 * What bytes hold when they are packed, in whatever format: a gateway, or a proxy before it, may lose
 * the header that says so, or put something before it. Empty for text, and for bytes that no unpacker reads.
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

/** Where gzip may begin but at the beginning. */
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
