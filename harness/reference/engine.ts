import { createHash } from 'node:crypto';
import type { JsonObject } from './json.ts';
import { countTokens } from './tokens.ts';
import { argumentFragments } from './tool-call.ts';
import { words } from './words.ts';

/** What a model reads, whatever protocol it came in. */
export interface Prompt {
  readonly model: string;
  /** The whole conversation, oldest first. */
  readonly turns: readonly Turn[];
  readonly tools: readonly FunctionTool[];
  /** The model has to call a function: `any`, or this one. Null: it answers in text. */
  readonly callRequired: 'any' | { readonly name: string } | null;
  /** Output tokens at most; null for no limit. */
  readonly limit: number | null;
}

export interface Turn {
  /** `tool` is the result of a call. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: JsonObject;
}

/** What the model writes, known in full before it is written out piece by piece. */
export interface Generation {
  /** The function that is called; null for a text. */
  readonly call: string | null;
  /** One token each. Joined, they are the text, or the JSON text of the arguments. */
  readonly pieces: readonly string[];
  /** `length`: cut at the limit. */
  readonly finish: 'stop' | 'length';
  readonly inputTokens: number;
}

/** Tokens that each turn costs beside its text, as in every real tokenizer's chat format. */
const turnTokens = 3;

/** How many tokens the model reads. Every count, on every endpoint, is this one. */
export function countPrompt({ turns, tools }: Prompt): number {
  let count = 0;
  for (const turn of turns) count += turnTokens + countTokens(turn.text);
  for (const { name, description, parameters } of tools) {
    count += countTokens(`${name} ${description} ${JSON.stringify(parameters)}`);
  }
  return count;
}

/**
 * A function of the model and its input, and of nothing else. The words have nothing to do with the
 * input, so that stored content cannot leak through an answer.
 */
export function generate(prompt: Prompt): Generation {
  const random = seeded(digest(prompt));
  const tool = calledTool(prompt);
  const whole =
    tool === undefined ? sentence(prompt, random) : argumentFragments(tool.parameters, random);
  const limit = prompt.limit ?? Number.POSITIVE_INFINITY;
  return {
    call: tool?.name ?? null,
    pieces: whole.slice(0, limit),
    finish: whole.length > limit ? 'length' : 'stop',
    inputTokens: countPrompt(prompt),
  };
}

/** A call is answered once: after its result the model goes on in text. */
function calledTool({ turns, tools, callRequired }: Prompt): FunctionTool | undefined {
  if (callRequired === null || turns.at(-1)?.role === 'tool') return undefined;
  return callRequired === 'any' ? tools[0] : tools.find(({ name }) => name === callRequired.name);
}

/** Eight to twelve tokens, or as many as the last user turn asks for with "<n> words". */
function sentence({ turns }: Prompt, random: () => number): string[] {
  const asked = /\b(\d{1,5}) words\b/.exec(
    turns.findLast(({ role }) => role === 'user')?.text ?? '',
  )?.[1];
  const length = asked === undefined ? 8 + Math.floor(random() * 5) : Math.max(1, Number(asked));
  const pieces: string[] = [];
  while (pieces.length < length - 1) {
    const word = words[Math.floor(random() * words.length)] ?? 'word';
    pieces.push(pieces.length === 0 ? word[0]?.toUpperCase() + word.slice(1) : ` ${word}`);
  }
  pieces.push('.');
  return pieces;
}

function digest({ model, turns, tools }: Prompt): number {
  const hash = createHash('sha256').update(model);
  for (const { role, text } of turns) hash.update(`\n${role}:${text.length}:`).update(text);
  for (const { name } of tools) hash.update(`\n${name}`);
  return hash.digest().readUInt32LE();
}

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
