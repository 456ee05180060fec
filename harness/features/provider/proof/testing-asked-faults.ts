import type { Json } from './testing-exchange.ts';
import type { Seams } from './testing-proxy.ts';

/** A defect of the proxy, and the checks that have to notice it. */
export interface Fault {
  readonly id: string;
  readonly what: string;
  /** Id prefixes, without `provider/`. Each has to be broken at one check at least. */
  readonly breaks: readonly string[];
  /** Id prefixes of further checks that may be broken. */
  readonly also?: readonly string[];
  readonly seams: () => Partial<Seams>;
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

/** Replaces text in a body for the provider, as JSON. */
function edited(body: Json, edit: (text: string) => string): Json {
  return JSON.parse(edit(JSON.stringify(body)));
}

function without(body: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Defects of the requests to a provider. */
export const askedFaults: readonly Fault[] = [
  {
    id: 'asks-twice',
    what: 'It asks its provider twice, and throws the first answer away.',
    breaks: ['asked.once'],
    seams: () => ({ again: (status, tries) => status < 300 && tries < 2 }),
  },
  {
    id: 'asks-any-of-chat',
    what: 'It asks Chat Completions with the tool choice of Messages, and Messages without a limit.',
    breaks: ['asked.native-body'],
    also: ['asked.tool-choice'],
    seams: () => ({
      ask: (body, { route }) =>
        route.asks === 'chat' ? { ...body, tool_choice: 'any' } : without(body, 'max_tokens'),
    }),
  },
  {
    id: 'asks-for-the-name-of-its-front',
    what: 'It names to its provider the model that its client named.',
    breaks: ['asked.model'],
    seams: () => ({ ask: (body, { route }) => ({ ...body, model: route.model }) }),
  },
  {
    id: 'composes-letters',
    what: 'It composes the letters of every text.',
    breaks: ['asked.texts'],
    also: ['asked.system', 'asked.tool-history'],
    seams: () => ({ ask: (body) => edited(body, (text) => text.normalize('NFC')) }),
  },
  {
    id: 'adds-a-turn',
    what: 'It adds a turn of its own.',
    breaks: ['asked.nothing-added'],
    also: ['asked.texts'],
    seams: () => ({
      ask: (body) => ({
        ...body,
        messages: [
          ...list(body.messages),
          { role: 'assistant', content: 'Sure.' },
          { role: 'user', content: 'Go on.' },
        ],
      }),
    }),
  },
  {
    id: 'tells-the-system-text-as-the-user',
    what: 'It passes the system text on as a turn of the user.',
    breaks: ['asked.system'],
    also: ['asked.texts', 'asked.nothing-added'],
    seams: () => ({
      ask(body, { route }) {
        const messages = list(body.messages);
        if (route.asks === 'chat') {
          return {
            ...body,
            messages: messages.map((one) => ({
              ...one,
              role: one.role === 'system' ? 'user' : one.role,
            })),
          };
        }
        const { system } = body;
        if (system === undefined) return body;
        return {
          ...without(body, 'system'),
          messages: [{ role: 'user', content: system }, ...messages],
        };
      },
    }),
  },
  {
    id: 'sets-its-own-limit',
    what: 'It asks for 4096 tokens, whatever its client asked for.',
    breaks: ['asked.limit'],
    seams: () => ({
      ask: (body, { route }) => ({
        ...without(body, 'max_completion_tokens'),
        ...(route.asks === 'chat' ? { max_completion_tokens: 4096 } : { max_tokens: 4096 }),
      }),
    }),
  },
  {
    id: 'drops-parameters',
    what: 'It leaves parameters out, and tells nobody.',
    breaks: ['asked.parameters'],
    seams: () => ({
      ask: (body) =>
        without(
          body,
          ...['stop', 'stop_sequences', 'temperature', 'top_p', 'top_k', 'seed'],
          ...['presence_penalty', 'user', 'metadata'],
        ),
      answerHeaders: () => ({}),
    }),
  },
  {
    id: 'drops-descriptions',
    what: 'It leaves the descriptions of tools out.',
    breaks: ['asked.tools'],
    seams: () => ({
      ask: (body) =>
        edited(body, (text) => text.replace(/"description":"Counts[^"]*"/g, '"description":""')),
    }),
  },
  {
    id: 'drops-the-choice',
    what: 'It leaves the choice of tools out.',
    breaks: ['asked.tool-choice'],
    seams: () => ({ ask: (body) => without(body, 'tool_choice') }),
  },
  {
    id: 'forces-a-call',
    what: 'It asks for a call where the client leaves the choice to the model.',
    breaks: ['asked.tool-choice'],
    seams: () => ({
      ask: (body, { route }) =>
        body.tool_choice === undefined
          ? body
          : { ...body, tool_choice: route.asks === 'chat' ? 'required' : { type: 'any' } },
    }),
  },
  {
    id: 'swaps-results',
    what: 'It gives each result the id of the other call.',
    breaks: ['asked.tool-history'],
    also: ['told.call-ids'],
    seams: () => ({
      ask: (body) =>
        edited(body, (text) =>
          text.replace(
            /("tool_(?:call|use)_id":")(one|two)_/g,
            (_, name, id) => `${name}${id === 'one' ? 'two' : 'one'}_`,
          ),
        ),
    }),
  },
];
