import {
  answerOf,
  assumeServed,
  type Captures,
  check,
  contentOf,
  type Exchange,
  everywhere,
  expect,
  expectValue,
  idOf,
  isRefused,
  isServed,
  json,
  judgeEach,
  NothingToJudge,
  scenario,
  view,
} from '../../harness/index.ts';
import { baseline, conversationInput } from '../scenarios/baselines.ts';
import { bodyDueAt, creationOf, isServedAt, requestBody } from '../scenarios/exchanges.ts';
import { otherForm } from '../scenarios/generations/conversations.ts';
import { continuedWithResult } from '../scenarios/generations/tool-calls.ts';
import { type Look, lastLook, turnsIn } from '../scenarios/last-look.ts';
import { chain } from '../scenarios/stored/chain.ts';
import { keptText } from '../scenarios/stored/stored-responses.ts';
import { lookedUp } from './looked-up.ts';

// The input items of a stored response.

check('storage/responses.input-items-served', lookedUp, ({ inputItems }) => {
  expect(inputItems).toBeServed();
});

everywhere(
  'storage/responses.input-items-contain-input',
  { least: lookedUp, which: isServedAt('input-items') },
  (inputItems, run) => {
    assumeServed(inputItems);
    const { searchParams } = new URL(inputItems.request.url);
    if (searchParams.has('after')) throw new NothingToJudge('it is a further page');
    const creation = creationOf(inputItems, run);
    const input = creation === null ? null : requestBody(creation)?.input;
    if (typeof input !== 'string') throw new NothingToJudge('it was made of no plain text');
    if (searchParams.size > 0) {
      // Query parameters and earlier turns decide which item comes first.
      expect(inputItems).toHave('an item', (body) => json.list(body, 'data').length > 0);
      return;
    }
    // Another check judges text that a gateway may normalise.
    if (!/^[ -~]{1,1000}$/.test(input)) throw new NothingToJudge('its input is no plain line');
    expect(inputItems).toHave(`an item with the text that was sent: ${input}`, (body) =>
      textsIn(json.at(body, 'data')).some((text) => text.includes(input)),
    );
  },
);

function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);
}

interface MadeOf {
  readonly created: Exchange;
  readonly texts: readonly string[];
}

/** The list of input items of a response that was made of these texts; null if none was made. */
function keptOf<Made>(form: string, made: Captures<Made>, read: (made: Made) => MadeOf | null) {
  return scenario(
    `storage/kept-input/${form}`,
    {
      after: { made: view({ made }, (captured) => read(captured.made as Made)), control },
      cost: { requests: 1, generations: 0 },
    },
    async ({ responses }, { made, control: { baseline: control } }) => {
      if (made === null || isRefused(made.created)) return { control, kept: null };
      return { control, kept: { ...made, list: await responses.inputItems(idOf(made.created)) } };
    },
  );
}

const control = baseline['input-items'];

const keptInput = {
  string: keptOf('string', keptText, ({ created, text }) => ({ created, texts: [text] })),
  items: keptOf('items', conversationInput, (made) => made),
  parts: keptOf('parts', otherForm.responses, ({ other, texts }) => ({ created: other, texts })),
  result: keptOf('result', continuedWithResult, ({ next, result }) =>
    next === null ? null : { created: next, texts: [result] },
  ),
  'third-turn': keptOf('third-turn', chain, ({ last: created }) => ({
    created,
    texts: [`${requestBody(created)?.input}`],
  })),
};

type Kept = Awaited<ReturnType<(typeof keptInput)['string']['capture']>>;

/** Returns what was kept, if it was made and listed. */
function keptAndListed({ control, kept }: Kept) {
  assumeServed(control);
  if (kept === null) throw new NothingToJudge('an input like this was not made, or is refused');
  assumeServed([kept.created, kept.list]);
  return kept;
}

check.each('storage/responses.input-items-unchanged', (form: keyof typeof keptInput) => ({
  on: keptInput[form],
  judge: (captured) => {
    const { list, texts } = keptAndListed(captured);
    const shown = textsIn(json.at(answerOf(list).value, 'data'));
    for (const text of texts) {
      expectValue(shown, { as: 'texts of the input items', of: list }).toBe(
        `among them, unchanged: ${text}`,
        () => shown.some((one) => one.includes(text)),
      );
    }
  },
}));

/** Returns the role of a message. `developer` and `system` are equivalent. */
function speakerOf(message: unknown): string | null {
  const role = json.text(message, 'role');
  return role === 'developer' ? 'system' : role;
}

check.each('storage/responses.input-items-keep-roles', (form: 'items' | 'parts') => ({
  on: keptInput[form],
  judge: (captured) => {
    const { created, list } = keptAndListed(captured);
    const shown = json.list(answerOf(list).value, 'data');
    for (const message of json.list(requestBody(created), 'input')) {
      const [text = ''] = textsIn(json.at(message, 'content')).toSorted(
        (a, b) => b.length - a.length,
      );
      const same = shown.filter((item) => textsIn(item).some((one) => one.includes(text)));
      if (same.length === 0) throw new NothingToJudge('another row tells that a text is missing');
      const roles = same.map(speakerOf);
      expectValue(roles, { as: `roles of the items with: ${text}`, of: list }).toBe(
        `${speakerOf(message)} among them`,
        () => roles.includes(speakerOf(message)),
      );
    }
  },
}));

check('storage/responses.input-items-keep-calls', keptInput.result, (captured) => {
  const { created, list, texts } = keptAndListed(captured);
  const [text = ''] = texts;
  const results = json
    .list(answerOf(list).value, 'data')
    .filter((item) => textsIn(item).some((one) => one.includes(text)));
  if (results.length === 0) throw new NothingToJudge('another row tells that it is missing');
  const sent = json.list(requestBody(created), 'input').map(callOf);
  const others = results.map(callOf).filter((id) => !sent.includes(id));
  const as = `call_id of results other than what was sent, ${sent.join(', ')}`;
  expectValue(others, { as, of: list }).toEqual([]);
});

function callOf(item: unknown): string | null {
  return json.text(item, 'call_id');
}

check('storage/responses.input-items-exclude-output', lookedUp, ({ created, inputItems }) => {
  assumeServed([created, inputItems]);
  const output: readonly (string | null)[] = json
    .list(answerOf(created).value, 'output')
    .flatMap((item) => json.text(item, 'id') ?? []);
  const both = idsIn(inputItems).filter((id) => output.includes(id));
  expectValue(both, { as: 'input items that are output items', of: inputItems }).toEqual([]);
  const answer = contentOf(created).text;
  const answers = json
    .list(answerOf(inputItems).value, 'data')
    .filter((item) => json.text(item, 'role') === 'assistant' && textsIn(item).includes(answer));
  expectValue(answers.length, { as: 'input items with the answer', of: inputItems }).toEqual(0);
});

function idsIn(list: Exchange): (string | null)[] {
  return json.list(answerOf(list).value, 'data').map((item) => json.text(item, 'id'));
}

everywhere(
  'storage/responses.input-items-shape',
  { least: lookedUp, ...bodyDueAt('input-items') },
  (exchange) => expect(exchange).toMatchSchema('responses/input-items'),
);

/** Input items of a conversation: the whole list in both orders, and page by page. */
const pagedItems = scenario(
  'storage/paged-input-items',
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

    /** Reads one item and two items by turns, and stops at a maximum if the list never ends. */
    async function walk() {
      const { responses } = io.lane('pages');
      const pages = [await responses.inputItems(id, { order: 'asc', limit: '1' })];
      while (pages.length < 8) {
        const last = answerOf(pages.at(-1) ?? created).value;
        const after = json.text(json.list(last, 'data').at(-1), 'id');
        if (after === null || json.at(last, 'has_more') !== true) break;
        const limit = `${1 + (pages.length % 2)}`;
        pages.push(await responses.inputItems(id, { order: 'asc', limit, after }));
      }
      return pages;
    }
  },
);

check(
  'storage/responses.input-items-pages',
  pagedItems,
  ({ control, ascending, descending, pages }) => {
    assumeServed(control);
    for (const list of [ascending, descending, ...pages]) expect(list).toBeServed();
    for (const page of pages) {
      const limit = Number(new URL(page.request.url).searchParams.get('limit'));
      const as = `items of a page with limit=${limit}`;
      expectValue(idsIn(page).length, { as, of: page }).toBeAtMost(limit);
    }
    // `has_more` of the page before announced each of these.
    for (const page of pages.slice(1)) {
      expect(page).toHave('an item', (body) => json.list(body, 'data').length > 0);
    }
    const whole = idsIn(ascending);
    expectValue(idsIn(descending), { as: 'ids in descending order', of: descending }).toEqual(
      whole.toReversed(),
    );
    const all = { as: 'ids of all pages of one or two items', of: pages.at(-1) ?? null };
    expectValue(pages.flatMap(idsIn), all).toEqual(whole);
  },
);

check(
  'storage/responses.input-items-newest-first',
  { items: keptInput.items, paged: pagedItems },
  ({ items, paged: { descending } }) => {
    const { list } = keptAndListed(items);
    assumeServed(descending);
    const ids = idsIn(list);
    expectValue(ids, { as: 'ids in no order that was asked for', of: list }).toEqual(
      idsIn(descending).slice(0, ids.length),
    );
  },
);

everywhere(
  'storage/responses.input-items-ends-named',
  { least: lookedUp, which: isServedAt('input-items') },
  (list) => {
    assumeServed(list);
    const ids = idsIn(list);
    const { first_id: first, last_id: last } = Object(answerOf(list).value);
    // The check of the shape requires both.
    if (ids.length === 0 || first === undefined || last === undefined) {
      throw new NothingToJudge('it has no item, or does not name its ends');
    }
    expectValue([first, last], { as: 'first_id and last_id', of: list }).toEqual([
      ids[0],
      ids.at(-1),
    ]);
  },
);

/** Input items of a stored response at the end of a run. */
interface LastRead {
  /** Traits of the response that no other one of these has. */
  readonly words: string;
  readonly items: Exchange;
}

/** Maximum number of responses whose input is read. */
const most = 10;

/**
 * Reads the input of some of the responses that other scenarios made. They are chosen so that each trait of what a run
 * stores is among them: the members of the request, the kinds of items in input and output, the ending, a cut
 * connection, a deleted parent.
 */
const lastReads = scenario(
  'last-reads',
  {
    last: true,
    after: { looks: lastLook },
    cost: { requests: most, generations: 0, chain: 1 },
  },
  async (io, { looks }): Promise<readonly LastRead[]> => {
    const turns = turnsIn(await io.sent());
    const made = new Map(turns.map((turn) => [contentOf(turn).id, turn] as const));
    const gone = new Set(looks.filter(({ seen }) => seen === 'deleted').map(({ id }) => id));
    const here = io.target.regions[0]?.name;
    const kinds = looks.flatMap((look) => {
      const turn = made.get(look.id);
      const isThere = look.seen === 'there' || look.seen === 'cancelled';
      if (turn === undefined || turn.about.region !== here) return [];
      if (!isThere || !isServed(look.now)) return [];
      return [{ look, traits: traitsOf(look, turn, gone) }];
    });
    const reads = fewest(kinds).map(async ({ one: { look }, traits }) => {
      const items = await io.lane(look.id).responses.inputItems(look.id);
      return { words: traits.join(', '), items };
    });
    return Promise.all(reads);
  },
);

/** Members that say nothing of the kind of a response. */
const common: ReadonlySet<string> = new Set(['type', 'model', 'input', 'store']);

function traitsOf({ now }: Look, turn: Exchange, gone: ReadonlySet<string>): readonly string[] {
  const body = requestBody(turn) ?? {};
  const previous = json.text(body, 'previous_response_id');
  const members = Object.keys(body).filter((name) => !common.has(name));
  return [
    ...members,
    ...json.list(body, 'input').map((item) => `input of ${json.text(item, 'type') ?? 'a message'}`),
    ...contentOf(now).items.map((item) => `output of ${json.text(item, 'type')}`),
    `${contentOf(now).ending}`,
    ...(turn.socket === null ? [] : ['over WebSocket']),
    ...(turn.failure === null ? [] : ['cut']),
    ...(previous !== null && gone.has(previous) ? ['of a deleted one'] : []),
  ];
}

interface OfKind {
  readonly traits: readonly string[];
}

/** Returns few of them that have all traits, each with those that none before it has. */
function fewest<One extends OfKind>(
  all: readonly One[],
): { readonly one: One; readonly traits: readonly string[] }[] {
  const chosen: { one: One; traits: readonly string[] }[] = [];
  const had = new Set<string>();
  const newIn = ({ traits }: OfKind) => [...new Set(traits)].filter((one) => !had.has(one));
  while (chosen.length < most) {
    const [one] = all.toSorted((a, b) => newIn(b).length - newIn(a).length);
    const traits = one === undefined ? [] : newIn(one);
    if (one === undefined || traits.length === 0) break;
    chosen.push({ one, traits });
    for (const trait of traits) had.add(trait);
  }
  return chosen;
}

check(
  'storage/responses.input-items-of-each-kind',
  { lastReads, control: baseline['input-items'] },
  ({ lastReads, control: { baseline: control } }) => {
    assumeServed(control);
    return judgeEach(
      lastReads,
      ({ words }) => words,
      ({ items }) => {
        expect(items).toBeServed();
        expect(items).toHave('an item', (body) => json.list(body, 'data').length > 0);
      },
      { noun: 'response' },
    );
  },
);
