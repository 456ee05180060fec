import { keyVariable } from '../../kernel/wire/index.ts';
import { type ClientStart, turnWords } from '../sessions/index.ts';
import type { Stage } from './stage.ts';

/** Output limit of every generation that a client is asked for. */
export const maxOutputTokens = 64;

/** Facts that a start of the client is given, by any means. */
interface Told {
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  readonly protocol: string;
  readonly stream: boolean;
}

export function toldOf(
  stage: Stage,
  { protocol, stream = false, prompt = ordinary }: ClientStart,
): Told {
  const { secret, model, word, regions, at } = stage;
  return {
    baseUrl: regions[at]?.baseUrl ?? '',
    key: secret,
    model,
    prompt: prompt(word),
    protocol,
    stream,
  };
}

function ordinary(word: string): string {
  return `Write one short sentence about the name ${word}.`;
}

/** Variables that would redirect a client. */
const proxies = /^(https?|all|no)_proxy$/i;

/**
 * Environment of a start: that of the user, with the facts of the start under Touchstone's names and under those
 * that common clients read.
 */
export function environmentOf(
  { baseUrl, key, model, prompt, protocol, stream }: Told,
  inherited: Readonly<Record<string, string | undefined>>,
  withModule: string | null,
): Readonly<Record<string, string | undefined>> {
  const own = Object.entries(inherited).filter(
    // Keys of real gateways are not passed to the client.
    ([name]) => !proxies.test(name) && !name.startsWith(keyVariable('owner')),
  );
  return {
    ...Object.fromEntries(own),
    NO_PROXY: '*',
    TOUCHSTONE_BASE_URL: baseUrl,
    TOUCHSTONE_API_KEY: key,
    TOUCHSTONE_MODEL: model,
    TOUCHSTONE_PROMPT: prompt,
    TOUCHSTONE_PROTOCOL: protocol,
    TOUCHSTONE_STREAM: stream ? '1' : '0',
    TOUCHSTONE_MAX_OUTPUT_TOKENS: String(maxOutputTokens),
    ...(withModule === null ? {} : { TOUCHSTONE_WITH: withModule }),
    OPENAI_BASE_URL: `${baseUrl}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: baseUrl,
    GEMINI_API_KEY: key,
    GOOGLE_API_KEY: key,
  };
}

/** Words of a command, in which the facts of the start replace `{baseUrl}` and others. */
export function commandOf(command: readonly string[], told: Told): readonly string[] {
  const places: Readonly<Record<string, string>> = {
    ...told,
    stream: told.stream ? '1' : '0',
  };
  const form = /\{(baseUrl|key|model|prompt|protocol|stream)\}/g;
  return command.map((word) => word.replace(form, (whole, name: string) => places[name] ?? whole));
}

/** The task as the input line of a client with tasks. */
export function taskLine(told: Told, stage: Stage, { task = 'generate', id }: ClientStart): string {
  const prompts =
    task === 'converse'
      ? { prompts: turnWords(stage.word).map(ordinary) }
      : ['lookup', 'input-items', 'cancel', 'delete', 'list'].includes(task)
        ? {}
        : { prompt: told.prompt };
  const line = {
    task,
    protocol: told.protocol,
    baseUrl: told.baseUrl,
    key: told.key,
    model: told.model,
    ...prompts,
    stream: told.stream,
    maxOutputTokens: told.protocol === 'systemone' ? null : maxOutputTokens,
    ...(id === undefined ? {} : { id }),
    region: stage.regions[stage.madeAt]?.name ?? '',
    regions: Object.fromEntries(stage.regions.map(({ name, baseUrl }) => [name, baseUrl])),
  };
  return `${JSON.stringify(line)}\n`;
}
