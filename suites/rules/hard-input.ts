import {
  type Call,
  type Exchange,
  each,
  type Io,
  type Protocol,
  protocols,
  scenario,
} from '../../harness/index.ts';
import { mainEndpoint } from '../main-endpoint.ts';
import { ordinary } from '../ordinary.ts';
import { badBodies, withMember } from './bad-bodies.ts';

/** Input that a gateway may take or refuse, and must not break on. */
export interface HardInput {
  readonly control: Exchange;
  /** Null where the protocol has no output limit. */
  readonly negativeLimit: Exchange | null;
  readonly hugeLimit: Exchange | null;
  readonly deepNesting: Exchange;
  readonly oddUnicode: Exchange;
  readonly oversizedId: Exchange;
  readonly unknownPath: Exchange;
  readonly wrongMethod: Exchange;
  /** Bodies with a required member replaced by something that it cannot be, drawn by the seed. */
  readonly mutated: readonly Exchange[];
}

export const hardInput = each(protocols, (protocol: Protocol) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `rules/input/hard/${protocol}`,
    { after: { ordinary: ordinary[name] }, cost: { requests: 15, generations: 3, chain: 1 } },
    async (io, { ordinary: { ordinary: control, input } }): Promise<HardInput> => {
      const send = (change: (call: Call) => Call): Promise<Exchange> =>
        io.ask(name, { input, change });
      const limited = (limit: number): Promise<Exchange | null> =>
        protocol === 'systemone'
          ? Promise.resolve(null)
          : send((call) => withLimit(call, protocol, limit));
      const mutations = Array.from({ length: 8 }, () => mutation(io, protocol));
      const [
        negativeLimit,
        hugeLimit,
        deepNesting,
        oddUnicode,
        oversizedId,
        unknownPath,
        wrongMethod,
        ...mutated
      ] = await Promise.all([
        limited(-1),
        limited(1e308),
        send(nested),
        send((call) => withMember(call, ...textOf(protocol, oddText))),
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

/** A good request, when all the bad input has been answered. */
export const afterwards = each(protocols, (protocol: Protocol) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `rules/input/afterwards/${protocol}`,
    {
      after: { hard: hardInput[protocol], bodies: badBodies[name] },
      cost: { requests: 1, generations: 1 },
    },
    async (
      { ask },
      { hard: { control, mutated, ...hard }, bodies: { control: _, ...bodies } },
    ) => ({
      control,
      bad: [...Object.values(bodies), ...Object.values(hard), ...mutated].filter(
        (exchange) => exchange !== null,
      ),
      afterwards: await ask(name),
    }),
  );
});

/** A lone surrogate, NUL, and a character beyond the basic plane. */
const oddText = 'a\ud800b\u0000c\u{1f600}';

/** The member that holds a text, and a value for it that does. */
function textOf(protocol: Protocol, text: string): [member: string, value: unknown] {
  switch (protocol) {
    case 'responses':
      return ['input', text];
    case 'chat-completions':
    case 'messages':
      return ['messages', [{ role: 'user', content: text }]];
    case 'generative':
      return ['contents', [{ role: 'user', parts: [{ text }] }]];
    case 'systemone':
      return ['state', text];
  }
}

function withLimit(call: Call, protocol: Protocol, limit: number): Call {
  switch (protocol) {
    case 'responses':
      return withMember(call, 'max_output_tokens', limit);
    case 'chat-completions':
      return withMember(call, 'max_completion_tokens', limit);
    case 'generative':
      return withMember(call, 'generationConfig', { maxOutputTokens: limit });
    case 'messages':
    case 'systemone':
      return withMember(call, 'max_tokens', limit);
  }
}

function nested(call: Call): Call {
  const good = JSON.stringify(call.body);
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  return { ...call, body: `${good.slice(0, -1)},"touchstone_unknown":${deep}}` };
}

/** One wrong value in the place of the input, such as no gateway can make sense of. */
function mutation({ random }: Io, protocol: Protocol): (call: Call) => Call {
  const [member] = textOf(protocol, '');
  const value = random.helpers.arrayElement<unknown>([
    random.number.int({ min: -1_000, max: 1_000 }),
    random.number.float(),
    random.datatype.boolean(),
    [random.number.int(), random.string.sample()],
    [[random.string.sample()]],
    [{ role: random.string.sample(), content: random.number.int() }],
    { [random.string.sample()]: random.string.sample() },
  ]);
  return (call) => withMember(call, protocol === 'systemone' ? 'questions' : member, value);
}
