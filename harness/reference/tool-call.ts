import { type JsonObject, objectOrEmpty } from './json.ts';
import { sampleOf } from './json-sample.ts';

/**
 * Returns the arguments of a call, generated from the JSON schema of the function's parameters: a value for each
 * required property. They come in fragments of the JSON text, each a name or a word of a value, as a model streams
 * them.
 *
 * @param subject topic of the call, used for the first text that the schema leaves open; null for any word
 */
export function argumentFragments(
  parameters: JsonObject,
  random: () => number,
  subject: string | null,
): string[] {
  const value = sampleOf({ type: 'object', ...parameters }, random);
  const entries = Object.entries(objectOrEmpty(value));
  const open = entries.find(([name, argument]) => {
    const described = objectOrEmpty(objectOrEmpty(parameters.properties)[name]);
    const isFixed = described.enum !== undefined || described.const !== undefined;
    return typeof argument === 'string' && !isFixed;
  });
  if (entries.length === 0) return ['{}'];
  const fragments: string[] = [];
  for (const [name, argument] of entries) {
    fragments.push(`${fragments.length === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    const said = name === open?.[0] && subject !== null ? subject : argument;
    fragments.push(...JSON.stringify(said).split(/(?= )/));
  }
  fragments.push('}');
  return fragments;
}

/** True if a text mentions a function by its name or by a word of it, such as "weather" for `get_weather`. */
export function isAskedFor(name: string, text: string): boolean {
  if (text.includes(name)) return true;
  const said = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const parts = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (parts.match(/\p{L}{4,}/gu) ?? []).some((word) => said.has(word));
}
