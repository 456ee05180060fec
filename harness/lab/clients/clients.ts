/** A client, as somebody installs it. */
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

/** The clients that \`npm run clients\` judges: of most of them the newest release of two majors. */
export const clients: readonly ClientInstall[] = [
  { short: 'openai-6', driver: 'openai', packages: { openai: '6.49.0' }, withoutRetries: openai },
  {
    short: 'openai-6-stream',
    driver: 'openai-stream',
    packages: { openai: '6.49.0' },
    withoutRetries: openai,
  },
  {
    short: 'openai-7',
    driver: 'openai',
    packages: { openai: '7.59.0' },
    node: 22,
    withoutRetries: openai,
  },
  {
    short: 'openai-7-stream',
    driver: 'openai-stream',
    packages: { openai: '7.59.0' },
    node: 22,
    withoutRetries: openai,
  },
  {
    short: 'anthropic-0',
    driver: 'anthropic',
    packages: { '@anthropic-ai/sdk': '0.137.0' },
    withoutRetries: anthropic,
  },
  {
    short: 'anthropic-1',
    driver: 'anthropic',
    packages: { '@anthropic-ai/sdk': '1.14.0' },
    withoutRetries: anthropic,
  },
  {
    short: 'anthropic-1-stream',
    driver: 'anthropic-stream',
    packages: { '@anthropic-ai/sdk': '1.14.0' },
    withoutRetries: anthropic,
  },
  {
    short: 'google-genai-2',
    driver: 'google-genai',
    packages: { '@google/genai': '2.32.0' },
    withoutRetries: null,
  },
  {
    short: 'google-genai-3',
    driver: 'google-genai',
    packages: { '@google/genai': '3.3.0' },
    node: 22,
    withoutRetries: null,
  },
  {
    short: 'ai-sdk-6',
    driver: 'ai-sdk',
    packages: {
      ai: '6.0.325',
      '@ai-sdk/openai': '3.0.141',
      '@ai-sdk/anthropic': '3.0.140',
      '@ai-sdk/google': '3.0.141',
    },
    withoutRetries: aiSdk,
  },
  {
    short: 'ai-sdk-7',
    driver: 'ai-sdk',
    packages: {
      ai: '7.0.173',
      '@ai-sdk/openai': '4.0.118',
      '@ai-sdk/anthropic': '4.0.105',
      '@ai-sdk/google': '4.0.121',
    },
    node: 22,
    withoutRetries: aiSdk,
  },
  {
    short: 'langchain-0',
    driver: 'langchain',
    packages: {
      '@langchain/openai': '0.6.17',
      '@langchain/anthropic': '0.3.34',
      '@langchain/google-genai': '0.2.18',
      '@langchain/core': '0.3.80',
    },
    withoutRetries: langchain,
  },
  {
    short: 'langchain-1',
    driver: 'langchain',
    packages: {
      '@langchain/openai': '1.6.0',
      '@langchain/anthropic': '1.5.11',
      '@langchain/google-genai': '2.3.2',
      '@langchain/core': '1.4.0',
    },
    withoutRetries: langchain,
  },
  {
    short: 'openai-agents',
    driver: 'openai-agents',
    packages: { '@openai/agents': '0.20.0', openai: '7.59.0', zod: '4.6.7' },
    node: 22,
    withoutRetries: openai,
  },
];
