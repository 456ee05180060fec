import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';

/** Of what is packed, as much as an answer may have. */
const maxOutputLength = 8 * 1024 * 1024;
const partly = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
const unpackers: readonly ((bytes: Uint8Array) => Buffer)[] = [
  (bytes) => gunzipSync(bytes, partly),
  (bytes) => inflateSync(bytes, partly),
  (bytes) =>
    brotliDecompressSync(bytes, {
      maxOutputLength,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
];

/**
 * What bytes hold when they are packed, in whatever format: a gateway, or a proxy before it, may lose
 * the header that says so. Empty for text, and for bytes that no unpacker reads.
 */
export function unpacked(bytes: Uint8Array): Buffer[] {
  if (isUtf8(bytes)) return [];
  return unpackers.flatMap((unpack) => {
    try {
      return unpack(bytes);
    } catch {
      return [];
    }
  });
}
