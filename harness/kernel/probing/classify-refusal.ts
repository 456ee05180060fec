import { at, type Exchange, listAt, textAt } from '../core/index.ts';
import { errorMessage, jsonOf } from './free-requests.ts';

/**
 * Subject of a refusal. `offer`: the protocol is not offered, by this endpoint or for this model. `nothing there`:
 * the status indicates it, without an understandable message.
 */
type RefusalKind = 'offer' | 'model' | 'body' | 'nothing there' | 'unclear';

/** Classifies a refusal of a request for a model whose body has these members. */
export function classifyRefusal(
  exchange: Exchange,
  model: string,
  members: readonly string[],
): RefusalKind {
  return kindOf(exchange, errorMessage(jsonOf(exchange)) ?? '', model, members);
}

/**
 * True if a refusal denies that the endpoint exists. Ignores the path that it may quote, because `/v1/messages` is
 * not the name of a member or a model.
 */
export function deniesEndpoint(
  exchange: Exchange,
  model: string,
  members: readonly string[],
): boolean {
  const message = errorMessage(jsonOf(exchange)) ?? '';
  const withoutPaths = message.replace(/\/v1(beta)?\/\S*/g, '/…');
  return ['offer', 'nothing there'].includes(kindOf(exchange, withoutPaths, model, members));
}

function kindOf(
  exchange: Exchange,
  message: string,
  model: string,
  members: readonly string[],
): RefusalKind {
  const body = jsonOf(exchange);
  const code = `${textAt(body, 'error.code')} ${textAt(body, 'error.status')}`;
  const about = param(body);
  if (members.includes(about)) return 'body';
  if (deniesOffer(message) || /protocol|endpoint|unimplemented/i.test(code)) return 'offer';
  if (about === 'model' || isAboutModel(message) || /\bmodel(?![a-z])/i.test(code)) return 'model';
  if (namesOne(message, members)) return 'body';
  if (message.includes(model)) return 'model';
  if (isAboutSomeBody.test(message)) return 'body';
  const status = exchange.response?.status ?? 0;
  return [404, 405, 501].includes(status) ? 'nothing there' : 'unclear';
}

/** The member that an error names, in the error shape of any protocol. */
function param(body: unknown): string {
  const location = listAt(body, 'detail[0].loc').filter((step) => step !== 'body');
  const named =
    textAt(body, 'error.param') ??
    listAt(body, 'error.details')
      .flatMap((detail) => textAt(detail, 'fieldViolations[0].field') ?? [])
      .at(0) ??
    at({ location }, 'location[0]');
  return typeof named === 'string' ? (named.split(/[.[]/)[0] ?? '') : '';
}

/** `This protocol is not available …`, `Endpoint /v1/… is not supported`, `unsupported API`. */
function deniesOffer(message: string): boolean {
  const thing = '(protocol|endpoint|route|path|api(?!.?key))';
  const missing =
    '(not|never) (be )?(found|supported|implemented|available|offered|enabled|declared)';
  return (
    new RegExp(`\\b${thing}\\b.*\\b${missing}\\b`, 'i').test(message) ||
    new RegExp(`\\b(unsupported|unavailable|unknown|no such) ${thing}\\b`, 'i').test(message) ||
    new RegExp(
      `\\b(does not|doesn't|cannot) (support|speak|offer|serve)\\b.*\\b${thing}\\b`,
      'i',
    ).test(message)
  );
}

function isAboutModel(message: string): boolean {
  return (
    /\bmodel\b.*\b(not|unknown|doesn't|invalid|unsupported|no access|permission)\b/i.test(
      message,
    ) ||
    /\b(unknown|invalid|unsupported|no such) model\b/i.test(message) ||
    /\bnot (available|supported|offered|enabled)\b.*\bmodel\b/i.test(message)
  );
}

/**
 * True if a message names a member: in quotes, or as the subject of a statement. `state` and `input` are also
 * ordinary words.
 */
function namesOne(message: string, members: readonly string[]): boolean {
  const verbs = 'must|should|is|has|needs|cannot|expects|field|parameter';
  const nouns = 'field|parameter|property|member|argument|value (of|for|at)';
  return members.some((name) =>
    new RegExp(
      `["'\`]${name}\\b|\\b${name}(["'\`:.[]| (${verbs})\\b)|\\b(${nouns}) ${name}\\b`,
      'i',
    ).test(message),
  );
}

/** Matches a refusal that names no member, but can only be about the form of a value, or of the whole body. */
const isAboutSomeBody =
  /\b(body|payload|json|schema|validation)\b|\b(must|should|expected?)\b.*\b(array|list|string|object|number|integer)\b/i;
