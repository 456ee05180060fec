/**
 * Additional headers that a gateway requires, by name: for a firewall, a tenant. `${NAME}` in a value
 * stands for a variable of the environment, and is shown in its place.
 */
export type CustomHeaders = Readonly<Record<string, string>>;

/** Values of variables, by name. */
export type Variables = Readonly<Record<string, string>>;

/** A variable of the environment in a text. */
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Masks of variables are as long, whatever they mask: long enough to be known for a mask. */
export const maskOfVariable = '*'.repeat(8);

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].flatMap(([, name]) => name ?? []);
}

/** The text with what its variables stand for. @throws {Error} when one has no value */
export function withVariables(text: string, variables: Variables): string {
  return text.replace(variable, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`The variable ${name} has no value`);
    return value;
  });
}

/** The text with a mask for each variable. */
export function maskedText(text: string): string {
  return text.replace(variable, maskOfVariable);
}
