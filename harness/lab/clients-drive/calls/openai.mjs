import OpenAI, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
} from 'openai';
import { city, dot, holds, long, perform, refused, short, weather } from './perform.mjs';

const model = 'ts-omni';
const tool = { type: 'function', name: 'get_weather', description: 'Weather', parameters: city };
const { type: _, ...inner } = tool;
const chatTool = { type: 'function', function: inner };
const format = { type: 'json_schema', name: 'place', schema: city, strict: true };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const ofType = (items, type) => items.find((item) => item.type === type);
const textOf = (output) =>
  output
    .flatMap((item) => item.content ?? [])
    .flatMap(({ text }) => text ?? [])
    .join('');

async function eventsOf(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

await perform(({ baseUrl, key, odd, restricted }) => {
  const options = { baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0 };
  const client = new OpenAI(options);
  const create = (more = {}) => client.responses.create({ model, input: short, ...more });
  const messages = [{ role: 'user', content: short }];
  const chat = (more = {}) => client.chat.completions.create({ model, messages, ...more });
  const ended = async (id) => {
    for (let tries = 0; tries < 200; tries++) {
      const response = await client.responses.retrieve(id);
      if (!['queued', 'in_progress'].includes(response.status)) return response;
      await pause(20);
    }
    throw new Error('does not end');
  };
  return {
    'responses create': async () => holds((await create()).output_text !== '', 'has text'),
    'responses unstored': async () =>
      holds((await create({ store: false })).output_text !== '', 'text'),
    'responses raw stream': async () => {
      const events = await eventsOf(await create({ stream: true }));
      const text = events.flatMap((e) => (e.type === 'response.output_text.delta' ? e.delta : []));
      const end = events.find((e) => e.type === 'response.completed');
      holds(end !== undefined && text.join('') === textOf(end.response.output), 'same text');
    },
    'responses stream()': async () => {
      const final = await client.responses.stream({ model, input: short }).finalResponse();
      holds(textOf(final.output) !== '', 'has text');
    },
    'responses tool forced, and its result': async () => {
      const first = await create({ tools: [tool], tool_choice: 'required', input: weather });
      const call = first.output.find((item) => item.type === 'function_call');
      holds(JSON.parse(call.arguments).city !== undefined, 'arguments');
      const input = [{ type: 'function_call_output', call_id: call.call_id, output: 'Sunny' }];
      const next = await create({ tools: [tool], input, previous_response_id: first.id });
      holds(next.output_text !== '', 'goes on');
    },
    'responses tool auto': async () => {
      const { output } = await create({ tools: [tool], input: weather });
      holds(ofType(output, 'function_call') !== undefined, 'calls');
    },
    'responses tool streamed': async () => {
      const asked = { model, input: weather, tools: [tool], tool_choice: 'required' };
      const final = await client.responses.stream(asked).finalResponse();
      holds(
        JSON.parse(ofType(final.output, 'function_call').arguments).city !== undefined,
        'arguments',
      );
    },
    'responses structured': async () => {
      const { output_text } = await client.responses.parse({
        model,
        input: short,
        text: { format },
      });
      holds(typeof JSON.parse(output_text).city === 'string', 'by the schema');
    },
    'responses limit': async () => {
      const response = await create({ max_output_tokens: 16, input: long });
      holds(response.status === 'incomplete', 'is incomplete');
    },
    'responses image': async () => {
      const image = {
        type: 'input_image',
        image_url: `data:image/png;base64,${dot}`,
        detail: 'auto',
      };
      const content = [{ type: 'input_text', text: short }, image];
      holds((await create({ input: [{ role: 'user', content }] })).output_text !== '', 'text');
    },
    'responses logprobs': async () => {
      const { output } = await create({
        include: ['message.output_text.logprobs'],
        top_logprobs: 2,
      });
      holds(ofType(output, 'message').content[0].logprobs.length > 0, 'logprobs');
    },
    'responses continuation': async () => {
      const { id } = await create();
      const next = await create({ previous_response_id: id });
      holds(next.output_text !== '', 'goes on');
    },
    'responses item reference': async () => {
      const { output } = await create();
      const referred = { type: 'item_reference', id: ofType(output, 'message').id };
      await create({ input: [referred, { role: 'user', content: short }] });
    },
    'responses lookup, delete': async () => {
      const { id } = await create();
      holds((await client.responses.retrieve(id)).id === id, 'same id');
      await client.responses.delete(id);
      holds((await refused(client.responses.retrieve(id))) instanceof NotFoundError, 'class');
    },
    'responses input items': async () => {
      const { id } = await create();
      const items = [];
      for await (const item of client.responses.inputItems.list(id, { limit: 1 })) items.push(item);
      holds(items.length === 1, 'one item');
    },
    'responses background': async () => {
      const { id } = await create({ background: true });
      holds((await ended(id)).status === 'completed', 'completes');
    },
    'responses cancel': async () => {
      // Long enough to be under way still on a busy machine.
      const { id } = await create({ background: true, input: 'Write 9000 words.' });
      holds((await client.responses.cancel(id)).id === id, 'same id');
    },
    'responses background stream, taken up again': async () => {
      const stream = await create({ background: true, stream: true, input: 'Write 60 words.' });
      let id = '';
      let at = 0;
      for await (const event of stream) {
        if (event.response !== undefined) id = event.response.id;
        at = event.sequence_number;
        if (event.type === 'response.output_text.delta') break;
      }
      const again = await client.responses.retrieve(id, { stream: true, starting_after: at });
      const rest = await eventsOf(again);
      holds(rest.at(-1).type === 'response.completed', 'ends');
      holds(rest[0].sequence_number > at, 'goes on');
    },
    'responses count': async () => {
      const count = await client.responses.inputTokens.count({ model, input: short });
      holds(count.input_tokens > 0, 'tokens');
    },
    'responses compact': async () => {
      const compacted = await client.responses.compact({ model, input: messages });
      await create({ input: [...compacted.output, ...messages] });
    },
    'responses abort': async () => {
      const stop = new AbortController();
      const stream = await client.responses.create(
        { model, input: long, stream: true },
        { signal: stop.signal },
      );
      for await (const _event of stream) stop.abort();
    },
    'chat create': async () => holds((await chat()).choices[0].message.content !== '', 'text'),
    'chat stream': async () => {
      const chunks = await eventsOf(
        await chat({ stream: true, stream_options: { include_usage: true } }),
      );
      holds(
        chunks.some((c) => c.choices[0]?.delta?.content),
        'text',
      );
      holds(
        chunks.some((c) => c.choices[0]?.finish_reason === 'stop'),
        'finish',
      );
      holds(
        chunks.some((c) => c.usage?.total_tokens > 0),
        'usage',
      );
    },
    'chat stream()': async () => {
      const text = await client.chat.completions.stream({ model, messages }).finalContent();
      holds(text !== '', 'text');
    },
    'chat tool forced': async () => {
      const { choices } = await chat({ tools: [chatTool], tool_choice: 'required' });
      holds(choices[0].message.tool_calls[0].function.name === 'get_weather', 'calls');
    },
    'chat runTools': async () => {
      const done = { ...inner, parse: JSON.parse, function: () => 'Sunny' };
      const asked = [{ role: 'user', content: weather }];
      const tools = [{ type: 'function', function: done }];
      const runner = client.chat.completions.runTools({ model, messages: asked, tools });
      holds((await runner.finalContent()) !== '', 'goes on');
    },
    'chat structured': async () => {
      const response_format = { type: 'json_schema', json_schema: { name: 'place', schema: city } };
      const { choices } = await client.chat.completions.parse({ model, messages, response_format });
      holds(typeof JSON.parse(choices[0].message.content).city === 'string', 'by the schema');
    },
    'chat stop': async () => {
      const { choices } = await chat({ stop: [' '] });
      holds(!choices[0].message.content.includes(' '), 'without it');
    },
    'chat n': async () => holds((await chat({ n: 2 })).choices.length === 2, 'two'),
    'chat logprobs': async () => {
      const { choices } = await chat({ logprobs: true, top_logprobs: 2 });
      holds(choices[0].logprobs.content.length > 0, 'logprobs');
    },
    'chat image': async () => {
      const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${dot}` } };
      await chat({ messages: [{ role: 'user', content: [{ type: 'text', text: short }, image] }] });
    },
    'models list': async () => {
      const ids = (await eventsOf(await client.models.list())).map(({ id }) => id);
      holds(ids.includes(model), 'has it');
    },
    'models retrieve': async () => holds((await client.models.retrieve(odd)).id === odd, 'same id'),
    'error 401': async () => {
      const other = new OpenAI({ ...options, apiKey: 'no-key' });
      holds((await refused(other.models.list())) instanceof AuthenticationError, 'class');
    },
    ...(restricted && {
      'error 403': async () => {
        const other = new OpenAI({ ...options, apiKey: restricted });
        const error = await refused(other.chat.completions.create({ model, messages }));
        holds(error instanceof PermissionDeniedError, 'class');
      },
    }),
    'error 404': async () => {
      const error = await refused(client.responses.retrieve('resp_none'));
      holds(error instanceof NotFoundError, 'class');
    },
    'error 400': async () => {
      const error = await refused(chat({ messages: [] }));
      holds(error instanceof BadRequestError, 'class');
    },
    websocket: async () => {
      const { ResponsesWS } = await import('openai/resources/responses/ws');
      const socket = new ResponsesWS(client);
      await new Promise((resolve, reject) => {
        socket.on('error', reject);
        socket.on('response.completed', resolve);
        socket.send({ type: 'response.create', model, input: short });
      });
      socket.close();
    },
  };
});
