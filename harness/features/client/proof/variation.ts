import type { Protocol } from '../../../kernel/core/index.ts';

/** `fixtures/faulty-client.mjs` with one variation of its behaviour. */
export interface ClientVariation {
  /** Name that enables the variation. */
  readonly id: string;
  /** Behaviour of the client, in one sentence. */
  readonly what: string;
}

/** A faulty client: one defect. */
export interface ClientDefect extends ClientVariation {
  /** The only checks that must fail. The id of a requirement includes all its values. */
  readonly breaks: readonly string[];
  /**
   * Protocols that it is asked to use. Default: Responses, which is enough for a defect independent of the
   * protocol.
   */
  readonly speaks?: readonly Protocol[];
  /** Checks that fail in some runs only. */
  readonly sometimes?: readonly string[];
}

/** Returns the variations of a table by name. */
export function variations(clients: Readonly<Record<string, string>>): readonly ClientVariation[] {
  return Object.entries(clients).map(([id, what]) => ({ id, what }));
}

/** Returns the defects of clients that break the same rows of `client/`. */
export function defects({
  breaks,
  clients,
  ...more
}: Omit<ClientDefect, keyof ClientVariation> & {
  readonly clients: Readonly<Record<string, string>>;
}): readonly ClientDefect[] {
  const common = { ...more, breaks: breaks.map((row) => `client/${row}`) };
  return variations(clients).map((one) => ({ ...one, ...common }));
}

/** Returns the checks of a row for these values. */
export function each(row: string, values: readonly string[]): readonly string[] {
  return values.map((value) => `${row}:${value}`);
}

/**
 * Returns the defects of a table. Each line has the name of a client, the rows that it breaks, and what it does.
 *
 * @param speaks protocols that the clients are asked to use. Default: Responses
 */
export function tabled(table: string, speaks?: readonly Protocol[]): readonly ClientDefect[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [id = '', breaks = '', what = ''] = line.split(' | ');
      const clients = { [id]: what };
      return defects({ breaks: breaks.split(' '), clients, ...(speaks && { speaks }) });
    });
}
