import type { Call } from '../../reference/call.ts';
import type { DialectName, Operation } from '../../reference/dialect.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import type { Defect } from '../../reference/seams.ts';
import { decide } from '../decisions.ts';
import { handling } from '../planting.ts';
import type { Fault } from './fault.ts';

// Parts of a conversation that a gateway loses on the way to the model.

type Conversing = Extract<
  DialectName,
  'responses' | 'chat-completions' | 'messages' | 'generative'
>;

interface Conversation {
  readonly operation: Operation;
  /** The member that holds the turns. */
  readonly turns: string;
  /** The role of the one who answers. */
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
  { operation, turns }: Conversation,
  lose: (turns: readonly Json[], body: JsonObject) => JsonObject,
): Defect['override'] {
  return handling(operation, (handle) => (call, key) => {
    const said = call.body[turns];
    // The result of a call goes with the call.
    if (call.body.tools !== undefined || (said !== undefined && !isPlain(said))) {
      return handle(call, key);
    }
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

/** Without these turns, if there are turns at all. */
function only(
  { turns }: Conversation,
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

export const unreadInputFaults: readonly Fault[] = [
  ...(Object.keys(conversations) as Conversing[]).flatMap(lossesOf),
  withoutAnswers(
    'one-body',
    ({ operation, body }) => operation === 'responses.create' && body.stream !== true,
  ),
  withoutAnswers(
    'stream',
    ({ operation, body }) => operation === 'responses.create' && body.stream === true,
  ),
  withoutAnswers('websocket', ({ operation }) => operation === 'responses.websocket'),
  {
    id: 'unread.continued-stream-forgets',
    what: 'A continuation that is streamed does not read the turns before it.',
    breaks: ['storage/continuation.earlier-items-counted:stream'],
    override: decide(
      'history',
      (native) => (previous, call) => (call.body.stream === true ? [] : native(previous, call)),
    ),
  },
];
