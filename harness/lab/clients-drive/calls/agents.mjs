import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { holds, perform, refused, short, weather } from './perform.mjs';

setTracingDisabled(true);
const tools = [
  tool({
    name: 'get_weather',
    description: 'Weather',
    parameters: z.object({ city: z.string() }),
    execute: async () => 'Sunny',
  }),
];

await perform(({ baseUrl, key }) => {
  const client = (apiKey) => new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 });
  const models = {
    responses: new OpenAIResponsesModel(client(key), 'ts-omni'),
    chat: new OpenAIChatCompletionsModel(client(key), 'ts-omni'),
  };
  const calls = {};
  for (const [protocol, model] of Object.entries(models)) {
    const plain = new Agent({ name: 'Plain', model });
    calls[`${protocol} run`] = async () => {
      holds((await run(plain, short)).finalOutput !== '', 'text');
    };
    calls[`${protocol} stream`] = async () => {
      const streamed = await run(plain, short, { stream: true });
      for await (const _event of streamed);
      holds(streamed.finalOutput !== '', 'text');
    };
    calls[`${protocol} tool loop`] = async () => {
      const agent = new Agent({ name: 'Weather', model, tools });
      holds((await run(agent, weather, { maxTurns: 3 })).finalOutput !== '', 'goes on');
    };
    calls[`${protocol} structured`] = async () => {
      const outputType = z.object({ city: z.string() });
      const agent = new Agent({ name: 'Place', model, outputType });
      holds(typeof (await run(agent, short)).finalOutput.city === 'string', 'by the schema');
    };
  }
  calls['responses previousResponseId'] = async () => {
    const agent = new Agent({ name: 'Plain', model: models.responses });
    const { lastResponseId } = await run(agent, short);
    await run(agent, short, { previousResponseId: lastResponseId });
  };
  calls['error 401'] = async () => {
    const model = new OpenAIResponsesModel(client('no-key'), 'ts-omni');
    const error = await refused(run(new Agent({ name: 'Plain', model }), short));
    holds(error.status === 401, 'status');
  };
  return calls;
});
