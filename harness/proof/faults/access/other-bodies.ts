import {
  type Call,
  isArray,
  isObject,
  type JsonObject,
  type Key,
  type Operation,
} from '../../../reference/index.ts';
import { handling } from '../../planting.ts';
import type { Fault } from '../fault.ts';
import { each } from '../planted.ts';

// Stored responses that are continued by a request of a protocol that continues none.

interface Body {
  readonly protocol: string;
  readonly operation: Operation;
  readonly breaks: string;
  /** Member that holds the conversation, and a turn in it. */
  readonly turns: string;
  readonly turn: (text: string) => JsonObject;
  /** True if the fault reads a response of this owner for this key. */
  readonly fits: (owner: string, key: Key) => boolean;
}

const ofAnother: Body['fits'] = (owner, key) => owner !== key.user;

const bodies: readonly Body[] = [
  {
    protocol: 'chat-completions',
    operation: 'chat-completions.create',
    breaks: 'access/owners.other-bodies-denied:chat-completions',
    turns: 'messages',
    turn: (content) => ({ role: 'user', content }),
    fits: ofAnother,
  },
  {
    protocol: 'generative',
    operation: 'generative.generate',
    breaks: 'access/owners.other-bodies-denied:generative',
    turns: 'contents',
    turn: (text) => ({ role: 'user', parts: [{ text }] }),
    fits: ofAnother,
  },
  {
    protocol: 'messages',
    operation: 'messages.create',
    breaks: 'storage/messages.no-continuation',
    turns: 'messages',
    turn: (content) => ({ role: 'user', content }),
    fits: (owner, key) => owner === key.user,
  },
];

function storedText({ gateway, body }: Call, fits: (owner: string) => boolean): string | null {
  const record = gateway.store.peek(String(body.previous_response_id));
  if (!record?.turn || !fits(record.owner)) return null;
  return record.turn
    .context()
    .flatMap(({ content }) => (isArray(content) ? content : []))
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join(' ');
}

export const otherBodiesFaults: readonly Fault[] = each(
  bodies,
  ({ operation, turns, turn, fits }) => ({
    'owners.continued-in-{protocol}': handling(operation, (handle) => (call, key) => {
      const text = storedText(call, (owner) => fits(owner, key));
      const said = call.body[turns];
      if (text === null || !isArray(said)) return handle(call, key);
      return handle({ ...call, body: { ...call.body, [turns]: [turn(text), ...said] } }, key);
    }),
  }),
);
