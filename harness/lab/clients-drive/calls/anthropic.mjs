import Anthropic, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
} from '@anthropic-ai/sdk';
import { city, dot, holds, long, perform, refused, short, weather } from './perform.mjs';

const tools = [{ name: 'get_weather', description: 'Weather', input_schema: city }];
const usual = { model: 'ts-omni', max_tokens: 512, messages: [{ role: 'user', content: short }] };

const ofType = (blocks, type) => blocks.find((block) => block.type === type);

await perform(({ baseUrl, key, odd, restricted }) => {
  const options = { baseURL: baseUrl, apiKey: key, maxRetries: 0 };
  const client = new Anthropic(options);
  const create = (more = {}) => client.messages.create({ ...usual, ...more });
  const asked = { messages: [{ role: 'user', content: weather }], tools };
  return {
    create: async () => holds((await create()).content[0].text !== '', 'text'),
    'raw stream': async () => {
      const types = [];
      for await (const event of await create({ stream: true })) types.push(event.type);
      holds(types.at(-1) === 'message_stop' && types.includes('content_block_delta'), 'whole');
    },
    'stream()': async () => {
      const { content } = await client.messages.stream(usual).finalMessage();
      holds(content[0].text !== '', 'text');
    },
    'tool forced, and its result': async () => {
      const first = await create({ ...asked, tool_choice: { type: 'any' } });
      const use = ofType(first.content, 'tool_use');
      const result = { type: 'tool_result', tool_use_id: use.id, content: 'Sunny' };
      const messages = [
        ...asked.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ];
      holds(ofType((await create({ tools, messages })).content, 'text') !== undefined, 'goes on');
    },
    'tool auto': async () =>
      holds(ofType((await create(asked)).content, 'tool_use') !== undefined, 'calls'),
    'tool streamed': async () => {
      const stream = client.messages.stream({ ...usual, ...asked, tool_choice: { type: 'any' } });
      holds(
        ofType((await stream.finalMessage()).content, 'tool_use').input.city !== undefined,
        'arguments',
      );
    },
    structured: async () => {
      const output_config = { format: { type: 'json_schema', schema: city } };
      holds(
        JSON.parse(ofType((await create({ output_config })).content, 'text').text).city !==
          undefined,
        'schema',
      );
    },
    stop: async () => {
      const { stop_reason, stop_sequence } = await create({ stop_sequences: [' '] });
      holds(stop_reason === 'stop_sequence' && stop_sequence === ' ', 'told');
    },
    limit: async () =>
      holds((await create({ max_tokens: 2 })).stop_reason === 'max_tokens', 'told'),
    image: async () => {
      const source = { type: 'base64', media_type: 'image/png', data: dot };
      const content = [
        { type: 'image', source },
        { type: 'text', text: short },
      ];
      await create({ messages: [{ role: 'user', content }] });
    },
    'cache marked': async () => {
      const system = [{ type: 'text', text: long, cache_control: { type: 'ephemeral' } }];
      await create({ system });
    },
    count: async () => {
      const { max_tokens: _, ...counted } = usual;
      holds((await client.messages.countTokens(counted)).input_tokens > 0, 'tokens');
    },
    'models list': async () => {
      const ids = [];
      for await (const { id } of client.models.list()) ids.push(id);
      holds(ids.includes('ts-omni'), 'has it');
    },
    'models retrieve': async () => holds((await client.models.retrieve(odd)).id === odd, 'same id'),
    abort: async () => {
      const stream = client.messages.stream({
        ...usual,
        messages: [{ role: 'user', content: long }],
      });
      stream.on('text', () => stream.abort());
      await refused(stream.finalMessage());
    },
    'error 401': async () => {
      const other = new Anthropic({ ...options, apiKey: 'no-key' });
      holds((await refused(other.messages.create(usual))) instanceof AuthenticationError, 'class');
    },
    ...(restricted && {
      'error 403': async () => {
        const other = new Anthropic({ ...options, apiKey: restricted });
        const error = await refused(other.messages.create(usual));
        holds(error instanceof PermissionDeniedError, 'class');
      },
    }),
    'error 404': async () => {
      holds((await refused(create({ model: 'none' }))) instanceof NotFoundError, 'class');
    },
    'error 400': async () => {
      holds((await refused(create({ messages: [] }))) instanceof BadRequestError, 'class');
    },
  };
});
