export interface ClientInstall {
  /** Name of the client in the page, and on the command line. */
  readonly short: string;
  /** The driver of `fixtures/clients/`. */
  readonly driver: string;
  /** Packages with their versions; the first is what the page names. */
  readonly packages: Readonly<Record<string, string>>;
  /** The line of Node that it needs, where it is not the one that this runs on. */
  readonly node?: number;
  /** The file of `--with` that switches its retries off; null: it has none to switch off. */
  readonly withoutRetries: string | null;
}

const openai = `import { OpenAI } from 'openai';
export default ({ baseUrl, key }) =>
  new OpenAI({ baseURL: \`\${baseUrl}/v1\`, apiKey: key, maxRetries: 0 });
`;
const anthropic = `import { Anthropic } from '@anthropic-ai/sdk';
export default ({ baseUrl, key }) =>
  new Anthropic({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });
`;
const aiSdk = `import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
const models = {
  responses: ({ baseUrl, key, model }) =>
    createOpenAI({ baseURL: \`\${baseUrl}/v1\`, apiKey: key }).responses(model),
  'chat-completions': ({ baseUrl, key, model }) =>
    createOpenAI({ baseURL: \`\${baseUrl}/v1\`, apiKey: key }).chat(model),
  messages: ({ baseUrl, key, model }) =>
    createAnthropic({ baseURL: \`\${baseUrl}/v1\`, apiKey: key })(model),
  generative: ({ baseUrl, key, model }) =>
    createGoogleGenerativeAI({ baseURL: \`\${baseUrl}/v1beta\`, apiKey: key })(model),
};
export default (options) => ({ model: models[options.protocol](options), maxRetries: 0 });
`;
const langchain = `import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
const openai = ({ baseUrl, key, model, maxOutputTokens: maxTokens }, more) =>
  new ChatOpenAI({
    model, apiKey: key, configuration: { baseURL: \`\${baseUrl}/v1\` }, maxTokens, maxRetries: 0, ...more,
  });
const models = {
  responses: (task) =>
    openai(task, { useResponsesApi: true, modelKwargs: { store: task.task === 'store' } }),
  'chat-completions': (task) => openai(task),
  messages: ({ baseUrl, key, model, maxOutputTokens: maxTokens }) =>
    new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: baseUrl, maxTokens, maxRetries: 0 }),
  generative: ({ baseUrl, key, model, maxOutputTokens }) =>
    new ChatGoogleGenerativeAI({ model, apiKey: key, baseUrl, maxOutputTokens, maxRetries: 0 }),
};
export default (task) => models[task.protocol](task);
`;

const client = (
  short: string,
  driver: string,
  packages: ClientInstall['packages'],
  withoutRetries: string | null,
  node?: number,
): ClientInstall => ({
  ...{ short, driver, packages, withoutRetries },
  ...(node === undefined ? {} : { node }),
});
const twice = (one: ClientInstall): readonly ClientInstall[] => [
  one,
  { ...one, short: `${one.short}-stream`, driver: `${one.driver}-stream` },
];
/** Packages of one scope. */
const scoped = (scope: string, versions: ClientInstall['packages']): ClientInstall['packages'] =>
  Object.fromEntries(Object.entries(versions).map(([name, at]) => [`${scope}/${name}`, at]));

const aiSdk6 = { openai: '3.0.141', anthropic: '3.0.140', google: '3.0.141' };
const aiSdk7 = { openai: '4.0.118', anthropic: '4.0.105', google: '4.0.121' };
const langchain0 = { openai: '0.6.17', anthropic: '0.3.34', 'google-genai': '0.2.18' };
const langchain1 = { openai: '1.6.0', anthropic: '1.5.11', 'google-genai': '2.3.2' };
const agents = { '@openai/agents': '0.20.0', openai: '7.59.0', zod: '4.6.7' };
const langchainOf = (versions: ClientInstall['packages'], core: string) =>
  scoped('@langchain', { ...versions, core });

/** The clients that `npm run clients` judges: of most of them the newest release of two majors. */
export const clients: readonly ClientInstall[] = [
  ...twice(client('openai-6', 'openai', { openai: '6.49.0' }, openai)),
  ...twice(client('openai-7', 'openai', { openai: '7.59.0' }, openai, 22)),
  client('anthropic-0', 'anthropic', { '@anthropic-ai/sdk': '0.137.0' }, anthropic),
  ...twice(client('anthropic-1', 'anthropic', { '@anthropic-ai/sdk': '1.14.0' }, anthropic)),
  client('google-genai-2', 'google-genai', { '@google/genai': '2.32.0' }, null),
  client('google-genai-3', 'google-genai', { '@google/genai': '3.3.0' }, null, 22),
  client('ai-sdk-6', 'ai-sdk', { ai: '6.0.325', ...scoped('@ai-sdk', aiSdk6) }, aiSdk),
  client('ai-sdk-7', 'ai-sdk', { ai: '7.0.173', ...scoped('@ai-sdk', aiSdk7) }, aiSdk, 22),
  client('langchain-0', 'langchain', langchainOf(langchain0, '0.3.80'), langchain),
  client('langchain-1', 'langchain', langchainOf(langchain1, '1.4.0'), langchain),
  client('openai-agents', 'openai-agents', agents, openai, 22),
];
