// HTTP: refusals in the form of each protocol, bodies, and server-sent events.

import { randomBytes } from 'node:crypto';

export function newId(prefix) {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function seconds() {
  return Math.floor(Date.now() / 1000);
}

/** A request that is refused. */
export class Refusal extends Error {
  constructor(status, message, { code = null, param = null } = {}) {
    super(message);
    Object.assign(this, { status, code, param });
  }
}

export function bad(message, more) {
  return new Refusal(400, message, more);
}

const openaiTypes = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
};
const messagesTypes = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  500: 'api_error',
};
const generativeStatuses = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  500: 'INTERNAL',
};

export function openaiError({ status, message, code, param }) {
  return { message, type: openaiTypes[status] ?? 'invalid_request_error', param, code };
}

/** The body of a refusal, by the family of the path. */
const errorBodies = {
  openai: (refusal) => ({ error: openaiError(refusal) }),
  messages: ({ status, message }, requestId) => ({
    type: 'error',
    error: { type: messagesTypes[status] ?? 'invalid_request_error', message },
    request_id: requestId,
  }),
  generative: ({ status, message }) => ({
    error: { code: status, message, status: generativeStatuses[status] ?? 'FAILED_PRECONDITION' },
  }),
  systemone: ({ message }) => ({ detail: message }),
};

export function familyOf(path) {
  if (path.startsWith('/v1/messages')) return 'messages';
  if (path.startsWith('/v1beta/') || /^\/v1\/models\/./.test(path)) return 'generative';
  return path === '/v1/systemone' ? 'systemone' : 'openai';
}

export function sendJson(response, status, value, headers = {}) {
  if (response.destroyed || response.headersSent) return;
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': response.countsCharacters ? text.length : Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function sendRefusal(response, family, refusal, requestId) {
  const headers = refusal.status === 405 ? { allow: refusal.allow ?? 'GET, POST' } : {};
  sendJson(response, refusal.status, errorBodies[family](refusal, requestId), headers);
}

const mostBytes = 16 * 1024 * 1024;

/** Reads the body of a request as a JSON object. */
export async function readObject(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > mostBytes) throw new Refusal(413, 'The request is too large.');
    chunks.push(chunk);
  }
  let value;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw bad('The body is no JSON.');
  }
  if (!isObject(value)) throw bad('The body is no JSON object.');
  return value;
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks optional members of a body against the types that they may have. */
export function checkTypes(body, types) {
  for (const [name, type] of Object.entries(types)) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    const fits =
      type === 'array'
        ? Array.isArray(value)
        : type === 'object'
          ? isObject(value)
          : type === 'integer'
            ? Number.isInteger(value)
            : typeof value === type;
    if (!fits)
      throw bad(`Invalid type of '${name}': expected ${type}.`, {
        code: 'invalid_type',
        param: name,
      });
  }
}

/** Opens a stream of server-sent events. */
export function openEvents(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return {
    named(type, value) {
      if (!response.destroyed) response.write(`event: ${type}\ndata: ${JSON.stringify(value)}\n\n`);
    },
    data(value) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (!response.destroyed) response.write(`data: ${text}\n\n`);
    },
    end: () => response.end(),
    get isGone() {
      return response.destroyed;
    },
  };
}
