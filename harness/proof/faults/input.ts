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
  type RefusalReason,
} from '../../reference/index.ts';
import { forgiving, tighten } from '../decisions.ts';
import { changed, memberAt } from '../editing.ts';
import { endpointOf, errorBodies, handling, moreRoutes, statusOf } from '../planting.ts';
import type { Fault } from './fault.ts';
import { each, planted } from './planted.ts';

/** Members that carry the input of a request. */
const inputMembers = ['input', 'messages', 'contents', 'questions'];

const badBodyFaults: readonly Fault[] = [
  ...bodyEndpoints.flatMap((endpoint) =>
    (
      [
        ['malformed-json', 'malformed-json', 'malformed JSON'],
        ['empty-body', 'empty-body', 'a request without a body'],
        ['not-an-object', 'not-an-object', 'a list in place of the body'],
      ] as const
    ).map(
      ([rule, reason, what]): Fault => ({
        id: `input.${rule}-served-${endpoint}`,
        what: `\`${endpoint}\` reads ${what} as an empty object, and answers.`,
        breaks: [`input/requests.${rule}:${endpoint}`],
        override: forgiving(
          (refusal, call) => refusal.reason === reason && endpointOf(call) === endpoint,
        ),
      }),
    ),
  ),
  ...each(bodyEndpoints, (endpoint) => ({
    'input.wrong-type-served-{}': forgiving(
      ({ reason, param }, call) =>
        reason === 'wrong-type' &&
        endpointOf(call) === endpoint &&
        inputMembers.includes(param ?? ''),
    ),
  })),
  ...each(bodyEndpoints, (endpoint) => ({
    'input.malformed-json-breaks-{}': statusOf(
      500,
      ({ reason }, call) => reason === 'malformed-json' && endpointOf(call) === endpoint,
    ),
  })),
];

/** Each protocol with the operation that stands for it, and what its limit is called. */
const protocols = [
  ['responses', 'responses.create'],
  ['chat-completions', 'chat-completions.create'],
  ['messages', 'messages.create'],
  ['generative', 'generative.generate'],
  ['systemone', 'systemone.create'],
] as const satisfies readonly (readonly [DialectName, Operation])[];

const limited = protocols.filter(([protocol]) => protocol !== 'systemone');

/** The reasons to refuse a bad body. */
const badBody: readonly RefusalReason[] = [
  'empty-body',
  'malformed-json',
  'not-an-object',
  'missing-parameter',
  'wrong-type',
  'invalid-value',
  'too-deep',
];

/** Requests whose body fits fail inside the gateway. */
function failing(operation: Operation, has: (body: Json) => boolean): Defect['override'] {
  return handling(operation, (handle) => (call, key) => {
    if (has(call.body)) throw new Refusal('internal-error', 'The gateway failed.');
    return handle(call, key);
  });
}

function isDeep(body: Json): boolean {
  return !isShallow(body, 1000);
}

/** Reads the JSON text, where escapes may hide them: a lone surrogate, or NUL. */
function isOdd(body: Json): boolean {
  return isShallow(body) && /\\ud[89a-f]|\\u0000/i.test(JSON.stringify(body));
}

/** Paths without an endpoint. */
const unknownPath = /^\/v1\/(?!responses|chat|messages|models|systemone)/;

const hardInputFaults: readonly Fault[] = [
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
    'input.nesting-kills-worker': ({ transport }) => ({
      transport: {
        send: async (out, head, body, context) => {
          if (isDeep(context.call.body)) out.destroy();
          else await transport.send(out, head, body, context);
        },
      },
    }),
  }),
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
    'input.html-{0}': ({ transport }) => ({
      transport: {
        send: (out, head, body, context) => {
          const { refusal } = context;
          const bad = refusal !== null && isBadBodyOf(protocol)({ ...context, refusal });
          if (!bad) return transport.send(out, head, body, context);
          const page = '<!DOCTYPE html><html><body><h1>400 Bad Request</h1></body></html>';
          const headers = { ...head.headers, 'content-type': 'text/html' };
          return transport.send(out, { ...head, headers }, page, context);
        },
      },
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
  ...planted({
    'input.nesting-ends-gateway': ({ transport }) => ({
      transport: {
        send: async (out, head, body, context) => {
          if (!isDeep(context.call.body)) return transport.send(out, head, body, context);
          context.call.gateway.end();
          out.destroy();
        },
      },
    }),
    'input.one-bad-body-locks': lockedAfter(({ reason }) => reason === 'malformed-json'),
    'input.one-wrong-key-locks': lockedAfter(({ reason }) => reason === 'unknown-key'),
    'input.unknown-path-served': catchAll('responses', unknownPath),
    'input.unknown-path-served-messages': catchAll('messages', unknownPath),
    'input.unknown-path-served-generative': catchAll('generative', /^\/v1beta\/(?!models(\/|$))/),
  }),
  ...each(protocols, ([protocol, operation]) => ({
    'input.put-served-{0}': moreRoutes(protocol, (routes) =>
      routes
        .filter((route) => route.operation({}, new URLSearchParams()) === operation)
        .map((route) => ({ ...route, method: 'PUT' as const })),
    ),
  })),
];

/** Everybody is refused for a while after each refusal of a kind. */
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

/** A form that is refused, wherever a turn has it. */
function refused(form: string, protocol: Conversing, has: (turn: JsonObject) => boolean): Fault {
  const [operation, member] = turns[protocol];
  return {
    id: `other-forms.${form}-refused-${protocol}`,
    what: `A turn is refused for its form, ${form}, on ${protocol}.`,
    breaks: [`input/requests.equivalent-forms:${protocol}`],
    override: handling(operation, (handle) => (call, key) => {
      const said = call.body[member];
      if (!isArray(said) || !said.some((turn) => isObject(turn) && has(turn))) {
        return handle(call, key);
      }
      throw new Refusal('invalid-value', `'${member}' is not of the form that is read.`, member);
    }),
  };
}

/** The model reads the first part of each message alone. */
function firstPart(protocol: Conversing): Fault {
  const [operation, member, parts] = turns[protocol];
  const first = (turn: Json): Json => (isObject(turn) ? changed(turn, parts, shortened) : turn);
  return {
    id: `other-forms.first-part-${protocol}`,
    what: `The model reads the first text part of a message alone, on ${protocol}.`,
    breaks: [`generation/usage.counts-parts:${protocol}`],
    override: handling(operation, (handle) => (call, key) => {
      const said = call.body[member];
      if (!isArray(said)) return handle(call, key);
      return handle({ ...call, body: { ...call.body, [member]: said.map(first) } }, key);
    }),
  };
}

function shortened(content: Json | undefined): Json | undefined {
  if (!isArray(content)) return content;
  const texts = content.every((part) => typeof memberAt(part, 'text') === 'string');
  return texts ? content.slice(0, 1) : content;
}

const isDeveloper = ({ role }: JsonObject): boolean => role === 'developer';
/** Several texts; calls and their results are left alone. */
const isInTexts = ({ content }: JsonObject): boolean =>
  isArray(content) &&
  content.length > 1 &&
  content.every((part) => typeof memberAt(part, 'text') === 'string');

const otherFormFaults: readonly Fault[] = [
  refused('developer', 'responses', isDeveloper),
  refused('developer', 'chat-completions', isDeveloper),
  refused('parts', 'responses', isInTexts),
  refused('parts', 'chat-completions', isInTexts),
  refused('parts', 'messages', isInTexts),
  refused('no-role', 'generative', ({ role }) => role === undefined),
  ...(Object.keys(turns) as Conversing[]).map(firstPart),
];

export const inputFaults: readonly Fault[] = [
  ...badBodyFaults,
  ...hardInputFaults,
  ...otherFormFaults,
];
