import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { city, dot, holds, perform, refused, short, weather } from './perform.mjs';

const tools = {
  get_weather: tool({
    description: 'Weather',
    inputSchema: jsonSchema(city),
    execute: async () => 'Sunny',
  }),
};

await perform(({ baseUrl, key }) => {
  const openai = createOpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key });
  const at = (apiKey) => ({
    responses: openai.responses('ts-omni'),
    chat: openai.chat('ts-omni'),
    messages: createAnthropic({ baseURL: `${baseUrl}/v1`, apiKey })('ts-omni'),
    generative: createGoogleGenerativeAI({ baseURL: `${baseUrl}/v1beta`, apiKey })('ts-omni'),
  });
  const calls = {};
  for (const [protocol, model] of Object.entries(at(key))) {
    const usual = { model, maxRetries: 0, prompt: short };
    calls[`${protocol} generate`] = async () => {
      holds((await generateText(usual)).text !== '', 'text');
    };
    calls[`${protocol} stream`] = async () => {
      let failed = null;
      const stream = streamText({ ...usual, onError: ({ error }) => (failed = error) });
      let text = '';
      for await (const piece of stream.textStream) text += piece;
      if (failed !== null) throw failed;
      holds(text !== '' && (await stream.finishReason) === 'stop', 'whole');
    };
    calls[`${protocol} tool loop`] = async () => {
      const stopWhen = stepCountIs(3);
      const { text, steps } = await generateText({ ...usual, prompt: weather, tools, stopWhen });
      holds(steps.length === 2 && text !== '', 'calls, and goes on');
    };
    calls[`${protocol} structured`] = async () => {
      const output = Output.object({ schema: jsonSchema(city) });
      const { output: value } = await generateText({ ...usual, output });
      holds(typeof value.city === 'string', 'by the schema');
    };
    calls[`${protocol} image`] = async () => {
      const image = { type: 'image', image: dot, mediaType: 'image/png' };
      const content = [{ type: 'text', text: short }, image];
      await generateText({ model, maxRetries: 0, messages: [{ role: 'user', content }] });
    };
  }
  calls['error 401'] = async () => {
    const model = at('no-key').messages;
    const error = await refused(generateText({ model, maxRetries: 0, prompt: short }));
    holds(error.statusCode === 401, 'status');
  };
  return calls;
});
