import { at, idOf, jsonBody, listAt, scenario, textAt } from '../../../harness/index.ts';
import { baseline } from '../baselines.ts';
import { answeredFirst, saidFirst } from './counted-input.ts';

/** What the messages of a conversation say, in their order. */
export const saidInTurns = [saidFirst, answeredFirst, 'Write one short sentence about it.'];

/** A stored response whose input is a list of messages, the earlier ones long. */
export const conversationInput = scenario(
  'responses/conversation-input',
  { after: { control: baseline.responses }, cost: { requests: 1, generations: 1 } },
  async ({ responses }, { control }) => {
    const input = saidInTurns.map((content, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content,
    }));
    return { control: control.baseline, created: await responses.create({ input, store: true }) };
  },
);

/** Its input items: the whole list in both orders, and page by page. */
export const pagedItems = scenario(
  'responses/paged-input-items',
  {
    after: { of: conversationInput, control: baseline['input-items'] },
    cost: { requests: 10, generations: 0, chain: 8 },
  },
  async (io, { of: { created }, control }) => {
    const id = idOf(created);
    const list = (order: 'asc' | 'desc') =>
      io.lane(order).responses.inputItems(id, { order, limit: '100' });
    const [ascending, descending, pages] = await Promise.all([list('asc'), list('desc'), walk()]);
    return { control: control.baseline, ascending, descending, pages };

    /** One item a page, as official clients walk; a list that never ends is left. */
    async function walk() {
      const { responses } = io.lane('pages');
      const pages = [await responses.inputItems(id, { order: 'asc', limit: '1' })];
      while (pages.length < 8) {
        const last = jsonBody(pages.at(-1) ?? created);
        const after = textAt(listAt(last, 'data').at(-1), 'id');
        if (after === null || at(last, 'has_more') !== true) break;
        pages.push(await responses.inputItems(id, { order: 'asc', limit: '1', after }));
      }
      return pages;
    }
  },
);
