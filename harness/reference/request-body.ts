import type { IncomingMessage } from 'node:http';
import { insist } from './admission.ts';
import type { Call } from './call.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { Refusal } from './refusal.ts';

/** Reads and parses the body of a request. Refuses what is no JSON object. */
export async function readJsonBody(request: IncomingMessage, call: Call): Promise<JsonObject> {
  return parseJsonObject(await readBytes(request, call), call);
}

/** Also for the text of a WebSocket frame. Where the policy does not insist, an empty object. */
export function parseJsonObject(bytes: Uint8Array, call: Call): JsonObject {
  if (bytes.length === 0) {
    insist(call, new Refusal('empty-body', 'The request body is empty; send a JSON object.'));
    return {};
  }
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    insist(call, new Refusal('malformed-json', 'The request body is not valid JSON in UTF-8.'));
    return {};
  }
  if (isObject(value)) return value;
  insist(call, new Refusal('not-an-object', 'The request body has to be a JSON object.'));
  return {};
}

async function readBytes(request: IncomingMessage, call: Call): Promise<Uint8Array> {
  const limit = call.gateway.seams.policy.bodyLimit(call);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytesOf(request)) {
    length += chunk.length;
    if (length > limit) {
      // The client may still be sending; it has to see the answer all the same.
      request.resume();
      throw new Refusal('body-too-large', `The request body is larger than ${limit} bytes.`, null, {
        connection: 'close',
      });
    }
    chunks.push(chunk);
  }
  call.note.bytes = length;
  return Buffer.concat(chunks);
}

/** Unlike a plain `for await`, leaves the connection open when the reader stops early. */
function bytesOf(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return request.iterator({ destroyOnReturn: false });
}
