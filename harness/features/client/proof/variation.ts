import { type Protocol, protocols } from '../../../kernel/core/index.ts';

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
   * Protocols that it is asked to use. Default: Responses, which is enough for a defect independent of the protocol.
   */
  readonly speaks?: readonly Protocol[];
  /** Checks that fail in some runs only. */
  readonly sometimes?: readonly string[];
}

/** Returns the variations of a table by name. */
export function variations(clients: Readonly<Record<string, string>>): readonly ClientVariation[] {
  return Object.entries(clients).map(([id, what]) => ({ id, what }));
}

/** Returns the checks of rows, which are separated by spaces. A row may have values, separated by commas. */
function rowsIn(text: string): readonly string[] {
  return text.split(' ').flatMap((row) => {
    const [name = '', values = ''] = row.split(':');
    return values.split(',').map((value) => `client/${name}${value && ':'}${value}`);
  });
}

/**
 * Returns the defects of a table. Each line has the name of a client, the rows that it breaks, what it does, and the
 * rows that fail in some runs only. A name with `@` is asked to use the protocol behind it; others use Responses,
 * and each other protocol by itself.
 */
export function tabled(table: string): readonly ClientDefect[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', breaks = '', what = '', sometimes] = line.split(' | ');
      const speaks = protocols.filter((protocol) => id.endsWith(`@${protocol}`));
      return {
        ...{ id, what, breaks: rowsIn(breaks) },
        ...(speaks.length > 0 && { speaks }),
        ...(sometimes && { sometimes: rowsIn(sometimes) }),
      };
    });
}
