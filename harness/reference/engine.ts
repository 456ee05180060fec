import { hash } from 'node:crypto';
import { type Asked, cutAtStop } from './asked.ts';
import {
  type Block,
  type Output,
  outputWith,
  piecesOf,
  piecesOfKind,
  thinkingFirst,
} from './blocks.ts';
import { Bounded } from './bounded.ts';
import type { JsonObject } from './json.ts';
import { sampleOf } from './json-sample.ts';
import { countTokens } from './tokens.ts';
import { argumentFragments, isAskedFor } from './tool-call.ts';
import { numbers, words } from './words.ts';

/** Input of a model, independent of the protocol. */
export interface Prompt {
  readonly model: string;
  /** Whole conversation, oldest turn first. */
  readonly turns: readonly Turn[];
  readonly tools: readonly FunctionTool[];
  /**
   * Call that the model has to make: `any` function, or this one. `auto`: a call if the last turn asks for one.
   * Null: text only.
   */
  readonly callRequired: 'any' | 'auto' | { readonly name: string } | null;
  /** Maximum output tokens per candidate; null for no limit. */
  readonly limit: number | null;
  readonly asked: Asked;
  /** Number of leading turns that may be cached for the next prompt. Default: all turns. */
  readonly cacheable?: number;
}

export interface Turn {
  /** `tool` is the result of a call. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Number of images in the turn. */
  readonly images?: number;
  /** True if the request marks the end of the cacheable prompt here. */
  readonly isCached?: boolean;
}

export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** Complete output of a model, before it is written piece by piece. */
export interface Generation extends Output {
  readonly inputTokens: number;
  /** Number of hidden tokens that the model thinks before it writes. */
  readonly thoughts: number;
  /** Input tokens that were read from the cache or written to it. */
  readonly cached: Cached;
  /** Further candidates, written after the first. */
  readonly others: readonly Output[];
}

export interface Cached {
  readonly read: number;
  /** Tokens that this prompt adds to the cache. */
  readonly written: number;
}

export const nothingCached: Cached = { read: 0, written: 0 };

export function outputsOf(generation: Generation): readonly Output[] {
  return [generation, ...generation.others];
}

/** Returns all pieces in the order in which they are written. */
export function allPieces(generation: Generation): readonly string[] {
  return generation.others.length === 0
    ? piecesOf(generation)
    : outputsOf(generation).flatMap(piecesOf);
}

export function thoughtTokens(generation: Generation): number {
  return outputsOf(generation).reduce(
    (count, output) => count + piecesOfKind(output, 'thought').length,
    generation.thoughts,
  );
}

/** Tokens that each turn costs in addition to its text, as in every real tokenizer's chat format. */
const turnTokens = 3;

/** Tokens of an image, independent of its content. */
const imageTokens = 85;

/** Returns the number of tokens that the model reads. Every endpoint counts with this function. */
export function countPrompt({ turns, tools }: Prompt): number {
  return turns.reduce((count, turn) => count + countTurn(turn), countTools(tools));
}

export function countTurn({ text, images = 0 }: Turn): number {
  return turnTokens + countTokens(text) + imageTokens * images;
}

export function countTools(tools: readonly FunctionTool[]): number {
  let count = 0;
  for (const { name, description, parameters } of tools) {
    count += countTokens(`${name} ${description} ${JSON.stringify(parameters)}`);
  }
  return count;
}

/**
 * Generates an output, which depends only on the model and its input. From the input, the output repeats only the
 * topic of the user's last turn, as a model does; its other words are unrelated.
 */
export function generate(prompt: Prompt): Generation {
  const draw = drawFor(prompt);
  const tool = calledTool(prompt);
  const first = write(prompt, tool, draw);
  const others: Output[] = [];
  while (others.length + 1 < prompt.asked.candidates) {
    others.push(write(prompt, tool, { seed: draw.seed + others.length + 1, text: null }));
  }
  const inputTokens = countPrompt(prompt);
  // Adding members after an object spread would cost more than the rest of this function.
  const { blocks, finish, stopped } = first;
  return { blocks, finish, stopped, others, inputTokens, thoughts: 0, cached: nothingCached };
}

/** Text of every thought. It is constant, because the topic shows in the answer. */
const thought = 'The user asks me for something. I know enough to answer at once.'.split(
  /(?= |\.)/,
);

interface Draw {
  readonly seed: number;
  /** Pieces of the generated text; null until first written. */
  text: readonly string[] | null;
}

/** By the model's input: tests repeat the same requests. */
const draws = new Bounded<Draw>({ count: 200, bytes: 1_000_000 });
const mostPieces = 100;

function drawFor(prompt: Prompt): Draw {
  const read = readBy(prompt);
  const before = draws.get(read);
  if (before !== undefined) return before;
  const draw: Draw = { seed: hash('sha256', read, 'buffer').readUInt32LE(), text: null };
  draws.put(read, draw, 2 * read.length + 1000);
  return draw;
}

function textOf(prompt: Prompt, draw: Draw): readonly string[] {
  if (draw.text !== null) return draw.text;
  const text = sentence(prompt, seeded(draw.seed));
  if (text.length <= mostPieces) draw.text = text;
  return text;
}

function write(prompt: Prompt, tool: FunctionTool | undefined, draw: Draw): Output {
  const { limit, asked } = prompt;
  const answer = answered(prompt, tool, draw);
  if (asked.thinks === null) return answer;
  return thinkingFirst(answer, thought, limit, asked.thinks === 'shown');
}

function answered(prompt: Prompt, tool: FunctionTool | undefined, draw: Draw): Output {
  const { limit, asked } = prompt;
  if (tool !== undefined) {
    const random = seeded(draw.seed);
    const { name, parameters } = tool;
    const calls = topicsOf(prompt).map(
      (topics): Block => ({
        kind: 'call',
        name,
        pieces: argumentFragments(parameters, random, topics),
      }),
    );
    return outputWith(calls, null, limit);
  }
  const { schema, stop } = asked;
  const whole =
    schema === null ? textOf(prompt, draw) : jsonPieces(schema, prompt, seeded(draw.seed));
  const { pieces, stopped } = cutAtStop(whole, stop);
  return outputWith([{ kind: 'text', pieces }], stopped, limit);
}

/** Returns the topics of each call: "the weather in Paris and in Rome" makes two, if parallel calls are allowed. */
function topicsOf({ turns, callRequired, asked }: Prompt): readonly string[][] {
  const request = turns.findLast(({ role }) => role === 'user')?.text ?? '';
  const topics = [...request.matchAll(/\bin (\p{Lu}\p{L}+)/gu)].map(([, topic = '']) => topic);
  const isOne = typeof callRequired === 'object' || !asked.parallelCalls || topics.length === 0;
  return isOne ? [topics.slice(0, 1)] : [...new Set(topics)].map((topic) => [topic]);
}

/** Returns the function to call, if any. After the result of a call, the model continues in text. */
function calledTool({ turns, tools, callRequired }: Prompt): FunctionTool | undefined {
  const last = turns.at(-1);
  if (callRequired === null || last?.role === 'tool') return undefined;
  if (callRequired === 'any') return tools[0];
  if (callRequired === 'auto') return tools.find(({ name }) => isAskedFor(name, last?.text ?? ''));
  return tools.find(({ name }) => name === callRequired.name);
}

/** Returns the JSON text, in pieces, of a value that the schema accepts, about the topic of the last user turn. */
function jsonPieces(schema: JsonObject, { turns }: Prompt, random: () => number): string[] {
  const request = turns.findLast(({ role }) => role === 'user')?.text ?? '';
  const topics = topicPieces(request).map((topic) => topic.trim());
  const text = JSON.stringify(sampleOf(schema, random, topics));
  return text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? [];
}

/**
 * Returns eight to twelve tokens, or the number of words that the last user turn asks for, in any language. It can
 * also count from one to twenty.
 */
function sentence({ turns }: Prompt, random: () => number): string[] {
  const request = turns.findLast(({ role }) => role === 'user')?.text ?? '';
  if (/\bcount from one to twenty\b/i.test(request)) {
    return numbers.map((word, index) => (index === 0 ? word : `\n${word}`));
  }
  const asked = /(?:^|\s)(\d{1,5}) \p{L}/u.exec(request)?.[1];
  const length = asked === undefined ? 8 + Math.floor(random() * 5) : Math.max(1, Number(asked));
  const pieces = topicPieces(request).slice(0, length - 1);
  while (pieces.length < length - 1) {
    const drawn = Math.floor(random() * words.length);
    const word = words[drawn] ?? 'word';
    const isFirst = pieces.length === 0;
    pieces.push(isFirst ? word[0]?.toUpperCase() + word.slice(1) : (spacedWords[drawn] ?? ''));
  }
  pieces.push('.');
  return pieces;
}

/** Words with a leading space, created once and shared by all answers. */
const spacedWords = words.map((word) => ` ${word}`);

/** Returns names, long words and other scripts in a request, which are taken for its topic. */
function topicPieces(request: string): string[] {
  const words = request.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words
    .filter((word, index) => index > 0 && standsOut(word))
    .map((word, index) => (index === 0 ? word : ` ${word}`));
}

function standsOut(word: string): boolean {
  const first = word.charCodeAt(0);
  // Fast path for short words that begin with an ASCII character.
  if (first < 0x80 && word.length < 10) return first >= 0x41 && first <= 0x5a;
  return /^[\p{Lu}\p{Lo}]|[\p{L}\p{N}]{10}/u.test(word);
}

/** Returns the parts of a prompt that determine the answer, as one text. */
function readBy({ model, turns, tools }: Prompt): string {
  let read = model;
  for (const { role, text } of turns) read += `\n${role}:${text.length}:${text}`;
  for (const { name } of tools) read += `\n${name}`;
  return read;
}

/** Returns a Mulberry32 generator, which is small and yields the same sequence on every machine. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
