import type { IncomingMessage } from 'node:http';
import { insist } from './admission.ts';
import type { Call } from './call.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads and parses the body of a request. Refuses anything but a JSON object. */
export async function readJsonBody(request: IncomingMessage, call: Call): Promise<JsonObject> {
  return parseJsonObject(await readBytes(request, call), call);
}

/**
 * Parses a JSON object, also from the text of a WebSocket frame. Returns an empty object if the policy does not insist.
 */
export function parseJsonObject(bytes: Uint8Array, call: Call): JsonObject {
  if (bytes.length === 0) {
    insist(call, new Refusal('empty-body', 'The request body is empty; send a JSON object.'));
    return {};
  }
  let value: Json;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    insist(call, new Refusal('malformed-json', 'The request body is not valid JSON in UTF-8.'));
    return {};
  }
  if (isObject(value)) return value;
  insist(call, new Refusal('not-an-object', 'The request body has to be a JSON object.'));
  return {};
}

/** Reads a body. Rejects if the client disconnects early. Leaves the connection open in any case. */
function readBytes(request: IncomingMessage, call: Call): Promise<Uint8Array> {
  const limit = call.gateway.seams.policy.bodyLimit(call);
  // Joined as they arrive: memory follows the bytes of the pieces, and not their number.
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let isWhole = false;
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      const start = length;
      length += chunk.length;
      if (length <= limit) {
        if (start === 0) bytes = chunk;
        else if (length > bytes.length) bytes = Buffer.concat([bytes], 2 * length);
        if (start > 0) chunk.copy(bytes, start);
        return;
      }
      // The client may still be sending, but has to see the answer.
      request.off('data', take).resume();
      const message = `The request body is larger than ${limit} bytes.`;
      reject(new Refusal('body-too-large', message, null, { connection: 'close' }));
    };
    request.on('data', take);
    request.on('end', () => {
      isWhole = true;
      call.note.bytes = length;
      resolve(bytes.subarray(0, length));
    });
    request.on('error', reject);
    request.on('close', () => {
      // Creating an error is expensive, and every request eventually closes.
      if (!isWhole) reject(new Error('The client has gone.'));
    });
  });
}
