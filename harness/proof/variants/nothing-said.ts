import { isArray, type JsonObject } from '../../reference/json.ts';
import { changed, memberAt, set } from '../editing.ts';
import { bodies, eachData, eachEvent, together } from '../planting.ts';
import type { Variant } from './variant.ts';

// A model may have nothing to say, and end its answer of its own accord.

const content = 'choices.0.delta.content';
const text = 'candidates.0.content.parts.0.text';

function wordless(body: JsonObject): JsonObject {
  return typeof memberAt(body, text) === 'string' ? set(body, text, '') : body;
}

export const nothingSaidVariants: readonly Variant[] = [
  {
    id: 'nothing-said.chat-completions',
    what: 'On Chat Completions a model answers with an empty text, streamed or not.',
    override: together(
      bodies('chat-completions.completion', (body) =>
        changed(body, 'choices.0.message.content', (text) =>
          typeof text === 'string' ? '' : text,
        ),
      ),
      eachData('chat-completions', (chunk) =>
        typeof memberAt(chunk, content) === 'string' ? set(chunk, content, '') : chunk,
      ),
    ),
  },
  {
    id: 'nothing-said.messages',
    what: 'On Messages a model answers without any block of text, streamed or not.',
    override: together(
      bodies('messages.message', (body) =>
        changed(body, 'content', (blocks) =>
          isArray(blocks) ? blocks.filter((block) => memberAt(block, 'type') !== 'text') : blocks,
        ),
      ),
      eachEvent('messages', () => {
        let inText = false;
        return (event) => {
          if (event.name === 'content_block_start') {
            inText = memberAt(event.data, 'content_block.type') === 'text';
          }
          return inText && /^content_block_/.test(event.name ?? '') ? [] : event;
        };
      }),
    ),
  },
  {
    id: 'nothing-said.generative',
    what: 'On generative-content a model answers with an empty text, streamed or not.',
    override: together(bodies('generative.response', wordless), eachData('generative', wordless)),
  },
];
