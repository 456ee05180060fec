import {
  type Call,
  type Defect,
  type DialectName,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from '../../../reference/index.ts';
import { decide } from '../../decisions.ts';
import { handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { planted } from '../planted.ts';

// Parts of a conversation that a gateway loses on the way to the model.

type Conversing = Extract<
  DialectName,
  'responses' | 'chat-completions' | 'messages' | 'generative'
>;

interface Conversation {
  readonly operation: Operation;
  /** The member that holds the turns. */
  readonly turns: string;
  /** The role of the model. */
  readonly answering: string;
  /** The member that holds the system prompt; null where it is a turn. */
  readonly system: string | null;
}

const conversations: Readonly<Record<Conversing, Conversation>> = {
  responses: {
    operation: 'responses.create',
    turns: 'input',
    answering: 'assistant',
    system: 'instructions',
  },
  'chat-completions': {
    operation: 'chat-completions.create',
    turns: 'messages',
    answering: 'assistant',
    system: null,
  },
  messages: {
    operation: 'messages.create',
    turns: 'messages',
    answering: 'assistant',
    system: 'system',
  },
  generative: {
    operation: 'generative.generate',
    turns: 'contents',
    answering: 'model',
    system: 'systemInstruction',
  },
};

function losing(
  { operation, turns }: Pick<Conversation, 'operation' | 'turns'>,
  lose: (turns: readonly Json[], body: JsonObject) => JsonObject,
  fits: (call: Call) => boolean = () => true,
): Defect['override'] {
  return handling(operation, (handle) => (call, key) => {
    const said = call.body[turns];
    // Without the call, its result would be refused.
    const isWhole = call.body.tools !== undefined || (said !== undefined && !isPlain(said));
    if (isWhole || !fits(call)) return handle(call, key);
    return handle(
      { ...call, body: { ...call.body, ...lose(isArray(said) ? said : [], call.body) } },
      key,
    );
  });
}

function isPlain(said: Json): boolean {
  return !isArray(said) || said.every((turn) => hasRole(turn));
}

function hasRole(turn: Json, ...roles: readonly string[]): boolean {
  const role = isObject(turn) ? turn.role : undefined;
  return typeof role === 'string' && (roles.length === 0 || roles.includes(role));
}

/** Keeps only some turns, if there are several. */
function only(
  { turns }: Pick<Conversation, 'turns'>,
  said: readonly Json[],
  fits: (turn: Json, index: number) => boolean,
): JsonObject {
  return said.length < 2 ? {} : { [turns]: said.filter(fits) };
}

function lossesOf(protocol: Conversing): readonly Fault[] {
  const conversation = conversations[protocol];
  const { answering, system } = conversation;
  const earlier = [`generation/usage.counts-earlier-turns:${protocol}`];
  return [
    {
      id: `unread.earlier-turns-${protocol}`,
      what: `The model reads the last turn of a conversation alone, on ${protocol}.`,
      breaks: earlier,
      override: losing(conversation, (said) =>
        only(
          conversation,
          said,
          (turn, index) => index === said.length - 1 || hasRole(turn, 'system'),
        ),
      ),
    },
    {
      id: `unread.answers-${protocol}`,
      what: `The model does not read what it has answered before, on ${protocol}.`,
      breaks: earlier,
      override: losing(conversation, (said) =>
        only(conversation, said, (turn) => !hasRole(turn, answering)),
      ),
    },
    {
      id: `unread.first-turn-${protocol}`,
      what: `The model does not read the first turn of a conversation, on ${protocol}.`,
      breaks: earlier,
      override: losing(conversation, (said) =>
        only(conversation, said, (turn, index) => index > 0 || hasRole(turn, 'system')),
      ),
    },
    {
      id: `unread.system-prompt-parts-${protocol}`,
      what: `The model reads the first part of its system prompt alone, on ${protocol}.`,
      breaks: [`generation/usage.counts-parts:${protocol}`],
      override: handling(conversation.operation, (handle) => (call, key) => {
        const { [conversation.turns]: said, ...rest } = call.body;
        const turns = isArray(said) ? said.map(firstPartOfTold) : said;
        const told = system === null ? {} : { [system]: firstPart(rest[system]) };
        return handle({ ...call, body: { ...rest, [conversation.turns]: turns, ...told } }, key);
      }),
    },
    {
      id: `unread.system-prompt-${protocol}`,
      what: `The model does not read its system prompt, on ${protocol}.`,
      breaks: [`generation/usage.counts-system-prompt:${protocol}`],
      override: losing(conversation, (said) =>
        system === null
          ? only(conversation, said, (turn) => !hasRole(turn, 'system'))
          : { [system]: undefined },
      ),
    },
  ];
}

/** A form of a request that is read less than the same in one body. */
interface Form {
  readonly name: string;
  readonly protocol: Conversing;
  readonly operation: Operation;
  readonly fits: (call: Call) => boolean;
}

const forms: readonly Form[] = [
  ...(['responses', 'chat-completions', 'messages'] as const).map((protocol) => ({
    name: `${protocol}-stream`,
    protocol,
    operation: conversations[protocol].operation,
    fits: ({ body }: Call) => body.stream === true,
  })),
  responsesForm('background', 'responses.create', ({ body }) => body.background === true),
  responsesForm(
    'continuation',
    'responses.create',
    ({ body }) => typeof body.previous_response_id === 'string',
  ),
  generativeForm('generative-stream', 'generative.stream', ({ path }) => !isAlternate(path)),
  generativeForm('alternate-path', 'generative.generate', ({ path }) => isAlternate(path)),
  generativeForm('alternate-path-stream', 'generative.stream', ({ path }) => isAlternate(path)),
  generativeForm(
    'snake-case',
    'generative.generate',
    ({ body }) => body.generation_config !== undefined,
  ),
];

function generativeForm(name: string, operation: Operation, fits: Form['fits']): Form {
  return { name, protocol: 'generative', operation, fits };
}

function responsesForm(name: string, operation: Operation, fits: Form['fits']): Form {
  return { name, protocol: 'responses', operation, fits };
}

function isAlternate(path: string): boolean {
  return path.startsWith('/v1/');
}

function lossesIn({ name, protocol, operation, fits }: Form): readonly Fault[] {
  const { turns, answering, system } = conversations[protocol];
  const conversation = { operation, turns };
  const breaks = [`generation/usage.counts-whole-conversation:${name}`];
  return [
    {
      id: `unread.answers-in-${name}`,
      what: `The model does not read what it has answered before, where it is asked by ${name}.`,
      breaks,
      override: losing(
        conversation,
        (said) => only(conversation, said, (turn) => !hasRole(turn, answering)),
        fits,
      ),
    },
    {
      id: `unread.system-prompt-in-${name}`,
      what: `The model does not read its system prompt, where it is asked by ${name}.`,
      breaks,
      override: losing(
        conversation,
        (said) =>
          system === null
            ? only(conversation, said, (turn) => !hasRole(turn, 'system'))
            : { [system]: undefined, system_instruction: undefined },
        fits,
      ),
    },
    {
      id: `unread.first-part-in-${name}`,
      what: `The model reads the last part of a turn alone, where it is asked by ${name}.`,
      breaks,
      override: losing(
        conversation,
        (said) => (said.length === 0 ? {} : { [turns]: said.map(lastPart) }),
        fits,
      ),
    },
  ];
}

function firstPartOfTold(turn: Json): Json {
  if (!isObject(turn) || !hasRole(turn, 'system', 'developer')) return turn;
  return { ...turn, content: firstPart(turn.content) };
}

/** Returns the first element of a list, or the content with its first part only. */
function firstPart(said: Json | undefined): Json | undefined {
  if (isArray(said)) return said.slice(0, 1);
  return isObject(said) && isArray(said.parts) ? { ...said, parts: said.parts.slice(0, 1) } : said;
}

function lastPart(turn: Json): Json {
  if (!isObject(turn)) return turn;
  const { content, parts } = turn;
  if (isArray(content)) return { ...turn, content: content.slice(-1) };
  return isArray(parts) ? { ...turn, parts: parts.slice(-1) } : turn;
}

/** A turn of a WebSocket that goes on from nothing, and is read without what one of both has said. */
function withoutTurnsInWebsocket(role: 'assistant' | 'system', what: string): Fault {
  return {
    id: `unread.${role}-in-websocket`,
    what: `The model does not read ${what}, where it is asked by websocket.`,
    breaks: ['generation/usage.counts-whole-conversation:websocket'],
    override: decide('generate', (native) => (prompt, call) => {
      const { operation, body } = call;
      const isFirst = operation === 'responses.websocket' && body.previous_response_id == null;
      const turns = isFirst ? prompt.turns.filter((turn) => turn.role !== role) : prompt.turns;
      return native({ ...prompt, turns }, call);
    }),
  };
}

/** A continuation that reads the items before it without those of the assistant. */
function withoutAnswers(as: string, fits: (call: Call) => boolean): Fault {
  return {
    id: `unread.continued-${as}`,
    what: `A continuation (${as}) does not read what was answered before it.`,
    breaks: [`storage/continuation.earlier-items-counted:${as}`],
    override: decide('history', (native) => (previous, call) => {
      const items = native(previous, call);
      return fits(call) ? items.filter((item) => item.role !== 'assistant') : items;
    }),
  };
}

/** The model is told of the names of functions alone: of those it can make as good a call. */
function withoutParameters(dialect: Conversing, form: 'body' | 'stream'): Fault {
  const name = form === 'stream' ? `${dialect}-stream` : dialect;
  return {
    id: `unread.functions-${name}`,
    what: `The model reads the names of functions and not their parameters (${name}).`,
    breaks: [`generation/usage.counts-tools:${name}`],
    override: decide('read', (native) => (tokens, call) => {
      const streams = call.gateway.seams.policy.wantsStream(call.body, call);
      const fits = call.dialect.name === dialect && streams === (form === 'stream');
      const read = native(tokens, call);
      return fits && call.body.tools !== undefined ? Math.min(read, 20) : read;
    }),
  };
}

export const unreadInputFaults: readonly Fault[] = [
  ...(Object.keys(conversations) as Conversing[]).flatMap((dialect) => [
    withoutParameters(dialect, 'body'),
    withoutParameters(dialect, 'stream'),
  ]),
  ...(Object.keys(conversations) as Conversing[]).flatMap(lossesOf),
  ...forms.flatMap(lossesIn),
  withoutTurnsInWebsocket('assistant', 'what it has answered before'),
  withoutTurnsInWebsocket('system', 'its system prompt'),
  withoutAnswers(
    'one-body',
    ({ operation, body }) => operation === 'responses.create' && body.stream !== true,
  ),
  withoutAnswers(
    'stream',
    ({ operation, body }) => operation === 'responses.create' && body.stream === true,
  ),
  withoutAnswers('websocket', ({ operation }) => operation === 'responses.websocket'),
  ...planted({
    'unread.continued-stream-forgets': decide(
      'history',
      (native) => (previous, call) => (call.body.stream === true ? [] : native(previous, call)),
    ),
  }),
];
