/**
 * Additional headers that a gateway requires, for a firewall or a tenant, by name. `${NAME}` in a value stands for
 * an environment variable, and is shown instead of its value.
 */
export type CustomHeaders = Readonly<Record<string, string>>;

export type Variables = Readonly<Record<string, string>>;

/** Reference to an environment variable in a text. */
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Mask of a variable. Its length is fixed, to hide the length of the value and to be recognisable. */
export const maskOfVariable = '*'.repeat(8);

export function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].flatMap(([, name]) => name ?? []);
}

/**
 * Returns the text with the values of its variables.
 *
 * @throws {Error} when a variable has no value
 */
export function withVariables(text: string, variables: Variables): string {
  return text.replace(variable, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`The variable ${name} has no value`);
    return value;
  });
}

export function maskedText(text: string): string {
  return text.replace(variable, maskOfVariable);
}
