import { type Command, Option } from 'commander';

/** Declaration of an option: its flags, help and parser, and its other uses. */
export interface Declared {
  readonly flags: string;
  readonly help: string;
  /** Heading in the help. */
  readonly group?: string;
  readonly parse?: (text: string, before: never) => unknown;
  readonly choices?: readonly string[];
  /** Help of its negation, `--no-…`. */
  readonly negation?: string;
  readonly implies?: Readonly<Record<string, unknown>>;
  readonly conflicts?: string;
  /** True if the command line in reports omits it: it selects checks, names a file or sets the look. */
  readonly isUnrepeated?: true;
  /** Reason why the GitHub action has no input for it. */
  readonly notInput?: string;
}

/** Declarations by the names of the members that hold the values. */
export type OptionTable = Readonly<Record<string, Declared>>;

type ValueOf<One> = One extends { readonly parse: (text: string, before: never) => infer Value }
  ? Value
  : One extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : One extends { readonly flags: `${string}<${string}` }
      ? string
      : boolean;

/** Always has a value: true unless `--no-…` is given. */
interface Negation {
  readonly flags: `--no-${string}`;
}

/** Values of the options of a table, as Commander passes them. */
export type Given<Table> = {
  readonly [Name in keyof Table as Table[Name] extends Negation ? never : Name]?:
    | ValueOf<Table[Name]>
    | undefined;
} & {
  readonly [Name in keyof Table as Table[Name] extends Negation ? Name : never]: boolean;
};

/** Commander option with its declaration. */
export class DeclaredOption extends Option {
  readonly declared: Declared;

  constructor(flags: string, help: string, declared: Declared) {
    super(flags, help);
    this.declared = declared;
  }
}

/** Adds options of a table to a command. Default: all. */
export function declare<Table extends OptionTable>(
  command: Command,
  table: Table,
  names: readonly (keyof Table)[] = Object.keys(table),
): Command {
  for (const name of names) for (const option of optionsOf(table[name])) command.addOption(option);
  return command;
}

export function optionsIn(table: OptionTable): readonly DeclaredOption[] {
  return Object.values(table).flatMap(optionsOf);
}

function optionsOf(declared: Declared | undefined): readonly DeclaredOption[] {
  if (declared === undefined) return [];
  const { flags, help, parse, choices, negation, implies, conflicts, group } = declared;
  const option = new DeclaredOption(flags, help, declared);
  if (group !== undefined) option.helpGroup(group);
  if (parse !== undefined) option.argParser(parse as (text: string, before: unknown) => unknown);
  if (choices !== undefined) option.choices(choices);
  if (implies !== undefined) option.implies(implies);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (negation === undefined) return [option];
  const notInput = `the input \`${option.long?.slice(2)}\` with the value false`;
  const { negation: _, parse: __, ...rest } = declared;
  const flag = flags.replace(/^--/, '--no-');
  return [option, ...optionsOf({ ...rest, flags: flag, help: negation, notInput })];
}

/** Narrows the type of parsed options to those of a table. */
export function givenIn<Table extends OptionTable>(_: Table, given: object): Given<Table> {
  return given as Given<Table>;
}
