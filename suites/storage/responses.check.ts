import {
  assumeServed,
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
  NothingToJudge,
  scenario,
  textAt,
} from '../../harness/index.ts';
import { baseline, readable } from '../scenarios/baselines.ts';
import { pagedItems } from '../scenarios/item-input.ts';
import { streamLookedUp, wholeText } from '../scenarios/stored-streams.ts';
import { keptInput } from './kept-input.ts';

/** The stored response, as it was created, looked up, and its input listed. */
const lookedUp = scenario(
  'responses/looked-up',
  {
    after: { stored: readable, one: baseline.lookup, items: baseline['input-items'] },
    cost: { requests: 0, generations: 0 },
  },
  async (_, { stored, one, items }) => ({
    ...stored,
    lookup: one.baseline,
    inputItems: items.baseline,
  }),
);

/** A response that says nothing of storage. */
const unsaid = scenario(
  'responses/store-unsaid',
  {
    needs: { model: { speaks: 'responses' } },
    after: { control: baseline.lookup },
    cost: { requests: 2, generations: 1 },
  },
  async ({ responses }, { control }) => {
    const created = await responses.create({ store: undefined });
    return { lookup: await responses.lookup(idOf(created)), control: control.baseline };
  },
);

check('storage/responses.omitted-is-stored', unsaid, ({ lookup, control }) => {
  assumeServed(control);
  expect(lookup).toBeServed();
});

check('storage/responses.lookup-served', lookedUp, ({ lookup }) => {
  expect(lookup).toBeServed();
});

check('storage/responses.lookup-equals-created', lookedUp, ({ created, lookup }) => {
  assumeServed(lookup);
  expect(lookup).toHaveSameAnswerAs(created);
});

check('storage/responses.lookup-shape', lookedUp, ({ lookup }) => {
  assumeServed(lookup);
  expect(lookup).toMatchSchema('responses/response');
});

check('storage/responses.input-items-served', lookedUp, ({ inputItems }) => {
  expect(inputItems).toBeServed();
});

check('storage/responses.input-items-contain-input', lookedUp, ({ inputItems, input }) => {
  assumeServed(inputItems);
  expect(inputItems).toHave(`an item with the text that was sent: ${input}`, (body) =>
    textsIn(at(body, 'data')).some((text) => text.includes(input)),
  );
});

checkEach('storage/responses.input-items-unchanged', (form: keyof typeof keptInput) => ({
  on: keptInput[form],
  judge: ({ control, created, list, texts }) => {
    assumeServed(control);
    if (list === null) throw new NothingToJudge('an input like this is refused');
    assumeServed([created, list]);
    const shown = textsIn(at(jsonBody(list), 'data'));
    for (const text of texts) {
      expectValue(shown, { as: 'texts of the input items', of: list }).toBe(
        `among them, unchanged: ${text}`,
        () => shown.some((one) => one.includes(text)),
      );
    }
  },
}));

check('storage/responses.input-items-exclude-output', lookedUp, ({ created, inputItems }) => {
  assumeServed([created, inputItems]);
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

check('storage/responses.input-items-shape', lookedUp, ({ inputItems }) => {
  assumeServed(inputItems);
  expect(inputItems).toMatchSchema('responses/input-items');
});

check(
  'storage/responses.input-items-pages',
  pagedItems,
  ({ control, ascending, descending, pages }) => {
    assumeServed(control);
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

check('storage/responses.stream-is-stored', streamLookedUp, ({ streamed, lookup }) => {
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
