import { isDeepStrictEqual } from 'node:util';
import {
  assumeAsked,
  exact,
  type HeardTurn,
  type Join,
  params,
  played,
  rule,
} from '../../harness/features/provider/index.ts';
import {
  answerOf,
  type Exchange,
  ExpectationFailed,
  errorBody,
  NothingToJudge,
} from '../../harness/index.ts';
import { calls, choices, conversation, history, parameters } from './cases.ts';
import { acceptedOf, expectSame, expectThat, heardIn, inShort } from './told.ts';

rule('provider/asked.once', conversation, (join) => {
  assumeAsked(join);
  const { back } = join;
  expectThat(
    back.length === 1,
    'one request to the provider',
    `${back.length} requests, after ${back[0]?.response?.status ?? 'no answer'}`,
    back.at(-1) ?? join.front,
  );
});

rule('provider/asked.native-body', conversation, (join) => {
  assumeAsked(join);
  for (const exchange of join.back) {
    const { operation } = exchange.about;
    expectThat(
      operation === `${join.route.asks}.provider`,
      `a request of ${join.route.asks}`,
      `${exchange.request.method} ${exchange.request.url}`,
      exchange,
    );
    const refused = (exchange.response?.status ?? 200) >= 400 ? errorBody(exchange) : null;
    expectThat(
      refused === null,
      'a request that the provider accepts',
      `one that it refuses with ${exchange.response?.status}: ${refused?.message}`,
      exchange,
    );
  }
});

rule('provider/asked.model', conversation, (join) => {
  const accepted = acceptedOf(join);
  expectSame('the model', heardIn(join, accepted).model, join.route.as, accepted);
});

/** Texts of the turns of user and model, with who said them. Results of calls have a row of their own. */
function textsOf(turns: readonly HeardTurn[]): readonly string[] {
  const said = turns.filter(({ by }) => by !== 'results');
  const texts: { by: string; text: string }[] = [];
  for (const { by, texts: parts } of said) {
    const last = texts.at(-1);
    const text = parts.join('');
    if (last?.by === by) last.text += text;
    else texts.push({ by, text });
  }
  return texts.map(({ by, text }) => `${by}: ${text}`);
}

rule('provider/asked.texts', conversation, (join) => {
  const accepted = acceptedOf(join);
  const sent = join.ask.turns.flatMap((turn) => ('text' in turn ? `${turn.by}: ${turn.text}` : []));
  const heard = textsOf(heardIn(join, accepted).turns);
  if (join.declared.adds?.includes('turns') === true) {
    const lost = sent.find(
      (text) => !heard.some((one) => one.includes(text.replace(/^\w+: /, ''))),
    );
    expectThat(lost === undefined, 'each text', `requests without ${inShort(lost)}`, accepted);
    return;
  }
  for (const [index, text] of sent.entries()) {
    expectSame(`turn ${index + 1}`, heard[index] ?? null, text, accepted);
  }
});

rule('provider/asked.nothing-added', conversation, (join) => {
  const accepted = acceptedOf(join);
  const { ask } = join;
  const { adds = [] } = join.declared;
  const heard = heardIn(join, accepted);
  const system = heard.system.join('');
  const more = [
    ...(adds.includes('turns') || textsOf(heard.turns).length <= ask.turns.length
      ? []
      : ['a turn']),
    ...(adds.includes('tools') || heard.tools.length === 0 ? [] : ['a tool']),
    ...(adds.includes('system') || system.length <= (ask.system ?? '').length
      ? []
      : ['a system text']),
  ];
  expectThat(more.length === 0, 'what the client sent', `${more.join(', ')} more`, accepted);
});

rule('provider/asked.system', conversation, (join) => {
  const accepted = acceptedOf(join);
  const { system = '' } = join.ask;
  const heard = heardIn(join, accepted);
  const found = heard.system.filter((text) => text.includes(system)).length;
  expectThat(found === 1, 'the system text once', `${found} times`, accepted);
  const among = heard.turns.find(({ texts }) => texts.some((text) => text.includes(system)));
  expectThat(among === undefined, 'the system text apart', `in a turn of ${among?.by}`, accepted);
});

rule('provider/asked.limit', conversation, (join) => {
  const accepted = acceptedOf(join);
  expectSame('the output limit', heardIn(join, accepted).limit, join.ask.limit, accepted);
});

rule('provider/asked.parameters', parameters, (join, name) => {
  const param = params.find((one) => one === name);
  if (param === undefined) throw new Error(`No parameter is called ${name}`);
  const member = played[join.route.front].members[param] ?? name;
  if (join.declared.drops?.includes(member) === true) {
    throw new NothingToJudge(`does on purpose: the target file says that it drops ${member}`);
  }
  if (isRefusedByName(join, member)) return;
  const accepted = acceptedOf(join);
  const sent = join.ask.params?.[param];
  const heard = heardIn(join, accepted).param(param);
  // A single stop sequence may be a text.
  if (isDeepStrictEqual([heard].flat(), [sent].flat())) return;
  if (isToldDrop(join.front, member)) return;
  throw new ExpectationFailed(
    `\`${member}\` ${inShort(sent)} at the provider, or a word that it was left out`,
    heard === undefined ? 'neither' : inShort(heard),
    accepted,
  );
});

/** True if the front refused the request before it asked. The error has to name the member. */
function isRefusedByName({ front, back }: Join, member: string): boolean {
  const status = front.response?.status ?? 0;
  if (back.length > 0 || status < 400 || status >= 500) return false;
  return Buffer.from(front.response?.body ?? [])
    .toString()
    .includes(member);
}

/** True if a header or a member of the answer names the member as left out. */
function isToldDrop(front: Exchange, member: string): boolean {
  const headers = (front.response?.headers ?? []).filter(([name]) =>
    /drop|ignor|unsupport/i.test(name),
  );
  if (headers.some(([, value]) => value.includes(member))) return true;
  const { value } = answerOf(front);
  return Object.entries(Object(value)).some(
    ([name, told]) =>
      /drop|ignor|unsupport|warn/i.test(name) && JSON.stringify(told).includes(member),
  );
}

rule('provider/asked.tools', calls, (join) => {
  const accepted = acceptedOf(join);
  const { tools } = heardIn(join, accepted);
  const sent = join.ask.tools ?? [];
  expectSame(
    'the names of the tools',
    tools.map(({ name }) => name),
    sent.map(({ name }) => name),
    accepted,
  );
  for (const [index, tool] of sent.entries()) {
    const heard = tools[index];
    expectSame(`the description of ${tool.name}`, heard?.description, tool.description, accepted);
    expectThat(
      isDeepStrictEqual(withoutEmpty(heard?.schema), withoutEmpty(tool.schema)),
      `the schema of ${tool.name} ${inShort(tool.schema)}`,
      inShort(heard?.schema),
      accepted,
    );
  }
});

/** Empty lists and objects of a schema may be added or left out. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([, one]) => !(typeof one === 'object' && one !== null && Object.keys(one).length === 0),
      )
      .map(([name, one]) => [name, withoutEmpty(one)]),
  );
}

rule('provider/asked.tool-choice', choices, (join, name) => {
  // A refusal by the provider shows a choice that it does not have.
  assumeAsked(join);
  const last = join.back.at(-1) ?? join.front;
  const { choice } = heardIn(join, last);
  if (name === 'auto' && choice === undefined) return;
  const heard = heardIn(join, last).tools.length;
  // Without tools there is nothing to choose.
  if (name === 'none' && heard === 0) return;
  expectSame('the choice of tools', choice ?? null, join.ask.choice, last);
});

rule('provider/asked.tool-history', history, (join) => {
  const accepted = acceptedOf(join);
  const { turns } = heardIn(join, accepted);
  const heardCalls = turns.flatMap((turn) => turn.calls);
  const heardResults = turns.flatMap((turn) => turn.results);
  const sentCalls = join.ask.turns.flatMap((turn) => ('calls' in turn ? turn.calls : []));
  const sentResults = join.ask.turns.flatMap((turn) => ('results' in turn ? turn.results : []));
  for (const sent of sentCalls) {
    const heard = heardCalls.find(({ name }) => name === sent.name);
    expectThat(heard !== undefined, `the call of ${sent.name}`, 'a request without it', accepted);
    expectThat(
      isDeepStrictEqual(exact(heard?.args ?? ''), exact(sent.args)),
      `the arguments of ${sent.name} ${sent.args}`,
      `${heard?.args}`,
      accepted,
    );
    const own = sentResults.find(({ id }) => id === sent.id);
    const result = heardResults.find(({ id }) => id === heard?.id);
    expectThat(
      result !== undefined,
      `the result of ${sent.name} under the id of its call`,
      `results of ${inShort(heardResults.map(({ id }) => id))} for the call ${heard?.id}`,
      accepted,
    );
    expectSame(`the result of ${sent.name}`, result?.text, own?.text, accepted);
  }
});
