import { commandLine, protocolTitles, type Word } from '../../../kernel/core/index.ts';
import type { Served } from '../../../kernel/targets/index.ts';
import { readProtocol } from '../../../kernel/targets/index.ts';
import type { ReferenceGateway } from '../../../reference/index.ts';

/**
 * Lists the addresses, keys and models of a reference gateway, and commands to copy for each protocol.
 *
 * @param keepsRequests true if the gateway shows the requests so far
 */
export function tryIt(gateway: Served, keepsRequests: boolean): string {
  const { regions, keys, models, names, probes, withoutProbes } = gateway;
  const base = regions[0]?.baseUrl ?? '';
  const model = models.find(({ supports }) => supports.includes('background'))?.id ?? '';
  const lines = [
    'The reference gateway is listening.',
    '',
    ...table(
      'Regions',
      regions.map(({ name, baseUrl }) => [name, baseUrl]),
    ),
    ...table('Base URLs of clients', [
      ['openai', `OPENAI_BASE_URL=${base}/v1`],
      ['@anthropic-ai/sdk', `ANTHROPIC_BASE_URL=${base}`],
      ['@google/genai', `GOOGLE_GEMINI_BASE_URL=${base}`],
    ]),
    ...table('Keys', [
      ['owner', `${keys.owner}   user A`],
      ['sameUser', `${keys.sameUser}   user A, another key`],
      ['otherUser', `${keys.otherUser}   user B`],
      ['restricted', `${keys.restricted}   user A, without permission for most models`],
    ]),
    ...table(
      'Models',
      models.map(({ id, protocols, lacks }) => {
        const spoken = protocols.map((name) => {
          const protocol = readProtocol(name, names);
          return protocol === undefined ? name : protocolTitles[protocol];
        });
        const lack = lacks.length === 0 ? '' : '   texts in one body, and nothing else';
        return [id, spoken.join(', ') + lack];
      }),
    ),
    ...table('Probes', [
      ...Object.entries(withoutProbes ? {} : probes).map(([name, { url }]): [string, string] => [
        name,
        url.join(' '),
      ]),
      ...[...(keepsRequests ? ['requests'] : []), 'metrics', 'faults', 'script'].map(
        (name): [string, string] => [name, `${base}/_touchstone/${name}`],
      ),
    ]),
    'Examples to copy:',
    ...exampleRequests(gateway, base, model).flatMap(({ name, url, headers, body, streams }) => [
      '',
      `  # ${name}`,
      `  ${commandLine(['curl', `-sS${streams ? 'N' : ''}`, [url], ...headers.flatMap(headerWords)])} \\`,
      `    ${commandLine(['-H', ['Content-Type: application/json'], '-d', [JSON.stringify(body)]])}`,
    ]),
    '',
    'Stop with Ctrl-C.',
    '',
  ];
  return lines.join('\n');
}

/** Words of a header, in which the shell expands a key that is given as a variable. */
function headerWords(header: string): Word[] {
  const [text = '', variable] = header.split(/\$(\{?[A-Za-z_]\w*\}?)$/);
  return ['-H', variable === undefined ? [text] : [text, { variable }]];
}

interface ExampleRequest {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: object;
  readonly streams: boolean;
}

/** A valid request for each protocol, streamed and not. */
export function exampleRequests(
  { names, keys }: Pick<ReferenceGateway, 'names' | 'keys'>,
  base: string,
  model: string,
): ExampleRequest[] {
  const key = keys.owner;
  const bearer = [`Authorization: Bearer ${key}`];
  const said = 'Say hello.';
  const both = (request: Omit<ExampleRequest, 'streams'>): ExampleRequest[] => [
    { ...request, streams: false },
    {
      ...request,
      name: `${request.name}, streamed`,
      body: { ...request.body, stream: true },
      streams: true,
    },
  ];
  const messages = [{ role: 'user', content: said }];
  const generative = `${base}/v1beta/models/${encodeURIComponent(model)}`;
  const contents = {
    contents: [{ role: 'user', parts: [{ text: said }] }],
    generationConfig: { maxOutputTokens: 64 },
  };
  return [
    ...both({
      name: 'Responses',
      url: `${base}/v1/responses`,
      headers: bearer,
      body: { model, input: said, max_output_tokens: 64, store: true },
    }),
    ...both({
      name: 'Chat Completions',
      url: `${base}/v1/chat/completions`,
      headers: bearer,
      body: { model, messages, max_completion_tokens: 64 },
    }),
    ...both({
      name: 'Messages',
      url: `${base}/v1/messages`,
      headers: [`x-api-key: ${key}`, `${names.vendorA}-version: 2023-06-01`],
      body: { model, max_tokens: 64, messages },
    }),
    {
      name: 'Generative-content',
      url: `${generative}:generateContent`,
      headers: [`x-${names.vendorB}-api-key: ${key}`],
      body: contents,
      streams: false,
    },
    {
      name: 'Generative-content, streamed',
      url: `${generative}:streamGenerateContent?alt=sse`,
      headers: [`x-${names.vendorB}-api-key: ${key}`],
      body: contents,
      streams: true,
    },
    {
      name: 'System One',
      url: `${base}/v1/systemone`,
      headers: bearer,
      body: {
        model,
        state: 'The customer wrote three times and got no answer.',
        questions: { urgent: { type: 'noul', instructions: 'Is it urgent?' } },
      },
      streams: false,
    },
  ];
}

function table(title: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ''];
}
