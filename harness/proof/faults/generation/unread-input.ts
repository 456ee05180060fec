import {
  type Call,
  type DialectName,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from '../../../reference/index.ts';
import { decide } from '../../decisions.ts';
import { handling, type Override } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each, planted } from '../planted.ts';

// Parts of a conversation that a gateway loses before the model reads them.

type Conversing = Extract<
  DialectName,
  'responses' | 'chat-completions' | 'messages' | 'generative'
>;

interface Conversation {
  readonly protocol: Conversing;
  readonly operation: Operation;
  /** Member that holds the turns. */
  readonly turns: string;
  /** Role of the model. */
  readonly answering: string;
  /** Member that holds the system prompt; null if it is a turn. */
  readonly system: string | null;
}

const responses: Conversation = {
  protocol: 'responses',
  operation: 'responses.create',
  turns: 'input',
  answering: 'assistant',
  system: 'instructions',
};
const chat: Conversation = {
  protocol: 'chat-completions',
  operation: 'chat-completions.create',
  turns: 'messages',
  answering: 'assistant',
  system: null,
};
const messages: Conversation = {
  protocol: 'messages',
  operation: 'messages.create',
  turns: 'messages',
  answering: 'assistant',
  system: 'system',
};
const generative: Conversation = {
  protocol: 'generative',
  operation: 'generative.generate',
  turns: 'contents',
  answering: 'model',
  system: 'systemInstruction',
};
const conversations = [responses, chat, messages, generative];

function losing(
  { operation, turns }: Pick<Conversation, 'operation' | 'turns'>,
  lose: (turns: readonly Json[], body: JsonObject) => JsonObject,
  fits: (call: Call) => boolean = () => true,
): Override {
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

const lossFaults: readonly Fault[] = each(conversations, (conversation) => {
  const { answering, operation, turns, system } = conversation;
  return {
    'unread.earlier-turns-{protocol}': losing(conversation, (said) =>
      only(
        conversation,
        said,
        (turn, index) => index === said.length - 1 || hasRole(turn, 'system'),
      ),
    ),
    'unread.answers-{protocol}': losing(conversation, (said) =>
      only(conversation, said, (turn) => !hasRole(turn, answering)),
    ),
    'unread.first-turn-{protocol}': losing(conversation, (said) =>
      only(conversation, said, (turn, index) => index > 0 || hasRole(turn, 'system')),
    ),
    'unread.system-prompt-parts-{protocol}': handling(operation, (handle) => (call, key) => {
      const { [turns]: said, ...rest } = call.body;
      const shortened = isArray(said) ? said.map(firstPartOfTold) : said;
      const told = system === null ? {} : { [system]: firstPart(rest[system]) };
      return handle({ ...call, body: { ...rest, [turns]: shortened, ...told } }, key);
    }),
    'unread.system-prompt-{protocol}': losing(conversation, (said) =>
      system === null
        ? only(conversation, said, (turn) => !hasRole(turn, 'system'))
        : { [system]: undefined },
    ),
  };
});

/** A request form of which less is read than of the equivalent JSON body. */
interface Form extends Conversation {
  readonly name: string;
  readonly fits: (call: Call) => boolean;
}

const isStream = ({ body }: Call): boolean => body.stream === true;
const isAlternate = ({ path }: Call): boolean => path.startsWith('/v1/');
const streamed = { ...generative, operation: 'generative.stream' } as const;

const forms: readonly Form[] = [
  ...[responses, chat, messages].map((one) => ({
    ...one,
    name: `${one.protocol}-stream`,
    fits: isStream,
  })),
  { ...responses, name: 'background', fits: ({ body }) => body.background === true },
  {
    ...responses,
    name: 'continuation',
    fits: ({ body }) => typeof body.previous_response_id === 'string',
  },
  { ...streamed, name: 'generative-stream', fits: (call) => !isAlternate(call) },
  { ...generative, name: 'alternate-path', fits: isAlternate },
  { ...streamed, name: 'alternate-path-stream', fits: isAlternate },
  { ...generative, name: 'snake-case', fits: ({ body }) => body.generation_config !== undefined },
];

const formFaults: readonly Fault[] = each(forms, (form) => {
  const { turns, answering, system, fits } = form;
  return {
    'unread.answers-in-{name}': losing(
      form,
      (said) => only(form, said, (turn) => !hasRole(turn, answering)),
      fits,
    ),
    'unread.system-prompt-in-{name}': losing(
      form,
      (said) =>
        system === null
          ? only(form, said, (turn) => !hasRole(turn, 'system'))
          : { [system]: undefined, system_instruction: undefined },
      fits,
    ),
    'unread.first-part-in-{name}': losing(
      form,
      (said) => (said.length === 0 ? {} : { [turns]: said.map(lastPart) }),
      fits,
    ),
  };
});

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

/** Omits the system prompt or the answers when reading a first turn on a WebSocket. */
function withoutTurnsInWebsocket(role: 'assistant' | 'system'): Override {
  return decide('generate', (native) => (prompt, call) => {
    const { operation, body } = call;
    const isFirst = operation === 'responses.websocket' && body.previous_response_id == null;
    const turns = isFirst ? prompt.turns.filter((turn) => turn.role !== role) : prompt.turns;
    return native({ ...prompt, turns }, call);
  });
}

/** Omits the assistant's items when a continuation reads the history. */
function withoutAnswers(fits: (call: Call) => boolean): Override {
  return decide('history', (native) => (previous, call) => {
    const items = native(previous, call);
    return fits(call) ? items.filter((item) => item.role !== 'assistant') : items;
  });
}

/** Passes only the names of functions to the model, which are sufficient for a valid call. */
function withoutParameters(dialect: Conversing, isStreamed: boolean): Override {
  return decide('read', (native) => (tokens, call) => {
    const streams = call.gateway.seams.policy.wantsStream(call.body, call);
    const fits = call.dialect.name === dialect && streams === isStreamed;
    const read = native(tokens, call);
    return fits && call.body.tools !== undefined ? Math.min(read, 20) : read;
  });
}

const isCreation = ({ operation }: Call): boolean => operation === 'responses.create';

export const unreadInputFaults: readonly Fault[] = [
  ...each(conversations, ({ protocol }) => ({
    'unread.functions-{protocol}': withoutParameters(protocol, false),
    'unread.functions-{protocol}-stream': withoutParameters(protocol, true),
    'unread.long-{protocol}': decide('read', (native) => (tokens, call) => {
      return Math.min(native(tokens, call), call.dialect.name === protocol ? 1_200 : Infinity);
    }),
  })),
  ...lossFaults,
  ...formFaults,
  ...planted({
    'unread.assistant-in-websocket': withoutTurnsInWebsocket('assistant'),
    'unread.system-in-websocket': withoutTurnsInWebsocket('system'),
    'unread.continued-one-body': withoutAnswers((call) => isCreation(call) && !isStream(call)),
    'unread.continued-stream': withoutAnswers((call) => isCreation(call) && isStream(call)),
    'unread.continued-websocket': withoutAnswers(
      ({ operation }) => operation === 'responses.websocket',
    ),
    'unread.continued-stream-forgets': decide(
      'history',
      (native) => (previous, call) => (isStream(call) ? [] : native(previous, call)),
    ),
  }),
];
