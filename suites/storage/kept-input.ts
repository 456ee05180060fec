import { type Exchange, type Io, idOf, isRefused, scenario } from '../../harness/index.ts';
import { baseline } from '../scenarios/baselines.ts';
import { otherForm } from '../scenarios/input-forms.ts';
import { conversationInput, saidInTurns } from '../scenarios/item-input.ts';

/** An input, and the list of input items that shows it. */
export interface KeptInput {
  readonly created: Exchange;
  /** Null where the input was refused. */
  readonly list: Exchange | null;
  /** Each text of the input. */
  readonly texts: readonly string[];
}

/**
 * What changes easily where text is kept: letters beyond ASCII and beyond 16 bits, markup, quotation
 * marks, escapes, ends of lines and space in the middle. No normal form of Unicode changes any of it
 * but the compatible ones, which are not for keeping text.
 */
const fragile =
  'Żółw & Bär, 東京, Ελλάδα: 🦊 <b>bold &amp; "quoted"</b>, it\'s \\n and %20,\n\n  indented\tby a tab; ';

/** Longer than what a log or a preview shows. */
const longAndFragile = fragile.repeat(12);

export const keptInput = {
  string: scenario(
    'responses/kept-input/string',
    {
      needs: { model: { speaks: 'responses' } },
      after: { control: baseline['input-items'] },
      cost: { requests: 2, generations: 1 },
    },
    async (io, { control }): Promise<KeptInput & { readonly control: Exchange }> => {
      const input = `Say hello, and nothing of what follows: ${longAndFragile}${io.word()}`;
      const created = await io.responses.create({ input, store: true });
      return {
        control: control.baseline,
        created,
        list: await listed(io, created),
        texts: [input],
      };
    },
  ),
  items: scenario(
    'responses/kept-input/items',
    {
      after: { made: conversationInput, control: baseline['input-items'] },
      cost: { requests: 1, generations: 0 },
    },
    async (io, { made: { created }, control }) => ({
      control: control.baseline,
      created,
      list: await listed(io, created),
      texts: saidInTurns,
    }),
  ),
  parts: scenario(
    'responses/kept-input/parts',
    {
      after: { form: otherForm.responses, control: baseline['input-items'] },
      cost: { requests: 1, generations: 0 },
    },
    async (io, { form: { other, texts }, control }) => ({
      control: control.baseline,
      created: other,
      list: await listed(io, other),
      texts,
    }),
  ),
};

async function listed({ responses }: Io, created: Exchange): Promise<Exchange | null> {
  return isRefused(created) ? null : await responses.inputItems(idOf(created));
}
