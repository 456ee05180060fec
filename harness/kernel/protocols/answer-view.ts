import { at, isObject, type JsonObject, numberAt } from '../core/index.ts';
import { remembered } from '../wire/index.ts';
import { answerOf } from './answer.ts';
import { contentOf, errorBody, saidBy } from './content.ts';
import type { Content } from './module.ts';
import { protocolModules, streamingProtocolOf } from './modules.ts';
import type { Extra, NamedMember, RankedEvent } from './view-facts.ts';

/** Meaning of a native ending. `other` covers stop sequences, filters, failures and running states. */
type End = 'complete' | 'call' | 'limit' | 'other';

/** An answer in terms common to all protocols and forms. Implies no verdict. */
interface AnswerView extends Content {
  readonly end: End | null;
  /** True if the native end was received, without an error. */
  readonly isWhole: boolean;
  /** States of the items, in order. */
  readonly states: readonly (string | null)[];
  /** False if the answer has items or choices at most that show nothing. */
  readonly shows: boolean;
  /** Usage objects in the order in which they were sent. */
  readonly usages: readonly JsonObject[];
  /** Members that were named with two values: `id of call 0: "a", then "b"`. */
  readonly changed: readonly (NamedMember & { readonly words: string })[];
  /** Events that came after those that they precede: `a delta after the usage`. */
  readonly misplaced: readonly string[];
  /** Returns the parts that the body of the request did not ask for. */
  readonly unasked: (asked: JsonObject) => readonly Extra[];
}

/** The neutral view of an answer or a turn. Null if its protocol has no generations in a known form. */
export const viewOf = remembered((exchange): AnswerView | null => {
  const protocol = streamingProtocolOf(exchange);
  if (protocol === null) return null;
  const { view, endings, stream, candidates } = protocolModules[protocol];
  const content = contentOf(exchange);
  const events = answerOf(exchange).events;
  const values = answerOf(exchange).values.filter(isObject);
  let extras: readonly [asked: JsonObject, found: readonly Extra[]] | null = null;
  // Lazy, because most answers are asked for a few members.
  return {
    ...content,
    end: endOf(content.ending, endings),
    isWhole: errorBody(exchange) === null && (events.length === 0 || events.some(stream.isEnd)),
    get states() {
      return content.items.map(view.stateOf);
    },
    get shows() {
      return content.text !== '' || content.toolCalls.length > 0 || content.items.some(view.shows);
    },
    get usages() {
      return values.flatMap(usagesIn);
    },
    get changed() {
      return events.length === 0 ? [] : changedIn(values.flatMap(view.named));
    },
    get misplaced() {
      return events.length === 0 ? [] : misplacedIn(values.map(view.ranked));
    },
    unasked(asked) {
      if (extras?.[0] === asked) return extras[1];
      const found = values.flatMap((value) => view.unasked(value, asked));
      const number = candidates.length === 0 ? 1 : saidBy(exchange).length;
      const most = candidates.reduce((known, path) => numberAt(asked, path) ?? known, 1);
      const what = `${number} answers where ${most} was asked for`;
      extras = [asked, number <= most ? found : [...found, { kind: 'candidates', what }]];
      return extras[1];
    },
  };
});

function endOf(
  ending: string | null,
  { complete, call, limit }: { complete: string; call: string | null; limit: string },
): End | null {
  if (ending === null) return null;
  if (ending === call) return 'call';
  return ending === limit ? 'limit' : ending === complete ? 'complete' : 'other';
}

/** The usage objects of a body or an event, in any protocol. */
function usagesIn(value: unknown): readonly JsonObject[] {
  return [
    at(value, 'usage'),
    at(value, 'message.usage'),
    at(value, 'response.usage'),
    at(value, 'usageMetadata'),
  ].filter(isObject);
}

function changedIn(named: readonly NamedMember[]): AnswerView['changed'] {
  const first = new Map<string, unknown>();
  return named.flatMap((member) => {
    const { what, value } = member;
    // An empty name says nothing.
    if (value === undefined || value === null || value === '' || value === 0) return [];
    const before = first.get(what) ?? value;
    first.set(what, before);
    if (before === value) return [];
    return [{ ...member, words: `${what}: ${JSON.stringify([before, value])}` }];
  });
}

function misplacedIn(ranked: readonly (RankedEvent | null)[]): readonly string[] {
  const last = new Map<string, RankedEvent>();
  return ranked.flatMap((event) => {
    if (event === null) return [];
    const before = last.get(event.scope) ?? event;
    if (event.rank < before.rank) return [`${event.what} after ${before.what}`];
    last.set(event.scope, event);
    return [];
  });
}
