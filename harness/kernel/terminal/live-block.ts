import type { Output } from './terminal.ts';

/** Lines at the end of a terminal that are repainted in place. */
export class LiveBlock {
  readonly #output: Output;
  #height = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    // Some terminals report zero columns.
    return { columns: this.#output.columns || 80, rows: this.#output.rows || 24 };
  }

  paint(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\u001b[K`).join('\n');
    this.#output.write(`${home(this.#height)}${text}\u001b[J`);
    this.#height = lines.length;
  }

  clear(): void {
    if (this.#height > 0) this.#output.write(`${home(this.#height)}\u001b[J`);
    this.#height = 0;
  }
}

/** Control sequence that moves the cursor from the last of `lines` lines to the start of the first. */
function home(lines: number): string {
  return lines > 1 ? `\r\u001b[${lines - 1}A` : '\r';
}
