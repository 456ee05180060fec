import {
  type Call,
  type Exchange,
  each,
  type Io,
  isServed,
  type Protocol,
  protocolModules,
  protocols,
  type StreamingProtocol,
  scenario,
} from '../../harness/index.ts';
import { baseline, limitOf } from '../scenarios/baselines.ts';
import { featuredCost, sendCarried } from '../scenarios/generations/generation-calls.ts';
import { badBodies } from '../scenarios/requests/bad-bodies.ts';
import {
  clientForms,
  costOf,
  sendInForms,
  withLimit,
  withMember,
} from '../scenarios/requests/request-forms.ts';

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
