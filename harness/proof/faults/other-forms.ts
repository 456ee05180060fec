import { isArray, isObject, type Json, type JsonObject } from '../../reference/json.ts';
import { Refusal } from '../../reference/refusal.ts';
import { changed, memberAt } from '../editing.ts';
import { handling } from '../planting.ts';
import type { Fault } from './fault.ts';

// Requests that say the same in another native form.

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
/** Several texts: what a call or its result stands in is another matter. */
const isInTexts = ({ content }: JsonObject): boolean =>
  isArray(content) &&
  content.length > 1 &&
  content.every((part) => typeof memberAt(part, 'text') === 'string');

export const otherFormFaults: readonly Fault[] = [
  refused('developer', 'responses', isDeveloper),
  refused('developer', 'chat-completions', isDeveloper),
  refused('parts', 'responses', isInTexts),
  refused('parts', 'chat-completions', isInTexts),
  refused('parts', 'messages', isInTexts),
  refused('no-role', 'generative', ({ role }) => role === undefined),
  ...(Object.keys(turns) as Conversing[]).map(firstPart),
];
