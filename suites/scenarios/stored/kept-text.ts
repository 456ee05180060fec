import { scenario } from '../../../harness/index.ts';

/**
 * Text that faulty storage alters easily: letters beyond ASCII and beyond 16 bits, markup, quotation marks,
 * escapes, line ends and inner space. Only the compatibility normal forms of Unicode change it, and these are
 * unsuitable for storage.
 */
const fragile =
  'Żółw & Bär, 東京, Ελλάδα: 🦊 <b>bold &amp; "quoted"</b>, it\'s \\n and %20,\n\n  indented\tby a tab; ';

/** Longer than the excerpts in logs and previews. */
const longAndFragile = fragile.repeat(12);

/** A stored response whose input is one long text. */
export const keptText = scenario(
  'stored/kept-text',
  {
    needs: { model: { speaks: 'responses' } },
    cost: { requests: 1, generations: 1 },
  },
  async ({ responses, word }) => {
    const text = `Say hello, and nothing of what follows: ${longAndFragile}${word()}`;
    return { text, created: await responses.create({ input: text, store: true }) };
  },
);
