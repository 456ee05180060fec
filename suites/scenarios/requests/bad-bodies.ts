import {
  type Call,
  type EndpointName,
  type Exchange,
  each,
  endpointNames,
  endpoints,
  type Fields,
  type Io,
  isServed,
  json,
  type Protocol,
  protocolModules,
  protocols,
  type StreamingProtocol,
  scenario,
} from '../../../harness/index.ts';
import { baseline, limitOf, refusedCost } from '../baselines.ts';
import { present } from '../exchanges.ts';
import { conversing } from '../generations/conversations.ts';
import { featuredCost, sendCarried } from '../generations/generation-calls.ts';
import {
  clientForms,
  costOf,
  formsOf,
  inEachForm,
  sendInForms,
  withLimit,
  withMember,
} from './request-forms.ts';

/** Number of values that each region gets, so that both regions together try each member twice. */
const wrongMembersTried = 7;

/** Answers to requests with a value of a wrong JSON type in one member. */
interface WrongMembers {
  /** With a model that is no text, which names none. */
  readonly models: readonly Exchange[];
  /** With another member, which a lenient gateway may read or ignore. */
  readonly others: readonly Exchange[];
}

/** One value for each JSON type but null, which may mean that a member is absent. */
const values: readonly unknown[] = [[42], 'text', {}, 42, true];

interface Wrong {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Sends requests with values of wrong types: the seed draws the first of a row of neighbours. */
async function sendWrongMembers(io: Io, protocol: Protocol): Promise<WrongMembers> {
  const start = io.random(({ number }) => number.int({ max: 1_000_000 }));
  const input = io.sentence(io.word());
  const sent = await Promise.all(
    Array.from({ length: wrongMembersTried }, async (_, n) => {
      let isModel = false;
      const change = (call: Call): Call => {
        const all = wrongIn(call.body, protocol);
        const { path, value } = all[(start + n) % all.length] ?? { path: [], value: null };
        isModel = path[0] === 'model';
        return { ...call, body: replaced(call.body, path, value) };
      };
      const exchange = await io.ask(protocolModules[protocol].mainEndpoint, { input, change });
      return { exchange, isModel };
    }),
  );
  const those = (isModel: boolean): Exchange[] =>
    sent.filter((one) => one.isModel === isModel).map(({ exchange }) => exchange);
  return { models: those(true), others: those(false) };
}

/** Returns each wrong value of each member, next to one another those of the same type. */
function wrongIn(body: unknown, protocol: Protocol): readonly Wrong[] {
  const { input, optionalMembers, untypedMembers } = protocolModules[protocol].request;
  const whole: Fields = { ...Object(body), ...optionalMembers };
  const members = membersIn(whole).filter(
    ({ path }) => path.join('.') !== input && !path.some((name) => untypedMembers.includes(name)),
  );
  const inputs = [null, ['text']].map((value) => ({ path: [input], value }));
  return [
    ...values.flatMap((value) =>
      members
        .filter((member) => jsonType(member.value) !== jsonType(value))
        .map(({ path }) => ({ path, value })),
    ),
    ...inputs,
  ];
}

/** Returns the members of a body at any depth, of lists those of the first entry. */
function membersIn(value: unknown, path: readonly string[] = []): readonly Wrong[] {
  const inner = Array.isArray(value)
    ? Object.entries(value).slice(0, 1)
    : json.isObject(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, one]) => [
    { path: [...path, name], value: one },
    ...membersIn(one, [...path, name]),
  ]);
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

function replaced(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(body)) {
    return body.map((one, index) => (index === Number(name) ? replaced(one, rest, value) : one));
  }
  return { ...Object(body), [name]: replaced(Object(body)[name], rest, value) };
}

/** A request whose body is invalid in one way, and its control. */
export interface BadBodies {
  readonly control: Exchange;
  readonly malformedJson: Exchange;
  readonly empty: Exchange;
  readonly noObject: Exchange;
  /** One request per wrong value of the input, in each form that the endpoint takes, and with wrong models. */
  readonly wrongTypes: readonly Exchange[];
  /** A text in place of a list, and wrong values of other members, which a lenient gateway may interpret. */
  readonly lenient: readonly Exchange[];
  /** Without the member that holds the conversation, in each form, for the main endpoint of a protocol. */
  readonly without: readonly Exchange[];
}

/** Endpoints that take a JSON body. */
const bodyEndpoints = endpointNames.filter(
  (name) =>
    endpoints[name].model !== null && endpoints[name].actsOn === 'none' && name !== 'websocket',
);

export const badBodies = each(bodyEndpoints, (name: EndpointName) =>
  scenario(
    `requests/bad-bodies/${name}`,
    {
      hostile: 'input',
      after: { baseline: baseline[name] },
      // A gateway that accepts these bodies finds no output limit in them.
      cost: {
        ...refusedCost(
          name,
          3 +
            formsOf(name).length * (wrongFor(name).length + 2) +
            (protocolAt(name) === null ? 0 : wrongMembersTried),
        ),
        chain: 1,
        outputTokens: null,
      },
    },
    async (io, { baseline: { baseline: control, input } }): Promise<BadBodies> => {
      const { ask, random } = io;
      const send = (body: (good: string) => string): Promise<Exchange> =>
        ask(name, {
          input,
          change: (call) => ({ ...call, body: body(JSON.stringify(call.body)) }),
        });
      const { speaks } = present(endpoints[name].model, 'model');
      const { input: member } = protocolModules[speaks].request;
      const main = protocolAt(name);
      const [malformedJson, empty, noObject, wrongTypes, asText, without, members] =
        await Promise.all([
          send((good) =>
            good.slice(
              0,
              random(({ number }) => number.int({ min: 1, max: good.length - 1 })),
            ),
          ),
          send(() => ''),
          send(() => '[]'),
          Promise.all(
            wrongFor(name).map((value) =>
              inEachForm(io, name, { input, change: (call) => withMember(call, member, value) }),
            ),
          ),
          takesText(speaks)
            ? []
            : inEachForm(io, name, { input, change: (call) => withMember(call, member, 'text') }),
          conversing.some((protocol) => protocolModules[protocol].mainEndpoint === name)
            ? inEachForm(io, name, { input, change: (call) => withMember(call, member, undefined) })
            : [],
          main === null ? noMembers : sendWrongMembers(io.lane('members'), main),
        ]);
      const wrong = {
        wrongTypes: [...wrongTypes.flat(), ...members.models],
        lenient: [...asText, ...members.others],
      };
      return { control, malformedJson, empty, noObject, ...wrong, without };
    },
  ),
);

const noMembers = { models: [], others: [] };

/** Returns the protocol of which this is the main endpoint, or null. */
function protocolAt(name: EndpointName): Protocol | null {
  return protocols.find((protocol) => protocolModules[protocol].mainEndpoint === name) ?? null;
}

/** Values of the JSON types that the main member of a request never has, and lists of such values. */
function wrongFor(name: EndpointName): readonly unknown[] {
  const { speaks } = present(endpoints[name].model, 'model');
  return [42, true, [42], ...protocolModules[speaks].request.wrongInputs];
}

/** True if the main member of a request may be a text. */
function takesText(protocol: Protocol): boolean {
  const { input, text, textValue } = protocolModules[protocol].request;
  return input === text && typeof textValue('text') === 'string';
}

/** Contains a lone surrogate, NUL, and a character beyond the basic plane. */
const oddText = 'a\ud800b\u0000c\u{1f600}';

export const hardInput = each(protocols, (protocol: Protocol) => {
  const name = protocolModules[protocol].mainEndpoint;
  const { input: member, text, textValue, outputLimit } = protocolModules[protocol].request;
  return scenario(
    `input/requests/hard/${protocol}`,
    {
      hostile: 'input',
      after: { baseline: baseline[name] },
      cost: {
        ...{ requests: 10, spare: 2, generations: 2, fallback: 2, refused: 6, chain: 2 },
        outputTokens: null,
      },
    },
    async (io, { baseline: { baseline: control, input } }) => {
      const send = (change: (call: Call) => Call): Promise<Exchange> =>
        io.ask(name, { input, change });
      const limited = (limit: number): Promise<Exchange | null> =>
        outputLimit === null
          ? Promise.resolve(null)
          : send((call) => withLimit(call, outputLimit, limit));
      // One request shows both, unless it is not served: a gateway may refuse one of them.
      const odd = (call: Call) => withMember(call, text, textValue(`${oddText} ${io.word()}`));
      const mutations = Array.from({ length: 2 }, () => mutation(io, member));
      const [
        negativeLimit,
        hugeLimit,
        [deepNesting, oddUnicode],
        oversizedId,
        unknownPath,
        wrongMethod,
        ...mutated
      ] = await Promise.all([
        limited(-1),
        limited(1e308),
        send((call) => nested(odd(call))).then<readonly [Exchange, Exchange]>((both) =>
          isServed(both) ? [both, both] : Promise.all([send(nested), send(odd)]),
        ),
        io.ask(name, { input, model: 'x'.repeat(8_000) }),
        send((call) => ({
          ...call,
          path: call.path.replace(/^\/(v1(?:beta)?)\/.*/, '/$1/no-such-path'),
        })),
        send((call) => ({ ...call, method: 'PUT' })),
        ...mutations.map(send),
      ]);
      return {
        control,
        negativeLimit,
        hugeLimit,
        deepNesting,
        oddUnicode,
        oversizedId,
        unknownPath,
        wrongMethod,
        mutated,
      };
    },
  );
});

/** Input that a gateway may serve or refuse, but must not fail on. */
export type HardInput = Awaited<ReturnType<(typeof hardInput)[Protocol]['capture']>>;

/** Replaces the input with a value that is invalid for every gateway. */
function mutation({ random, topic }: Io, member: string): (call: Call) => Call {
  const value = random(({ datatype, helpers, number, string }) =>
    helpers.arrayElement<unknown>([
      number.int({ min: -1_000, max: 1_000 }),
      number.float(),
      datatype.boolean(),
      [number.int(), string.sample()],
      [[topic()]],
      [{ role: topic(), content: number.int() }],
      { [string.sample()]: topic() },
    ]),
  );
  return (call) => withMember(call, member, value);
}

/** Adds an unknown member of 10 000 nested arrays. */
function nested(call: Call): Call {
  const good = JSON.stringify(call.body);
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  return { ...call, body: `${good.slice(0, -1)},"unknown_member":${deep}}` };
}

/** A good request after the answers to all bad input. */
export const afterwards = each(protocols, (protocol: Protocol) => {
  const name = protocolModules[protocol].mainEndpoint;
  // System One gets hardly any other good request, so this one also covers the client forms.
  const forms = protocol === 'systemone' ? clientForms.first : [];
  return scenario(
    `input/requests/afterwards/${protocol}`,
    {
      after: { hard: hardInput[protocol], bodies: badBodies[name] },
      cost: (target) =>
        protocol === 'systemone'
          ? { ...costOf(forms, { requests: 1, generations: 1 }), ...limitOf(name) }
          : featuredCost(target, 1),
    },
    async (io, { hard: { control, mutated, ...hard }, bodies: { control: _, ...bodies } }) => ({
      control,
      bad: [...Object.values(bodies).flat(), ...Object.values(hard), ...mutated].filter(
        (exchange) => exchange !== null,
      ),
      ...(await (protocol === 'systemone'
        ? sendInForms(io, forms, (as) => io.ask(name, {}, as))
        : afterBadInput(io, protocol))),
    }),
  );
});

async function afterBadInput(io: Io, protocol: StreamingProtocol) {
  const plain = () => io.ask(protocolModules[protocol].mainEndpoint);
  return { ...(await sendCarried(io, protocol, 'afterwards', plain)), clients: { attempts: [] } };
}
