import { type JsonObject, objectOrEmpty } from './json.ts';
import { sampleOf } from './json-sample.ts';

/**
 * Returns the arguments of a call, generated from the JSON schema of the function's parameters: a value for each
 * required property. They come in fragments of the JSON text, each a name or a word of a value, as a model streams
 * them. Its first open texts are topics.
 */
export function argumentFragments(
  parameters: JsonObject,
  random: () => number,
  topics: string[],
): string[] {
  const value = sampleOf({ type: 'object', ...parameters }, random, topics);
  const entries = Object.entries(objectOrEmpty(value));
  const fragments = entries.flatMap(([name, argument], n) => [
    `${n === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    ...JSON.stringify(argument).split(/(?= )/),
  ]);
  return fragments.length === 0 ? ['{}'] : [...fragments, '}'];
}

/** True if a text mentions a function by its name or by a word of it, such as "weather" for `get_weather`. */
export function isAskedFor(name: string, text: string): boolean {
  if (text.includes(name)) return true;
  const said = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const parts = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (parts.match(/\p{L}{4,}/gu) ?? []).some((word) => said.has(word));
}
