import { type CheckResult, protocols, protocolTitles } from '../core/index.ts';

/** Title by which a reader recognises a check without its id. */
interface CheckTitle {
  /** Short form of the requirement: the beginning of its sentence. */
  readonly words: string;
  /** Value on the requirement's axis, in words. Null if it has no axis. */
  readonly value: string | null;
}

/** Length above which a title is cut at the end of a part of the sentence. */
const longest = 120;

/** Returns the title of a check, from its requirement and its value on the axis. */
export function checkTitle({
  id,
  requirement,
  text,
}: Pick<CheckResult, 'id' | 'requirement' | 'text'>): CheckTitle {
  const value = id.slice(requirement.length + 1);
  return { words: inShort(text), value: value === '' ? null : valueInWords(value) };
}

/** The first sentence, or the beginning of it. */
function inShort(text: string): string {
  const [sentence = ''] = text.split(/(?<=[a-z0-9)`"])\. (?=[A-Z`"])/);
  const whole = sentence.replace(/\.$/, '');
  if (whole.length <= longest) return whole;
  const parts = [...whole.slice(0, longest).matchAll(/[:;,] /g)].map(({ index }) => index);
  const end = parts.filter((at) => at >= 40 && isPaired(whole.slice(0, at))).at(-1);
  if (end !== undefined) return `${whole.slice(0, end)} …`;
  const cut = whole.slice(0, longest).replace(/\s+\S*$/, '');
  return `${isPaired(cut) ? cut : cut.slice(0, cut.lastIndexOf('`')).trimEnd()} …`;
}

/** True if backticks and brackets are balanced, so that a cut here does not split them. */
function isPaired(text: string): boolean {
  const count = (mark: string): number => text.split(mark).length - 1;
  return count('`') % 2 === 0 && count('(') === count(')');
}

/** `messages.tool-choice` → `Messages · tool-choice` */
function valueInWords(value: string): string {
  return value
    .split('.')
    .map((part) => {
      const protocol = protocols.find((one) => one === part);
      return protocol === undefined ? part : protocolTitles[protocol];
    })
    .join(' · ');
}
