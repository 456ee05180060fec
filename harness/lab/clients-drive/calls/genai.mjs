import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai';
import { city, dot, holds, long, perform, refused, short, weather } from './perform.mjs';

const model = 'ts-omni';
const declared = { name: 'get_weather', description: 'Weather', parametersJsonSchema: city };
const tools = [{ functionDeclarations: [declared] }];

await perform(({ baseUrl, key, odd, restricted }) => {
  const options = { apiKey: key, httpOptions: { baseUrl } };
  const { models, chats } = new GoogleGenAI(options);
  const generate = (config = {}, contents = short) =>
    models.generateContent({ model, contents, config });
  const forced = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } };
  return {
    generate: async () => holds((await generate()).text !== '', 'text'),
    stream: async () => {
      let text = '';
      let finish;
      for await (const chunk of await models.generateContentStream({ model, contents: short })) {
        text += chunk.text ?? '';
        finish = chunk.candidates?.[0]?.finishReason ?? finish;
      }
      holds(text !== '' && finish === 'STOP', 'whole');
    },
    'tool forced, and its result': async () => {
      const first = await generate({ tools, toolConfig: forced }, weather);
      const [call] = first.functionCalls;
      const { id, name } = call;
      const contents = [
        { role: 'user', parts: [{ text: weather }] },
        first.candidates[0].content,
        { role: 'user', parts: [{ functionResponse: { id, name, response: { sky: 'clear' } } }] },
      ];
      holds((await generate({ tools }, contents)).text !== '', 'goes on');
    },
    'tool auto': async () => {
      holds((await generate({ tools }, weather)).functionCalls?.length > 0, 'calls');
    },
    structured: async () => {
      const config = { responseMimeType: 'application/json', responseJsonSchema: city };
      holds(JSON.parse((await generate(config)).text).city !== undefined, 'by the schema');
    },
    stop: async () => holds(!(await generate({ stopSequences: [' '] })).text?.includes(' '), 'cut'),
    limit: async () => {
      const { candidates } = await generate({ maxOutputTokens: 2 });
      holds(candidates[0].finishReason === 'MAX_TOKENS', 'told');
    },
    candidates: async () => {
      holds((await generate({ candidateCount: 2 })).candidates.length === 2, 'two');
    },
    image: async () => {
      const inlineData = { mimeType: 'image/png', data: dot };
      await generate({}, [{ role: 'user', parts: [{ inlineData }, { text: short }] }]);
    },
    chat: async () => {
      const chat = chats.create({ model });
      await chat.sendMessage({ message: short });
      holds((await chat.sendMessage({ message: short })).text !== '', 'text');
    },
    count: async () => {
      holds((await models.countTokens({ model, contents: short })).totalTokens > 0, 'tokens');
    },
    'models list': async () => {
      const names = [];
      for await (const { name } of await models.list()) names.push(name);
      holds(names.includes(`models/${model}`), 'has it');
    },
    'models get': async () => holds((await models.get({ model })).name.endsWith(model), 'same id'),
    'id with a slash': async () => {
      await models.generateContent({ model: `models/${odd}`, contents: short });
    },
    abort: async () => {
      const stop = new AbortController();
      const config = { abortSignal: stop.signal };
      await refused(
        (async () => {
          const stream = await models.generateContentStream({ model, contents: long, config });
          for await (const _chunk of stream) stop.abort();
        })(),
      );
    },
    'error 400': async () => {
      const other = new GoogleGenAI({ ...options, apiKey: 'no-key' });
      const error = await refused(other.models.generateContent({ model, contents: short }));
      holds(error.status === 400, 'status');
    },
    ...(restricted && {
      'error 403': async () => {
        const other = new GoogleGenAI({ ...options, apiKey: restricted });
        const error = await refused(other.models.generateContent({ model, contents: short }));
        holds(error.status === 403, 'status');
      },
    }),
    'error 404': async () => {
      const error = await refused(models.generateContent({ model: 'none', contents: short }));
      holds(error.status === 404, 'status');
    },
  };
});
