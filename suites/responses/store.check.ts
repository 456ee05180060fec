import {
  at,
  check,
  checkEach,
  type Exchange,
  expect,
  expectValue,
  generatedText,
  idOf,
  jsonBody,
  listAt,
  mustBeServed,
  NothingToJudge,
  scenario,
  textAt,
} from '../../harness/index.ts';
import { ordinary, readable } from '../ordinary.ts';
import { pagedItems } from './item-input.ts';
import { keptInput } from './kept-input.ts';
import { streamLookedUp, wholeText } from './streamed.ts';

/** The stored response, as it was created, looked up, and its input listed. */
const lookedUp = scenario(
  'responses/looked-up',
  {
    after: { stored: readable, one: ordinary.lookup, items: ordinary['input-items'] },
    cost: { requests: 0, generations: 0 },
  },
  async (_, { stored, one, items }) => ({
    ...stored,
    lookup: one.ordinary,
    inputItems: items.ordinary,
  }),
);

/** A response that says nothing of storage. */
const unsaid = scenario(
  'responses/store-unsaid',
  {
    needs: { model: { speaks: 'responses' } },
    after: { control: ordinary.lookup },
    cost: { requests: 2, generations: 1 },
  },
  async ({ responses }, { control }) => {
    const created = await responses.create({ store: undefined });
    return { lookup: await responses.lookup(idOf(created)), control: control.ordinary };
  },
);

check('responses/store.omitted-is-stored', unsaid, ({ lookup, control }) => {
  mustBeServed(control);
  expect(lookup).toBeServed();
});

check('responses/store.lookup-served', lookedUp, ({ lookup }) => {
  expect(lookup).toBeServed();
});

check('responses/store.lookup-equals-created', lookedUp, ({ created, lookup }) => {
  mustBeServed(lookup);
  expect(lookup).toHaveSameAnswerAs(created);
});

check('responses/store.lookup-shape', lookedUp, ({ lookup }) => {
  mustBeServed(lookup);
  expect(lookup).toMatchSchema('responses/response');
});

check('responses/store.input-items-served', lookedUp, ({ inputItems }) => {
  expect(inputItems).toBeServed();
});

check('responses/store.input-items-hold-the-input', lookedUp, ({ inputItems, input }) => {
  mustBeServed(inputItems);
  expect(inputItems).toHave(`an item with the text that was sent: ${input}`, (body) =>
    textsIn(at(body, 'data')).some((text) => text.includes(input)),
  );
});

checkEach('responses/store.input-items-unchanged', (form: keyof typeof keptInput) => ({
  on: keptInput[form],
  judge: ({ control, created, list, texts }) => {
    mustBeServed(control);
    if (list === null) throw new NothingToJudge('an input like this is refused');
    mustBeServed([created, list]);
    const shown = textsIn(at(jsonBody(list), 'data'));
    for (const text of texts) {
      expectValue(shown, { as: 'texts of the input items', of: list }).toBe(
        `among them, unchanged: ${text}`,
        () => shown.some((one) => one.includes(text)),
      );
    }
  },
}));

check('responses/store.input-items-lack-the-output', lookedUp, ({ created, inputItems }) => {
  mustBeServed([created, inputItems]);
  const output: readonly (string | null)[] = listAt(jsonBody(created), 'output').flatMap(
    (item) => textAt(item, 'id') ?? [],
  );
  const both = idsIn(inputItems).filter((id) => output.includes(id));
  expectValue(both, { as: 'input items that are output items', of: inputItems }).toEqual([]);
  const answer = generatedText(created);
  const answers = listAt(jsonBody(inputItems), 'data').filter(
    (item) => textAt(item, 'role') === 'assistant' && textsIn(item).includes(answer),
  );
  expectValue(answers.length, { as: 'input items with the answer', of: inputItems }).toEqual(0);
});

check('responses/store.input-items-shape', lookedUp, ({ inputItems }) => {
  mustBeServed(inputItems);
  expect(inputItems).toMatchSchema('responses/input-items');
});

check(
  'responses/store.input-items-pages',
  pagedItems,
  ({ control, ascending, descending, pages }) => {
    mustBeServed(control);
    for (const list of [ascending, descending, ...pages]) expect(list).toBeServed();
    for (const page of pages) {
      expectValue(idsIn(page).length, { as: 'items of a page with limit=1', of: page }).toBeAtMost(
        1,
      );
    }
    const whole = idsIn(ascending);
    expectValue(idsIn(descending), { as: 'ids in descending order', of: descending }).toEqual(
      whole.toReversed(),
    );
    expectValue(pages.flatMap(idsIn), {
      as: 'ids of all pages of one item',
      of: pages.at(-1) ?? null,
    }).toEqual(whole);
  },
);

check('responses/store.streamed-is-stored', streamLookedUp, ({ streamed, lookup }) => {
  const text = wholeText(streamed);
  expect(lookup).toBeServed();
  expectValue(generatedText(lookup), { as: 'the stored text', of: lookup }).toEqual(text);
});

function idsIn(list: Exchange): (string | null)[] {
  return listAt(jsonBody(list), 'data').map((item) => textAt(item, 'id'));
}

/** Every string in a value, however deep. */
function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
}
