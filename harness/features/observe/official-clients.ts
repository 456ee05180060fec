import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StreamingProtocol } from '../../kernel/core/index.ts';
import {
  baseUrlOf,
  type CallOptions,
  credentialFor,
  customHeadersOf,
  type Deployment,
  type Fields,
  protocolModules,
} from '../../kernel/protocols/index.ts';
import type { Target } from '../../kernel/targets/index.ts';
import { withVariables } from '../../kernel/wire/index.ts';

/** Base URL, key and headers with which an official client reaches the gateway. */
interface Way {
  readonly baseUrl: string;
  readonly key: string;
  /** Headers for every request. Null removes one that the client adds by itself. */
  readonly headers: Readonly<Record<string, string | null>>;
}

/** A generation by an official client, read to its end. */
type Ask = (body: Fields, stream: boolean) => Promise<void>;

interface OfficialClient {
  readonly package: string;
  /** @param module the package, as it is imported */
  connect(module: unknown, way: Way): Ask;
}

/** Used part of these packages, whose types are not installed with Touchstone. */
type Create = (body: object) => Promise<unknown>;
interface OpenAiPackage {
  readonly OpenAI: new (
    options: object,
  ) => {
    readonly responses: { readonly create: Create };
    readonly chat: { readonly completions: { readonly create: Create } };
  };
}
interface AnthropicPackage {
  readonly Anthropic: new (options: object) => { readonly messages: { readonly create: Create } };
}
interface GooglePackage {
  readonly GoogleGenAI: new (
    options: object,
  ) => {
    readonly models: { readonly generateContent: Create; readonly generateContentStream: Create };
  };
}

/** Official clients, by the protocols that they were made for. Their own retries are switched off. */
const clients: Readonly<Record<StreamingProtocol, OfficialClient>> = {
  responses: {
    package: 'openai',
    connect: (module, way) => {
      const { responses } = openai(module as OpenAiPackage, way);
      return (body, stream) => drained(responses.create({ ...body, stream }));
    },
  },
  'chat-completions': {
    package: 'openai',
    connect: (module, way) => {
      const { completions } = openai(module as OpenAiPackage, way).chat;
      return (body, stream) => drained(completions.create({ ...body, stream }));
    },
  },
  messages: {
    package: '@anthropic-ai/sdk',
    connect: (module, { baseUrl: baseURL, headers: defaultHeaders }) => {
      const { Anthropic } = module as AnthropicPackage;
      const none = { apiKey: null, authToken: null, maxRetries: 0 };
      const { messages } = new Anthropic({ ...none, baseURL, defaultHeaders });
      return (body, stream) => drained(messages.create({ ...body, stream }));
    },
  },
  generative: {
    package: '@google/genai',
    connect: (module, { baseUrl, key, headers }) => {
      const { GoogleGenAI } = module as GooglePackage;
      const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl, headers } });
      return ({ generationConfig: config, ...body }, stream) => {
        const ask = stream ? models.generateContentStream : models.generateContent;
        return drained(ask.call(models, { ...body, config }));
      };
    },
  },
};

function openai(
  { OpenAI }: OpenAiPackage,
  { baseUrl, key, headers: defaultHeaders }: Way,
): InstanceType<OpenAiPackage['OpenAI']> {
  return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0, defaultHeaders });
}

async function drained(answer: Promise<unknown>): Promise<void> {
  const whole = await answer;
  if (!isStream(whole)) return;
  for await (const _ of whole) {
    // The observing proxy reads the stream.
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The package of the official client of a protocol. */
export function officialPackage(protocol: StreamingProtocol): string {
  return clients[protocol].package;
}

/**
 * The official client of a protocol, as it is installed in a folder; null: it is not.
 *
 * @param region as the client finds it
 */
export async function officialClient(
  protocol: StreamingProtocol,
  target: Target,
  region: Deployment['regions'][number],
  folder: string,
): Promise<Ask | null> {
  const { package: name, connect } = clients[protocol];
  let path: string;
  try {
    path = createRequire(join(folder, 'none.cjs')).resolve(name);
  } catch {
    return null;
  }
  return connect(await import(pathToFileURL(path).href), wayOf(protocol, target, region));
}

/** Returns the headers of a run, in the places that the specification names. */
function wayOf(
  protocol: StreamingProtocol,
  target: Target,
  region: Deployment['regions'][number],
): Way {
  const { request } = protocolModules[protocol];
  const call = request.call({}, '');
  const owner: CallOptions = { key: 'owner' };
  const custom = Object.entries(customHeadersOf(protocol, region, target)).map(
    ([name, value]) => [name, withVariables(value, target.variables)] as const,
  );
  return {
    baseUrl: baseUrlOf(protocol, region, target),
    key: target.keys.owner ?? 'none',
    headers: {
      authorization: null,
      ...Object.fromEntries([
        ...custom,
        ...Object.entries(credentialFor(call, owner, target).headers).map(
          ([name, value]) => [name.toLowerCase(), value] as const,
        ),
      ]),
    },
  };
}
