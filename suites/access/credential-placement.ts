import { type EndpointName, each, protocols, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { mainEndpoint } from '../scenarios/main-endpoint.ts';
import { formsOf } from '../scenarios/request-modes.ts';
import { recoverable, served } from '../scenarios/served-operations.ts';

/** The key in the query alone, under both names that gateways know. */
export const keyInQuery = each(protocols, (protocol) => {
  const name = mainEndpoint[protocol];
  return scenario(
    `access/credentials/query/${protocol}`,
    { after: { baseline: baseline[name] }, cost: { requests: 2, generations: 0, chain: 1 } },
    async ({ ask }, { baseline: { baseline: control, input } }) => {
      const [key, apiKey] = await Promise.all([
        ask(name, { input }, { placement: 'query-key' }),
        ask(name, { input }, { placement: 'query-api_key' }),
      ]);
      return { control, attempts: [key, apiKey] };
    },
  );
});

/** The key in the `Authorization` header, and not as a Bearer token. */
export const otherSchemes = scenario(
  'access/credentials/schemes',
  { after: { baseline: baseline.responses }, cost: { requests: 2, generations: 0, chain: 1 } },
  async ({ ask }, { baseline: { baseline: control, input } }) => {
    const [bare, basic] = await Promise.all([
      ask('responses', { input }, { placement: 'bare' }),
      ask('responses', { input }, { placement: 'basic' }),
    ]);
    return { control, attempts: [bare, basic] };
  },
);

export type VersionedEndpoint = Extract<EndpointName, 'messages' | 'messages-count-tokens'>;

/** The Messages protocol with its key, and without a version header or with one that is no date. */
export const versions = each(['messages', 'messages-count-tokens'], versionsAt);

function versionsAt(name: VersionedEndpoint) {
  const forms = formsOf(name);
  return scenario(
    `access/credentials/version/${name}`,
    {
      after: { baseline: baseline[name] },
      cost: { requests: 2 * forms.length, generations: 0, chain: 1 },
    },
    async ({ ask }, { baseline: { baseline: control, input } }) => {
      const inEachForm = (version: string | null) =>
        Promise.all(forms.map((change) => ask(name, { input, change }, { version })));
      const [none, noDate] = await Promise.all([inEachForm(null), inEachForm('latest')]);
      return { control, none, noDate };
    },
  );
}

/** The events of a stored response, asked for without its key and with one that does not exist. */
export const recoveryWithoutKey = each(['none', 'unknown'], (key) =>
  scenario(
    `access/credentials/recovery/${key}`,
    {
      after: { stored: recoverable, control: served.recover },
      cost: { requests: 1, generations: 0 },
    },
    async ({ responses }, { stored: { id, secret }, control }) => ({
      attempt: await responses.recover(id, { startingAfter: 0 }, { key }),
      control: control.served,
      secret,
    }),
  ),
);
