import { secretLength } from './stage.ts';

/**
 * The key that a gateway is given for its provider. It is fixed, because users enter it by hand, and grants access
 * to nothing.
 */
export const providerKey = 'sk-touchstone-provider-0000000000000000000000'.slice(0, secretLength);

/** The model of the provider entry. */
export const providerModel = 'touchstone';

/** Returns the configuration with which a gateway finds Touchstone as its provider. */
type Entry = (address: string) => string;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Entries as the documentation of each gateway describes them. */
export const providerEntries = {
  'openai-compatible': (address) => `base address   ${address}/v1
key            ${providerKey}
model          ${providerModel}

Below ${address} it speaks Messages and generative-content, too.
`,
  litellm: (address) => `model_list:
  - model_name: ${providerModel}
    litellm_params:
      model: openai/${providerModel}
      api_base: ${address}/v1
      api_key: ${providerKey}
`,
  portkey: (address) =>
    json({ provider: 'openai', custom_host: `${address}/v1`, api_key: providerKey }),
  'claude-code-router': (address) =>
    json({
      Providers: [
        {
          name: providerModel,
          api_base_url: `${address}/v1/chat/completions`,
          api_key: providerKey,
          models: [providerModel],
        },
      ],
      Router: { default: `${providerModel},${providerModel}` },
    }),
  nullplatform: (address) => `models:
  - name: ${providerModel}
    provider:
      type: openai
      config:
        baseUrl: ${address}/v1
        apiKey: ${providerKey}
        model: ${providerModel}
`,
} as const satisfies Readonly<Record<string, Entry>>;

export type ProviderEntry = keyof typeof providerEntries;

export const providerEntryNames = Object.keys(providerEntries) as readonly ProviderEntry[];
