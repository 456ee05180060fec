import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, listAt } from '../core/index.ts';
import { fixture, packageRoot } from '../core/package-root.ts';
import { eventViolations } from './schemas.ts';

// Publishers type their schemas in their clients: a member that is not optional there is required.

const files: Readonly<Record<string, string>> = {
  chat: 'openai/resources/chat/completions/completions.d.ts',
  usage: 'openai/resources/completions.d.ts',
  models: 'openai/resources/models.d.ts',
  responses: 'openai/resources/responses/responses.d.ts',
  tokens: 'openai/resources/responses/input-tokens.d.ts',
  messages: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
  shared: '@anthropic-ai/sdk/resources/shared.d.ts',
};

function sourceOf(file: string): string {
  const path = join(packageRoot, 'node_modules', files[file] ?? '');
  return readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
}

/** Returns the text between the braces that begin at the match. */
function block(text: string, begin: RegExp): string {
  const found = begin.exec(text);
  if (found === null) throw new Error(`There is no ${begin.source}`);
  const from = found.index + found[0].length;
  let depth = 1;
  let end = from;
  for (; depth > 0; end++) depth += { '{': 1, '}': -1 }[text[end] ?? '}'] ?? 0;
  return text.slice(from, end - 1);
}

function requiredBy(file: string, name: string): readonly string[] {
  const [own = '', ...around] = name.split('.').reverse();
  const space = around.reduceRight(
    (text, one) => block(text, RegExp(`namespace ${one} {`)),
    sourceOf(file),
  );
  const members = block(space, RegExp(`interface ${own} (?:extends [^{]*)?{`));
  let whole = members;
  for (let before = ''; before !== whole; )
    [before, whole] = [whole, whole.replace(/{[^{}]*}/g, '')];
  return [...whole.matchAll(/(?:^|;)\s*(\w+):/g)].map(([, member = '']) => member);
}

/** Parts of schemas, each with the interface of its publisher. */
const parts = `
  chat-completions/completion-full . chat ChatCompletion
  chat-completions/completion-full properties.choices.items chat ChatCompletion.Choice
  chat-completions/completion-full properties.choices.items.properties.message chat ChatCompletionMessage
  chat-completions/chunk . chat ChatCompletionChunk
  chat-completions/chunk properties.choices.items chat ChatCompletionChunk.Choice
  chat-completions/tool-call . chat ChatCompletionMessageFunctionToolCall
  chat-completions/tool-call properties.function chat ChatCompletionMessageFunctionToolCall.Function
  chat-completions/usage . usage CompletionUsage
  models/list-full properties.data.items models Model
  responses/response-full . responses Response
  responses/usage . responses ResponseUsage
  responses/usage properties.input_tokens_details responses ResponseUsage.InputTokensDetails
  responses/usage properties.output_tokens_details responses ResponseUsage.OutputTokensDetails
  responses/output-item allOf[0].then responses ResponseOutputMessage
  responses/output-item allOf[2].then responses ResponseReasoningItem
  responses/function-call . responses ResponseFunctionToolCall
  responses/content-part allOf[0].then responses ResponseOutputText
  responses/content-part allOf[1].then responses ResponseOutputRefusal
  responses/compaction . responses CompactedResponse
  responses/compaction properties.output.items.allOf[0].then responses ResponseCompactionItem
  responses/input-tokens . tokens InputTokenCountResponse
  messages/message . messages Message
  messages/usage . messages Usage
  messages/content-block allOf[0].then messages TextBlock
  messages/content-block allOf[1].then messages ThinkingBlock
  messages/content-block allOf[2].then messages RedactedThinkingBlock
  messages/tool-use . messages ToolUseBlock
  messages/token-count . messages MessageTokensCount
  messages/error . shared ErrorResponse
  messages/events $defs.message_start.properties.message messages Message
  messages/events $defs.content_block_start messages RawContentBlockStartEvent
  messages/events $defs.content_block_delta messages RawContentBlockDeltaEvent
  messages/events $defs.content_block_stop messages RawContentBlockStopEvent
  messages/events $defs.message_delta messages RawMessageDeltaEvent
  messages/events $defs.message_delta.properties.delta messages RawMessageDeltaEvent.Delta
`;

test('a schema requires what its publisher requires, or names what it leaves out', () => {
  const found = parts
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([id = '', place = '', file = '', name = '']) => leftOut(id, place, file, name));
  expect(found).toEqual([]);
});

test('an event of Responses requires what its publisher requires, or names what it leaves out', () => {
  const events = sourceOf('responses').matchAll(/interface (\w+Event) {[^}]*?\btype: '([\w.]+)';/g);
  const found = [...events].flatMap(([, name = '', type = '']) =>
    eventViolations('responses', type, {}) === null
      ? []
      : leftOut('responses/events', `$defs/${type}`, 'responses', name),
  );
  expect(found).toEqual([]);
});

/** Returns the members that a part of a schema neither requires nor names in its words. */
function leftOut(id: string, place: string, file: string, name: string): readonly string[] {
  const text = readFileSync(`${fixture('schemas')}/${id}.schema.json`, 'utf8');
  const whole: unknown = JSON.parse(text);
  const event = /^\$defs\/(.*)$/.exec(place)?.[1];
  const part = event === undefined ? at(whole, place) : Object(at(whole, '$defs'))[event];
  const required = listAt(place === '.' ? whole : part, 'required');
  return (
    requiredBy(file, name)
      .filter((member) => !required.includes(member) && !text.includes(`\`${member}\``))
      // The type decides whether such a part applies.
      .filter((member) => member !== 'type' || !place.endsWith('then'))
      .map((member) => `${id} ${place} ${member}`)
  );
}
