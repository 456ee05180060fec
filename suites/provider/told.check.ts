import { isDeepStrictEqual } from 'node:util';
import { exact, type Join, played, rule } from '../../harness/features/provider/index.ts';
import { contentOf, type Exchange, ExpectationFailed, Inconclusive } from '../../harness/index.ts';
import {
  calls,
  conversation,
  digits,
  endings,
  noArguments,
  results,
  unnaturalEnds,
} from './cases.ts';
import { acceptedOf, assumeTold, expectSame, expectThat, heardIn, inShort } from './told.ts';

rule('provider/told.text', conversation, (join) => {
  const front = assumeTold(join);
  expectSame('the text', contentOf(front).text, join.script.say.text, front);
});

rule('provider/told.finish', endings, (join, name) => {
  const front = assumeTold(join);
  const { front: protocol, asks } = join.route;
  const native = Object.entries(played[protocol].ends).find(([end]) => end === name)?.[1] ?? '';
  // Chat Completions tells a refusal by the reason, or by a member of the message.
  const isRefusal = name === 'filter' && protocol === 'chat-completions' && hasRefusal(front);
  // Chat Completions does not say that a stop sequence ended an answer.
  const isUnsaid = name === 'stop-sequence' && protocol === 'messages' && asks !== protocol;
  const { ending } = contentOf(front);
  const right = [native, ...(isUnsaid ? [played[protocol].ends.end] : [])];
  if (isRefusal || right.includes(ending ?? '')) return;
  throw new ExpectationFailed(`the reason ${right.join(' or ')}`, `${ending}`, front);
});

function hasRefusal(front: Exchange): boolean {
  return /"refusal":\s*"/.test(Buffer.from(front.response?.body ?? []).toString());
}

rule('provider/told.no-false-end', unnaturalEnds, (join) => {
  const front = assumeTold(join);
  const natural = played[join.route.front].ends.end;
  const { ending } = contentOf(front);
  expectThat(ending !== natural, `another reason than ${natural}`, `${ending}`, front);
});

/** Calls of an answer, with arguments whose numbers are not rounded. */
function callsIn({ route, form }: Join, front: Exchange): readonly ToldCall[] {
  const { toolCalls } = contentOf(front);
  const texts =
    route.front === 'messages' ? inputsOf(front, form) : toolCalls.map((call) => call.arguments);
  return toolCalls.map(({ name, id }, index) => ({ name, id, args: texts[index] ?? '' }));
}

interface ToldCall {
  readonly name: string | null;
  readonly id: string | null;
  /** Text of JSON, or a value that `exact` has read. */
  readonly args: unknown;
}

/** Inputs of the blocks of a message, read without rounding. */
function inputsOf(front: Exchange, form: Join['form']): readonly unknown[] {
  const text = Buffer.from(front.response?.body ?? []).toString();
  if (form === 'body') {
    const { content = [] } = Object(exact(text)) as { content?: unknown[] };
    return content
      .map((block) => Object(block))
      .filter(({ type }) => type === 'tool_use')
      .map(({ input }) => input);
  }
  const pieces = new Map<number, string>();
  for (const [, data = ''] of text.matchAll(/^data: ?(.*?)\r?$/gm)) {
    const event = Object(parsedOr(data));
    if (event.content_block?.type === 'tool_use') pieces.set(event.index, '');
    const piece = event.delta?.partial_json;
    if (typeof piece === 'string') pieces.set(event.index, (pieces.get(event.index) ?? '') + piece);
  }
  return [...pieces.values()];
}

function parsedOr(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function parsedArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  return args.trim() === '' ? {} : exact(args);
}

rule('provider/told.call-ids', results, (join) => {
  const accepted = acceptedOf(join);
  const said = (join.before?.script.say.calls ?? []).map(({ id }) => id);
  const told = join.before === undefined ? [] : contentOf(join.before.front).toolCalls;
  if (told.length !== said.length) {
    throw new Inconclusive(
      'the gateway did not tell the calls: provider/told.parallel says so',
      join.front,
    );
  }
  const heard = heardIn(join, accepted).turns.flatMap((turn) => turn.results.map(({ id }) => id));
  expectSame('the ids that the provider gave its calls', heard, said, accepted);
});

rule('provider/told.arguments', calls, judgeArguments);
rule('provider/told.digits', digits, judgeArguments);

function judgeArguments(join: Join): void {
  const front = assumeTold(join);
  const told = callsIn(join, front);
  for (const [index, said] of (join.script.say.calls ?? []).entries()) {
    const value = parsedArguments(told[index]?.args);
    expectThat(
      isDeepStrictEqual(value, exact(said.args)),
      `the arguments ${said.args} of call ${index + 1}`,
      inShort(told[index]?.args ?? 'no such call'),
      front,
    );
  }
}

rule('provider/told.no-arguments', noArguments, (join) => {
  const front = assumeTold(join);
  const told = callsIn(join, front);
  expectThat(told.length === 1, 'one call', `${told.length} calls`, front);
  const args = told[0]?.args;
  const isEmptyText = typeof args === 'string' && args.trim() === '';
  const isStart = join.route.front === 'messages' && join.form === 'stream';
  // A message begins a call with an empty object, so no piece need follow.
  if (isEmptyText && (isStart || join.route.front === join.route.asks)) return;
  const value = typeof args === 'string' ? exact(args) : args;
  expectSame('an empty object', value ?? null, {}, front);
});

rule('provider/told.parallel', calls, (join) => {
  const front = assumeTold(join);
  const told = callsIn(join, front);
  const said = join.script.say.calls ?? [];
  expectSame(
    'the called functions',
    told.map(({ name }) => name),
    said.map(({ name }) => name),
    front,
  );
  const ids = new Set(told.map(({ id }) => id));
  expectThat(
    ids.size === said.length && !ids.has(null) && !ids.has(''),
    'an id of its own for each call',
    inShort([...ids]),
    front,
  );
});
