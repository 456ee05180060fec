/** Splits JSON into strings and numbers. Everything else separates them. */
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without rounding a number: each number becomes a text that begins with `#`, and is the same for each way
 * to write it. Undefined if the text is no JSON.
 */
export function exact(text: string): unknown {
  try {
    JSON.parse(text);
    return JSON.parse(
      text.replace(token, (found) => (found.startsWith('"') ? found : `"#${decimal(found)}"`)),
    );
  } catch {
    return undefined;
  }
}

/** Returns a number as digits and an exponent, without zeros that add nothing. */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+(?=.)/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${Number(exponent) - fraction.length + (digits.length - short.length)}`;
}
