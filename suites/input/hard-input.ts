import {
  type Call,
  type Exchange,
  each,
  type Protocol,
  protocols,
  scenario,
} from '../../harness/index.ts';
import { badBodies, withMember } from '../scenarios/bad-bodies.ts';
import { baseline, limitOf } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { mutation, nested, oddText, textOf, withLimit } from './hard-values.ts';

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
    `input/requests/hard/${protocol}`,
    {
      after: { baseline: baseline[name] },
      cost: { requests: 15, generations: 3, chain: 1, outputTokens: null },
    },
    async (io, { baseline: { baseline: control, input } }): Promise<HardInput> => {
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
    `input/requests/afterwards/${protocol}`,
    {
      after: { hard: hardInput[protocol], bodies: badBodies[name] },
      cost: { requests: 1, generations: 1, ...limitOf(name) },
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
