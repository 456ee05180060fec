import { type Read, text as textRead } from './shape.ts';

/** Parts of the harness that send their own exchanges: the first segment of the names. */
const ownOrigins = ['asked-again', 'load', 'observed', 'sentinel'] as const;

type IdOrigin = 'scenario' | (typeof ownOrigins)[number];

/** Reasons for which a request repeats an earlier one, in the order in which an id names them. */
const againReasons = [
  /** A stored response did not show a change yet. */
  'lag',
  /** The gateway had locked the run out. */
  'lockout',
  /** The gateway put the scenario off, which ran once more at the end. */
  'put-off',
] as const;

export type AgainReason = (typeof againReasons)[number];

/** Scenario of an exchange, or the part of the harness that sent it. */
export interface SenderId {
  readonly origin: IdOrigin;
  /** Name without the origin and without the region. */
  readonly scenario: string;
  /** Further region that the scenario runs in; null: the first one. */
  readonly region: string | null;
}

/**
 * Id of an exchange, unique in a run, and the same in every run of the same suite. Its text is
 *
 *     [origin/]scenario[@region]#lane/number[.request]{+reason}[+connection.attempt]
 *
 * Only this file reads that text. All other code reads the members.
 */
export interface ExchangeId extends SenderId {
  /** Chain of requests in the scenario. In a retry at the end of the run: the id of the request. */
  readonly lane: string;
  /** Number of the call in its lane, from 0. Calls for a reason are counted separately. */
  readonly number: number;
  /** Number among the requests of one start of a client, from 0; null: the harness sent it. */
  readonly request: number | null;
  readonly again: readonly AgainReason[];
  /** Number of the attempt, from 1. The connections of earlier attempts broke. */
  readonly attempt: number;
}

/** Returns the id of the first request of a lane, with the given members replaced. */
export function exchangeId(given: Partial<ExchangeId> & Pick<ExchangeId, 'scenario'>): ExchangeId {
  const first = { lane: 'main', number: 0, request: null, again: [], attempt: 1 };
  return { origin: 'scenario', region: null, ...first, ...given };
}

const texts = new WeakMap<ExchangeId, string>();

export function formatId(id: ExchangeId): string {
  const known = texts.get(id);
  if (known !== undefined) return known;
  const { lane, number, request, again, attempt } = id;
  const text = [
    `${formatSender(id)}#${lane}/${number}`,
    request === null ? '' : `.${request}`,
    ...againReasons.filter((reason) => again.includes(reason)).map((reason) => `+${reason}`),
    attempt === 1 ? '' : `+connection.${attempt}`,
  ].join('');
  texts.set(id, text);
  return text;
}

const whole = '0|[1-9]\\d*';
const form = new RegExp(
  `^([^#]+)#(.+)/(${whole})(?:\\.(${whole}))?` +
    `${againReasons.map((reason) => `(\\+${reason})?`).join('')}(?:\\+connection\\.(${whole}))?$`,
  's',
);

/** Parses the text of an id. Returns null for anything else. */
export function parseId(text: string): ExchangeId | null {
  const [, sender, lane, number, request, ...rest] = form.exec(text) ?? [];
  if (sender === undefined || lane === undefined) return null;
  const attempt = rest[againReasons.length];
  const id = exchangeId({
    ...parseSender(sender),
    lane,
    number: Number(number),
    request: request === undefined ? null : Number(request),
    again: againReasons.filter((_, index) => rest[index] !== undefined),
    attempt: attempt === undefined ? 1 : Number(attempt),
  });
  return formatId(id) === text ? id : null;
}

/** Reads the id in a member of a file. */
export const idShape: Read<ExchangeId> = (value, at) => {
  const id = parseId(textRead(value, at));
  if (id === null) throw new Error(`\`${at}\` has to be the id of an exchange`);
  return id;
};

/** Returns the name of a scenario, as reports and plans have it. */
export function formatSender({ origin, scenario, region }: SenderId): string {
  const name = origin === 'scenario' ? scenario : `${origin}/${scenario}`;
  return region === null ? name : `${name}@${region}`;
}

export function parseSender(text: string): SenderId {
  const [, name = text, region = null] = /^([^@]+)@(.+)$/s.exec(text) ?? [];
  const origin = ownOrigins.find((one) => name.startsWith(`${one}/`));
  return origin === undefined
    ? { origin: 'scenario', scenario: name, region }
    : { origin, scenario: name.slice(origin.length + 1), region };
}

export function sameId(one: ExchangeId, other: ExchangeId): boolean {
  return one === other || formatId(one) === formatId(other);
}

/** Orders ids by sender, lane and call, independent of timing. */
export function compareIds(one: ExchangeId, other: ExchangeId): number {
  return (
    compareTexts(formatSender(one), formatSender(other)) ||
    compareTexts(one.lane, other.lane) ||
    one.number - other.number ||
    compareTexts(formatId(one), formatId(other))
  );
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
