import { type Exchange, listAt, numberAt, textAt } from '../../kernel/core/index.ts';
import { inventedWords } from '../../kernel/drawn/index.ts';
import { listedIds } from '../../kernel/engine/index.ts';
import { expect as expectExchange, ManyPoints } from '../../kernel/judge/index.ts';
import { answerOf, contentOf, nextPage } from '../../kernel/protocols/index.ts';
import { type Model, permittedKeys, type Target } from '../../kernel/targets/index.ts';
import { wordsOf } from './conversation.ts';
import type { ActsOn } from './history.ts';
import { mayStop } from './oracle.ts';
import type { Sent } from './perform.ts';
import { against, type Shown, type Violation } from './violation.ts';

type Acted = Sent & { readonly act: ActsOn };

/**
 * Compares statements of a history about the same fact, so that no deterministic model is needed. It only compares
 * results of sequential acts; other checks judge the remaining exchanges.
 */
export class Witness {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  violationsIn(inOrder: readonly Sent[], sent: ReadonlyMap<number, Sent>): readonly Violation[] {
    return inOrder.flatMap((one) => {
      const { act } = one;
      if (act.kind === 'create') return stopped(one, act.n, inOrder);
      if (one.judged.state !== 'yes') return [];
      if (act.kind === 'list' || (act.kind === 'ask' && act.endpoint === 'catalog')) {
        return this.#list(one, pagesUntil(one, sent));
      }
      const maker = act.kind === 'act' ? sent.get(act.of) : undefined;
      if (act.kind !== 'act' || maker === undefined) return [];
      const acted: Acted = { ...one, act };
      const beside = inOrder.filter(
        (other): other is Acted => other.act.kind === 'act' && other.act.of === act.of,
      );
      const ended = stopped(one, act.of, inOrder);
      switch (act.operation) {
        case 'lookup':
          return [...this.#lookup(acted, maker, beside), ...ended];
        case 'input-items':
          return inputItems(acted, pagesUntil(one, sent), sent);
        case 'recover':
          return [...recovered(acted, maker, beside), ...ended];
        default:
          return [];
      }
    });
  }

  /** Judges that a lookup of an ended response equals the first answer that showed its end. */
  #lookup(one: Acted, maker: Sent, beside: readonly Acted[]): readonly Violation[] {
    const row = 'storage/responses.lookup-equals-created';
    const shown = { n: one.act.n, exchange: one.exchange };
    const given = textAt(answerOf(one.exchange).value, 'id');
    if (given !== maker.id) {
      const differs = { expected: `the response ${maker.id}`, actual: `the response ${given}` };
      return [against(row, { ...shown, ...differs })];
    }
    const first = firstEnd(maker, beside);
    if (first === null || first.ended > one.started || mayBeStopped(one, beside)) return [];
    // A recently stored response may not be visible everywhere yet.
    const isDue = one.started >= first.ended + this.#target.limits.consistencyMs;
    if (!isDue && !showsEnd(one.exchange)) return [];
    const points = new ManyPoints();
    points.at('', () => expectExchange(one.exchange).toHaveSameAnswerAs(first.exchange));
    const { offence } = points;
    if (offence === null) return [];
    return [against(row, { ...shown, expected: offence.expected, actual: offence.actual })];
  }

  /** Judges that the list matches the permissions of the key. */
  #list({ act, exchange }: Sent, pages: readonly Sent[]): readonly Violation[] {
    const listing = act.kind === 'list' ? 'list' : 'catalog';
    const ids = new Set(pages.flatMap((page) => listedIds(page.exchange)));
    const { actor, region } = act;
    const shows = ({ id }: Model): boolean => ids.has(id) || ids.has(encodeURIComponent(id));
    const isFor = ({ protocols }: Model): boolean =>
      listing === 'catalog'
        ? protocols.includes('generative')
        : protocols.some((protocol) => protocol !== 'generative');
    const violations: Violation[] = [];
    for (const model of this.#target.models.filter(isFor)) {
      // The permissions of a key are unknown unless the target file states them.
      const isSaid = model.permitted !== null || actor === 'owner' || actor === 'restricted';
      if (!isSaid) continue;
      const mayUse = permittedKeys(model).includes(actor);
      const isHere = model.regions?.includes(region) ?? region === this.#target.regions[0]?.name;
      if (shows(model) === mayUse) continue;
      if (mayUse && (!isHere || nextPage(exchange) !== null)) continue;
      const row = `models/${listing}.${mayUse ? has(actor) : 'permitted-only'}`;
      const [expected, actual] = mayUse
        ? [`${model.id} in the list, which this key may use`, 'a list without it']
        : [`a list without ${model.id}, which this key may not use`, 'a list that has it'];
      violations.push(against(row, { n: act.n, exchange, expected, actual }));
    }
    return violations;
  }
}

/** Returns the row that requires a list to have the models that a key may use. */
function has(actor: Sent['act']['actor']): string {
  if (actor === 'owner') return 'has-usable-models';
  return `has-usable-models-by-key:${actor.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the pages of a walk until this one, in their order. */
function pagesUntil(one: Sent, sent: ReadonlyMap<number, Sent>): readonly Sent[] {
  const { act } = one;
  const before = act.kind === 'act' ? act.after : act.kind === 'ask' ? act.page : undefined;
  const page = typeof before === 'number' ? sent.get(before) : undefined;
  return page === undefined ? [one] : [...pagesUntil(page, sent), one];
}

/** Judges that a run which nobody has stopped is not cancelled after others were. */
function stopped({ act, exchange, ended }: Sent, of: number, all: readonly Sent[]): Violation[] {
  if (contentOf(exchange).ending !== 'cancelled') return [];
  const stops = all.flatMap((other) =>
    other.act.kind === 'act' && mayStop(other, other.act.of) && other.started < ended
      ? other.act
      : [],
  );
  if (stops.length === 0 || stops.some((other) => other.of === of)) return [];
  const row = stops.some(({ operation }) => operation === 'cancel')
    ? 'background/cancel.leaves-others'
    : 'storage/deletion.leaves-others';
  const [expected, actual] = ['a run that nobody has stopped', 'the status cancelled'];
  return [against(row, { n: act.n, exchange, expected, actual })];
}

function showsEnd(exchange: Exchange): boolean {
  return ['completed', 'incomplete'].includes(contentOf(exchange).ending ?? '');
}

/** Returns the first answer that shows the end of a response: its creation, or a lookup. */
function firstEnd(maker: Sent, beside: readonly Acted[]): Sent | null {
  const lookups = beside.filter(({ act }) => act.operation === 'lookup');
  const shown = [maker, ...lookups].filter(
    ({ judged, exchange }) => judged.state === 'yes' && showsEnd(exchange),
  );
  return shown.toSorted((one, other) => one.ended - other.ended)[0] ?? null;
}

/** True if somebody may have stopped it by then: the effect on an ended response is unspecified. */
function mayBeStopped(one: Acted, beside: readonly Acted[]): boolean {
  return beside.some((other) => mayStop(other, one.act.of) && other.started < one.ended);
}

/** Judges that each input of a conversation occurs once among the items, in the order of sending. */
function inputItems(
  one: Acted,
  pages: readonly Sent[],
  sent: ReadonlyMap<number, Sent>,
): readonly Violation[] {
  const words = wordsOf(one.act, sent);
  const places = pages
    .flatMap(({ exchange }) => listAt(answerOf(exchange).value, 'data'))
    .filter((item) => textAt(item, 'role') === 'user')
    .flatMap((item) => inventedWords(JSON.stringify(item)))
    .map((word) => words.indexOf(word))
    .filter((place) => place >= 0);
  const shown = { n: one.act.n, exchange: one.exchange };
  const actual = places.map((place) => words[place]).join(', ');
  const walk = pages.length > 1;
  const row = `storage/responses.input-items-${walk ? 'pages' : 'contain-input'}`;
  if (new Set(places).size < places.length) {
    return [against(row, { ...shown, expected: 'each input once', actual })];
  }
  const up = places.toSorted((a, b) => a - b);
  const inOrder = [up, up.toReversed()].some((order) => order.join() === places.join());
  if (inOrder) return [];
  const expected = `the inputs in their order: ${up.map((place) => words[place]).join(', ')}`;
  // The order in which a conversation is listed is unspecified.
  return [{ ...against(row, { ...shown, expected, actual }), level: 'SHOULD' }];
}

/** Judges that recovered events belong to the requested response, and contain its text. */
function recovered(one: Acted, maker: Sent, beside: readonly Acted[]): readonly Violation[] {
  const shown = { n: one.act.n, exchange: one.exchange };
  const later = (about: Pick<Shown, 'expected' | 'actual'>): Violation =>
    against('interruption/recovery.only-later-events', { ...shown, ...about }, 'EVENT-10');
  const events = answerOf(one.exchange).events.map(({ json }) => json);
  const ids = events.flatMap((event) => textAt(event, 'response.id') ?? []);
  const other = ids.find((id) => id !== maker.id);
  if (other !== undefined) {
    return [later({ expected: `events of ${maker.id}`, actual: `one of ${other}` })];
  }
  const numbers = events.flatMap((event) => numberAt(event, 'sequence_number') ?? []);
  const early = one.act.requestMode === 'after' ? numbers.find((number) => number <= 0) : undefined;
  if (early !== undefined) {
    return [later({ expected: 'events after number 0 only', actual: `one with ${early}` })];
  }
  if (new Set(numbers).size < numbers.length) {
    return [later({ expected: 'each event once', actual: `the numbers ${numbers.join(', ')}` })];
  }
  // For other responses, the recovery of events is unspecified.
  if (maker.act.kind !== 'create' || maker.act.mode !== 'background-stream') return [];
  const first = firstEnd(maker, beside);
  if (first === null || contentOf(one.exchange).ending !== contentOf(first.exchange).ending)
    return [];
  if (mayBeStopped(one, beside)) return [];
  const [expected, actual] = [first.exchange, one.exchange].map((one) => contentOf(one).text);
  // A text may come with the last event alone. Otherwise, its events are missing among the numbers.
  const isWhole = numbers.every((number, index) => number <= index + 1);
  if (expected === undefined || expected === actual || (actual === '' && isWhole)) return [];
  const differs = { expected: `the text of the response: ${expected}`, actual: actual || 'none' };
  return [against('interruption/recovery.completes-text', { ...shown, ...differs })];
}
