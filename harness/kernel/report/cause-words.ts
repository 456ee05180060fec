import { printable, type RootCause } from '../core/index.ts';

/** Describes a root cause in a sentence or two, on one line. */
export function causeInWords({ kind, root }: RootCause): string {
  if (kind === 'no-key-checked') {
    return 'No key is checked: requests without a key, or with a wrong one, are served.';
  }
  return printable(`${root.text} Instead: ${root.verdict.actual}`).replace(/\s+/g, ' ');
}
