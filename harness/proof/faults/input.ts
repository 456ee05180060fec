import {
  bodyEndpoints,
  type Context,
  type Defect,
  type DialectName,
  isArray,
  isObject,
  isShallow,
  type Json,
  type JsonObject,
  type Operation,
  Refusal,
} from '../../reference/index.ts';
import { forgiving, tighten } from '../decisions.ts';
import { changed, memberAt } from '../editing.ts';
import { wrong } from '../generated/index.ts';
import {
  badBody,
  endpointOf,
  errorBodies,
  handling,
  moreRoutes,
  type Override,
  mainOperations as protocols,
  seam,
  statusOf,
} from '../planting.ts';
import type { Fault } from './fault.ts';
import { each, planted } from './planted.ts';

const limited = protocols.filter(([protocol]) => protocol !== 'systemone');

/** Members that carry the input of a request. */
const inputMembers = ['input', 'messages', 'contents', 'questions'];

/** Fails inside the gateway for requests with a matching body. */
function failing(operation: Operation, has: (body: Json) => boolean): Defect['override'] {
  return handling(operation, (handle) => (call, key) => {
    if (has(call.body)) throw new Refusal('internal-error', 'The gateway failed.');
    return handle(call, key);
  });
}

const isDeep = (body: Json): boolean => !isShallow(body, 1000);

/** True for a lone surrogate or NUL, including escaped ones in the JSON text. */
function isOdd(body: Json): boolean {
  const members = Object.values<Json>(Object(body)).filter((member) => isShallow(member));
  return /\\ud[89a-f]|\\u0000/i.test(JSON.stringify(members));
}

/** Paths without an endpoint. */
const unknownPath = /^\/v1\/(?!responses|chat|messages|models|systemone)/;

/** Refuses every request for a while after each refusal of a kind. */
function lockedAfter(isOne: (refusal: Refusal) => boolean): Defect['override'] {
  return ({ transport }) => {
    let until = 0;
    return {
      transport: {
        send: async (out, head, body, context) => {
          if (performance.now() < until) {
            const error = {
              message: 'account in cooldown after a failed request',
              type: 'cooldown',
            };
            const headers = { 'content-type': 'application/json' };
            return transport.send(
              out,
              { status: 503, headers },
              JSON.stringify({ error }),
              context,
            );
          }
          if (context.refusal !== null && isOne(context.refusal)) until = performance.now() + 1_000;
          return transport.send(out, head, body, context);
        },
      },
    };
  };
}

function catchAll(protocol: DialectName, path: RegExp): Defect['override'] {
  return moreRoutes(protocol, () => [
    {
      method: 'POST',
      path,
      operation: () => 'none',
      body: 'ignored',
      handle: () => ({ kind: `${protocol}.error`, body: {} }),
    },
  ]);
}

function isBadBodyOf(
  protocol: DialectName,
): (context: Context & { readonly refusal: Refusal }) => boolean {
  return ({ call, refusal }) => call.dialect.name === protocol && badBody.includes(refusal.reason);
}

// Equivalent requests in another native form.

const turns = {
  responses: ['responses.create', 'input', 'content'],
  'chat-completions': ['chat-completions.create', 'messages', 'content'],
  messages: ['messages.create', 'messages', 'content'],
  generative: ['generative.generate', 'contents', 'parts'],
} as const;

type Conversing = keyof typeof turns;

/** Refuses a form in any turn. */
function refused(protocol: Conversing, has: (turn: JsonObject) => boolean): Override {
  const [operation, member] = turns[protocol];
  return handling(operation, (handle) => (call, key) => {
    const said = call.body[member];
    if (!isArray(said) || !said.some((turn) => isObject(turn) && has(turn))) {
      return handle(call, key);
    }
    throw new Refusal('invalid-value', `'${member}' is not of the form that is read.`, member);
  });
}

function shortened(content: Json | undefined): Json | undefined {
  if (!isArray(content)) return content;
  const texts = content.every((part) => typeof memberAt(part, 'text') === 'string');
  return texts ? content.slice(0, 1) : content;
}

/** Matches several texts, but not calls and their results. */
const isInTexts = ({ content }: JsonObject): boolean =>
  isArray(content) &&
  content.length > 1 &&
  content.every((part) => typeof memberAt(part, 'text') === 'string');

export const inputFaults: readonly Fault[] = [
  ...each(bodyEndpoints, (endpoint) => ({
    'input.malformed-json-served-{}': wrong('insists', { endpoint, rule: 'malformed-json' }),
    'input.empty-body-served-{}': wrong('insists', { endpoint, rule: 'empty-body' }),
    'input.not-an-object-served-{}': wrong('insists', { endpoint, rule: 'not-an-object' }),
    'input.wrong-type-served-{}': wrong('insists', { endpoint, rule: 'wrong-type' }),
    'input.malformed-json-breaks-{}': statusOf(
      500,
      ({ reason }, call) => reason === 'malformed-json' && endpointOf(call) === endpoint,
    ),
  })),
  ...each(limited, ([protocol]) => ({
    'input.negative-limit-served-{0}': tighten(
      'insists',
      (refusal, call) => refusal.reason === 'limit-too-small' && call.dialect.name === protocol,
    ),
  })),
  ...each(limited, ([protocol]) => ({
    'input.huge-limit-breaks-{0}': statusOf(
      500,
      ({ reason }, { dialect }) => reason === 'limit-too-large' && dialect.name === protocol,
    ),
  })),
  ...each(protocols, ([, operation]) => ({
    'input.nesting-breaks-{0}': failing(operation, isDeep),
  })),
  ...planted({
    'input.nesting-kills-worker': seam(
      'transport',
      'send',
      (native) => async (out, head, body, context) => {
        if (isDeep(context.call.body)) out.destroy();
        else await native(out, head, body, context);
      },
    ),
    'input.nesting-ends-gateway': seam(
      'transport',
      'send',
      (native) => async (out, head, body, context) => {
        if (!isDeep(context.call.body)) return native(out, head, body, context);
        context.call.gateway.end();
        out.destroy();
      },
    ),
    'input.one-bad-body-locks': lockedAfter(({ reason }) => reason === 'malformed-json'),
    'input.one-wrong-key-locks': lockedAfter(({ reason }) => reason === 'unknown-key'),
    'input.unknown-path-served': catchAll('responses', unknownPath),
    'input.unknown-path-served-messages': catchAll('messages', unknownPath),
    'input.unknown-path-served-generative': catchAll('generative', /^\/v1beta\/(?!models(\/|$))/),
  }),
  ...each(protocols, ([, operation]) => ({
    'input.list-of-numbers-breaks-{0}': failing(operation, (body) =>
      inputMembers.some((name) => memberAt(body, `${name}.0`) === 42),
    ),
  })),
  ...each(
    [
      ['chat-completions', 'chat-completions.create'],
      ['messages', 'messages.create'],
    ] as const,
    ([, operation]) => ({
      'input.text-breaks-{0}': failing(operation, (body) => memberAt(body, 'messages') === 'text'),
    }),
  ),
  ...each(protocols, ([protocol]) => ({
    'input.member-type-breaks-{0}': statusOf(500, ({ reason, param }, { dialect }) => {
      const where = param?.split(/[[.]/)[0] ?? '';
      return reason === 'wrong-type' && dialect.name === protocol && !inputMembers.includes(where);
    }),
  })),
  ...each(['responses', 'chat-completions', 'messages', 'systemone'] as const, (protocol) => ({
    'input.untyped-model-served-{}': forgiving(
      ({ reason, param }, { dialect }) =>
        reason === 'wrong-type' && param === 'model' && dialect.name === protocol,
    ),
  })),
  ...each(protocols, ([, operation]) => ({
    'input.unicode-breaks-{0}': failing(operation, isOdd),
  })),
  ...each(protocols, ([protocol]) => ({
    'input.mutated-body-breaks-{0}': statusOf(500, ({ reason, param }, { dialect }) => {
      const wrong = reason === 'wrong-type' || reason === 'missing-parameter';
      const where = param?.split(/[[.]/)[0] ?? '';
      return wrong && dialect.name === protocol && inputMembers.includes(where);
    }),
  })),
  ...each(protocols, ([protocol]) => ({
    'input.long-id-breaks-{0}': statusOf(500, (_refusal, { dialect, params, body }) => {
      const id = params.model ?? params.id ?? body.model;
      return dialect.name === protocol && typeof id === 'string' && id.length > 255;
    }),
  })),
  ...each(protocols, ([protocol]) => ({
    'input.stack-trace-{0}': errorBodies(isBadBodyOf(protocol), (body) => ({
      ...body,
      stack:
        'SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n    at readBody (/srv/gateway/body.js:41:17)',
    })),
  })),
  ...each(protocols, ([protocol]) => ({
    'input.html-{0}': seam('transport', 'send', (native) => (out, head, body, context) => {
      const { refusal } = context;
      const bad = refusal !== null && isBadBodyOf(protocol)({ ...context, refusal });
      if (!bad) return native(out, head, body, context);
      const page = '<!DOCTYPE html><html><body><h1>400 Bad Request</h1></body></html>';
      const headers = { ...head.headers, 'content-type': 'text/html' };
      return native(out, { ...head, headers }, page, context);
    }),
  })),
  ...each(protocols, ([, operation]) => ({
    'input.down-afterwards-{0}': (seams) => {
      let isDown = false;
      return handling(operation, (handle) => (call, key) => {
        const wasDown = isDown;
        isDown ||= isDeep(call.body);
        if (wasDown) throw new Refusal('internal-error', 'The gateway failed.');
        return handle(call, key);
      })(seams);
    },
  })),
  ...each(protocols, ([protocol, operation]) => ({
    'input.put-served-{0}': moreRoutes(protocol, (routes) =>
      routes
        .filter((route) => route.operation({}, new URLSearchParams()) === operation)
        .map((route) => ({ ...route, method: 'PUT' as const })),
    ),
  })),
  ...each(['responses', 'chat-completions'], (protocol) => ({
    'other-forms.developer-refused-{}': refused(protocol, ({ role }) => role === 'developer'),
  })),
  ...each(['responses', 'chat-completions', 'messages'], (protocol) => ({
    'other-forms.parts-refused-{}': refused(protocol, isInTexts),
  })),
  ...planted({
    'other-forms.no-role-refused-generative': refused(
      'generative',
      ({ role }) => role === undefined,
    ),
  }),
  // The model reads only the first part of each message.
  ...each(Object.entries(turns), ([, [operation, member, parts]]) => ({
    'other-forms.first-part-{0}': handling(operation, (handle) => (call, key) => {
      const said = call.body[member];
      if (!isArray(said)) return handle(call, key);
      const first = said.map((turn) => (isObject(turn) ? changed(turn, parts, shortened) : turn));
      return handle({ ...call, body: { ...call.body, [member]: first } }, key);
    }),
  })),
];
