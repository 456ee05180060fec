import {
  type AlteredKey,
  each,
  type ForeignHeader,
  protocols,
  scenario,
} from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';

/** Keys that are almost the owner's, by the values of the catalogue. */
const misses = {
  changed: 'changed',
  longer: 'longer',
  shorter: 'shorter',
  'other-case': 'otherCase',
  empty: 'empty',
} as const satisfies Record<string, AlteredKey>;

export type Miss = keyof typeof misses;

/** The baseline request of each protocol with such a key. */
export const alteredKeys = each(protocols, (protocol) =>
  each(Object.keys(misses) as Miss[], (miss) => {
    const name = mainEndpoint[protocol];
    return scenario(
      `access/credentials/altered/${protocol}/${miss}`,
      { after: { baseline: baseline[name] }, cost: { requests: 1, generations: 0 } },
      async ({ ask }, { baseline: { baseline: control, input } }) => ({
        control,
        attempt: await ask(name, { input }, { key: misses[miss] }),
      }),
    );
  }),
);

/** The protocols whose credential header the specification names, and the headers of the others. */
const foreign = {
  responses: ['x-api-key', 'vendorB-api-key'],
  messages: ['bearer', 'vendorB-api-key'],
  generative: ['bearer', 'x-api-key'],
} as const satisfies Record<string, readonly ForeignHeader[]>;

export type Headed = keyof typeof foreign;

/** A key that does not exist in the own header, and the owner's in another protocol's. */
export const besideForeign = each(Object.keys(foreign) as Headed[], (protocol) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `access/credentials/beside-foreign/${protocol}`,
    { after: { baseline: baseline[name] }, cost: { requests: 2, generations: 0, chain: 1 } },
    async ({ ask }, { baseline: { baseline: control, input } }) => {
      const attempts = await Promise.all(
        foreign[protocol].map(async (beside) => {
          const attempt = await ask(name, { input }, { key: 'unknown', beside });
          return [beside.toLowerCase(), attempt] as const;
        }),
      );
      return { control, attempts: new Map(attempts) };
    },
  );
});
