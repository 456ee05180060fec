import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { city, holds, perform, short, weather } from './perform.mjs';

const declared = { name: 'get_weather', description: 'Weather', schema: city };

await perform(({ baseUrl, key }) => {
  const usual = { model: 'ts-omni', apiKey: key, maxRetries: 0 };
  const configuration = { baseURL: `${baseUrl}/v1` };
  const clients = {
    chat: new ChatOpenAI({ ...usual, configuration }),
    responses: new ChatOpenAI({ ...usual, configuration, useResponsesApi: true }),
    messages: new ChatAnthropic({ ...usual, anthropicApiUrl: baseUrl, maxTokens: 512 }),
    generative: new ChatGoogleGenerativeAI({ ...usual, baseUrl }),
  };
  const calls = {};
  for (const [protocol, client] of Object.entries(clients)) {
    calls[`${protocol} invoke`] = async () => {
      holds((await client.invoke(short)).content.length > 0, 'text');
    };
    calls[`${protocol} stream`] = async () => {
      let pieces = 0;
      for await (const piece of await client.stream(short))
        pieces += piece.content.length > 0 ? 1 : 0;
      holds(pieces > 0, 'text');
    };
    calls[`${protocol} tool`] = async () => {
      const bound = client.bindTools([declared]);
      holds((await bound.invoke(weather)).tool_calls.length > 0, 'calls');
    };
    calls[`${protocol} structured`] = async () => {
      const method = 'functionCalling';
      const value = await client
        .withStructuredOutput(city, { name: 'place', method })
        .invoke(weather);
      holds(value.city !== undefined, 'by the schema');
    };
  }
  return calls;
});
